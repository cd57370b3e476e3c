# SPDX-License-Identifier: Apache-2.0
# Compiles each of SOURCES with COMPILER, without output. SYNTAX_ONLY is what asks for that where it
# is not -fsyntax-only.
#   cmake -DCOMPILER=clang++ -DFLAGS="-std=c++20|-Iinclude" -DSOURCES="a.cpp|b.cpp" -P alone.cmake
cmake_minimum_required(VERSION 3.25)

if(NOT SYNTAX_ONLY)
  set(SYNTAX_ONLY -fsyntax-only)
endif()
string(REPLACE "|" ";" syntax_only "${SYNTAX_ONLY}")
string(REPLACE "|" ";" flags "${FLAGS}")
string(REPLACE "|" ";" sources "${SOURCES}")
set(failed 0)
foreach(source IN LISTS sources)
  execute_process(COMMAND "${COMPILER}" ${flags} ${syntax_only} "${source}"
                  RESULT_VARIABLE result ERROR_VARIABLE output OUTPUT_VARIABLE output)
  if(NOT result EQUAL 0)
    math(EXPR failed "${failed} + 1")
  endif()
  if(output)
    message("${output}")
  endif()
endforeach()
list(LENGTH sources count)
if(failed GREATER 0 OR count EQUAL 0)
  message(FATAL_ERROR "${failed} of ${count} headers do not compile alone with ${COMPILER}")
endif()
message("${count} headers compile alone with ${COMPILER}")
