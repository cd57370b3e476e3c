# SPDX-License-Identifier: Apache-2.0
# Gives the runner a source that it must refuse, with the reason in `// refused: "reason"`.
#   cmake -DRUNNER=runner.cmake -DCOMPILER=... -DFLAGS=... -DSOURCE=... -P refuses.cmake
cmake_minimum_required(VERSION 3.25)

execute_process(
  COMMAND "${CMAKE_COMMAND}" "-DCOMPILER=${COMPILER}" "-DFLAGS=${FLAGS}" "-DSOURCE=${SOURCE}" -P
          "${RUNNER}"
  RESULT_VARIABLE result
  OUTPUT_VARIABLE output
  ERROR_VARIABLE output)
if(result EQUAL 0)
  message("${output}")
  message(FATAL_ERROR "the runner accepted ${SOURCE}")
endif()
file(STRINGS "${SOURCE}" line REGEX "^// refused: \"" LIMIT_COUNT 1)
string(REGEX REPLACE "^// refused: \"(.*)\"$" "\\1" reason "${line}")
string(FIND "${output}" "${reason}" position)
if(reason STREQUAL "" OR position EQUAL -1)
  message("${output}")
  message(FATAL_ERROR "the runner did not say '${reason}'")
endif()
