# SPDX-License-Identifier: Apache-2.0
# The front door must not compile under flags that take away infinities and NaN, and must say why:
# cmake -DCOMPILER=g++ -DINCLUDE=include -P tests/bad_input/fast_math.cmake
set(ENV{LC_ALL} C)
foreach(flag -ffast-math -Ofast -ffinite-math-only)
  execute_process(
    COMMAND "${COMPILER}" -std=c++20 "-I${INCLUDE}" -O1 ${flag} -fsyntax-only -x c++
            "${INCLUDE}/logitchain/logitchain.hpp"
    RESULT_VARIABLE result
    OUTPUT_VARIABLE output
    ERROR_VARIABLE output)
  if(result EQUAL 0)
    message(FATAL_ERROR "${COMPILER} ${flag} compiles the library")
  endif()
  if(NOT output MATCHES "logitchain: -ffast-math")
    message(FATAL_ERROR "${COMPILER} ${flag} does not say why:\n${output}")
  endif()
endforeach()
