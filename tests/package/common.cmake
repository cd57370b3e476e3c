# SPDX-License-Identifier: Apache-2.0
# What the scripts of this folder share. They are run by ctest with -DROOT, the library's root,
# -DWORK, a folder of their own that is made anew, and -DVERSION.
cmake_minimum_required(VERSION 3.25)
set(consumer_dir "${CMAKE_CURRENT_LIST_DIR}/consumer")
set(strict -std=c++20 -Wall -Wextra -Wconversion -Wshadow -Wpedantic -Werror)
file(REMOVE_RECURSE "${WORK}")
file(MAKE_DIRECTORY "${WORK}")

# run(COMMAND...): it must succeed; what it prints is in `output`.
macro(run)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE result OUTPUT_VARIABLE output
                  ERROR_VARIABLE output WORKING_DIRECTORY "${WORK}")
  if(NOT result EQUAL 0)
    string(REPLACE ";" " " command "${ARGN}")
    message(FATAL_ERROR "${output}\nended with ${result}: ${command}")
  endif()
endmacro()

# refused(PATTERN COMMAND...): it must fail and print PATTERN.
macro(refused pattern)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE result OUTPUT_VARIABLE output
                  ERROR_VARIABLE output WORKING_DIRECTORY "${WORK}")
  string(REPLACE ";" " " command "${ARGN}")
  if(result EQUAL 0)
    message(FATAL_ERROR "${output}\nsucceeded, and must not: ${command}")
  endif()
  if(NOT output MATCHES "${pattern}")
    message(FATAL_ERROR "${output}\nfailed without '${pattern}': ${command}")
  endif()
endmacro()

# equal(WHAT FOUND EXPECTED): both lists hold the same, in any order.
function(equal what found expected)
  list(SORT found)
  list(SORT expected)
  if(NOT "${found}" STREQUAL "${expected}")
    message(FATAL_ERROR "${what}\n  found:    ${found}\n  expected: ${expected}")
  endif()
endfunction()

# The headers below a folder that holds logitchain/, as paths relative to it.
function(headers_of folder result)
  file(GLOB_RECURSE files RELATIVE "${folder}" "${folder}/logitchain/*.hpp"
       "${folder}/logitchain/*.cuh")
  if(NOT files)
    message(FATAL_ERROR "no headers below ${folder}/logitchain")
  endif()
  set(${result} "${files}" PARENT_SCOPE)
endfunction()

# Runs the consumer and looks at what it prints: the tokens are equal in every package.
function(run_consumer program)
  run("${program}")
  set(expected "token 4, ok\ntoken 3, finished\ndraws 2 1 3 3 4 1 3 1\nlogitchain ${VERSION}, ")
  string(FIND "${output}" "${expected}" place)
  if(NOT place EQUAL 0)
    message(FATAL_ERROR "${output}\nThe consumer was to begin with:\n${expected}")
  endif()
endfunction()

# Compiles the consumer's two translation units by themselves, links and runs them.
function(compile_consumer)
  foreach(unit main stops)
    run("${COMPILER}" ${strict} ${ARGN} -c "${consumer_dir}/${unit}.cpp" -o "${WORK}/${unit}.o")
  endforeach()
  run("${COMPILER}" "${WORK}/main.o" "${WORK}/stops.o" -o "${WORK}/consumer" ${ARGN} -pthread)
  run_consumer("${WORK}/consumer")
endfunction()
