# SPDX-License-Identifier: Apache-2.0
# Runs a check on a tree of faulty headers. Each names what the check must print about it in lines
# of the form: expected: "text". Nothing else may be printed as a violation.
#   cmake -DSCRIPT=check.cmake -DROOT=DIR -P sees_violations.cmake
cmake_minimum_required(VERSION 3.25)

execute_process(COMMAND "${CMAKE_COMMAND}" "-DROOT=${ROOT}" -P "${SCRIPT}" RESULT_VARIABLE result
                OUTPUT_VARIABLE output ERROR_VARIABLE output)
if(result EQUAL 0)
  message(FATAL_ERROR "the check found nothing")
endif()

set(expected 0)
file(GLOB_RECURSE files "${ROOT}/*.hpp" "${ROOT}/*.cuh")
foreach(file IN LISTS files)
  file(STRINGS "${file}" lines REGEX "^// expected: \"")
  foreach(line IN LISTS lines)
    math(EXPR expected "${expected} + 1")
    string(REGEX REPLACE "^// expected: \"(.*)\"$" "\\1" text "${line}")
    string(FIND "${output}" "${text}" position)
    if(position EQUAL -1)
      message("${output}")
      message(FATAL_ERROR "not printed: ${text}")
    endif()
  endforeach()
endforeach()

string(REGEX MATCHALL "(^|\n)logitchain/" printed "${output}")
list(LENGTH printed count)
if(expected EQUAL 0 OR NOT count EQUAL expected)
  message("${output}")
  message(FATAL_ERROR "${count} violations printed, ${expected} expected")
endif()
