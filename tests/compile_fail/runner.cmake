# SPDX-License-Identifier: Apache-2.0
# Compiles one source twice: as it stands it must compile; with LOGITCHAIN_WRONG it must not, every
# sentence of its lines `// expected: "sentence"` must be printed, and exactly one static assertion
# must fail (another number: `// static assertions: 0`). SYNTAX_ONLY is what asks for no output where
# it is not -fsyntax-only.
#   cmake -DCOMPILER=g++ -DFLAGS="-std=c++20|-Iinclude" -DSOURCE=E02_x.cpp -P runner.cmake
cmake_minimum_required(VERSION 3.25)

# The sentences as they are: without colours, in no other language.
if(NOT SYNTAX_ONLY)
  set(SYNTAX_ONLY -fdiagnostics-color=never|-fsyntax-only)
endif()
string(REPLACE "|" ";" flags "${FLAGS}|${SYNTAX_ONLY}")
set(ENV{LC_ALL} C)

macro(compile result output)
  execute_process(COMMAND "${COMPILER}" ${flags} ${ARGN} "${SOURCE}" RESULT_VARIABLE ${result}
                  OUTPUT_VARIABLE ${output} ERROR_VARIABLE ${output})
endmacro()

# Fatal messages are wrapped and indented by CMake; what the compiler printed is better read as it is.
function(refuse reason output)
  message("${reason}\n${output}")
  message(FATAL_ERROR "${SOURCE} does not hold with ${COMPILER}")
endfunction()

compile(right_result right_output)
if(NOT right_result EQUAL 0)
  refuse("the right half does not compile" "${right_output}")
endif()
compile(wrong_result wrong_output -DLOGITCHAIN_WRONG)
if(wrong_result EQUAL 0)
  refuse("the wrong half compiles" "")
endif()

# Semicolons and brackets have a meaning in CMake's lists; the sentences are compared without them.
function(plain text result)
  string(REGEX REPLACE "[][;\\\\]" "~" text "${text}")
  set(${result} "${text}" PARENT_SCOPE)
endfunction()
file(READ "${SOURCE}" text)
plain("${text}" text)
plain("${wrong_output}" printed)

string(REGEX MATCHALL "// expected: \"[^\n]*\"" lines "${text}")
if(NOT lines)
  refuse("the source names no sentence" "")
endif()
foreach(line IN LISTS lines)
  string(REGEX REPLACE "^// expected: \"(.*)\"$" "\\1" sentence "${line}")
  string(FIND "${printed}" "${sentence}" position)
  if(position EQUAL -1)
    refuse("not printed: ${sentence}" "${wrong_output}")
  endif()
endforeach()

set(expected_count 1)
if(text MATCHES "// static assertions: ([0-9]+)")
  set(expected_count "${CMAKE_MATCH_1}")
endif()
# g++, newer clang and nvcc say the first, clang 14 the second.
string(REGEX MATCHALL "error: (static assertion failed|static_assert failed)" assertions
       "${printed}")
list(LENGTH assertions count)
if(NOT count EQUAL expected_count)
  refuse("${count} static assertions fail, not ${expected_count}" "${wrong_output}")
endif()
message("${wrong_output}")
