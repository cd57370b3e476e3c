# SPDX-License-Identifier: Apache-2.0
# Compiles device_bodies.cu to PTX with --use_fast_math and looks for operations on floats that the
# flag reaches: there must be none, and with PLAIN_OPERATORS each of the plain ones is found.
#   cmake -DNVCC=nvcc -DWORK=/tmp/bits -P device.cmake
cmake_minimum_required(VERSION 3.25)

get_filename_component(root "${CMAKE_CURRENT_LIST_DIR}/../.." ABSOLUTE)
file(MAKE_DIRECTORY "${WORK}")

# Lines outside of inline assembly that compute with floats, loads and moves apart. Conversions from
# integers have no subnormal results.
function(find_reached definition result)
  set(ptx "${WORK}/bodies${definition}.ptx")
  # Warnings are about host code in functions for both sides, which no kernel here reaches.
  execute_process(
    COMMAND "${NVCC}" -w -std=c++20 -arch=sm_90 --use_fast_math ${definition} "-I${root}/include"
            -ptx "${CMAKE_CURRENT_LIST_DIR}/device_bodies.cu" -o "${ptx}"
    RESULT_VARIABLE failed
    OUTPUT_VARIABLE output
    ERROR_VARIABLE output)
  if(failed)
    message("${output}")
    message(FATAL_ERROR "device_bodies.cu does not compile")
  endif()
  file(STRINGS "${ptx}" lines REGEX "f32|inline asm|\\.ftz|\\.entry")
  set(inside FALSE)
  set(found "")
  set(kernels 0)
  foreach(line IN LISTS lines)
    if(line MATCHES "begin inline asm")
      set(inside TRUE)
    elseif(line MATCHES "end inline asm")
      set(inside FALSE)
    elseif(line MATCHES "\\.entry")
      math(EXPR kernels "${kernels} + 1")
    elseif(inside)
      continue()
    elseif(line MATCHES "^[ \t]*(mov|selp|cvt\\.rn\\.f32\\.[su](32|64)|(ld|st)\\.[a-z0-9.]*)[. ]")
      continue()
    elseif(line MATCHES "^[ \t]*([a-z][a-z0-9.]*\\.(ftz|f32)[a-z0-9.]*)[ \t]")
      list(APPEND found "${CMAKE_MATCH_1}")
    endif()
  endforeach()
  if(kernels LESS 29)
    message(FATAL_ERROR "only ${kernels} kernels in ${ptx}")
  endif()
  set(${result} "${found}" PARENT_SCOPE)
endfunction()

find_reached("" found)
if(found)
  message(FATAL_ERROR "--use_fast_math reaches code for both sides: ${found}. Operations on floats "
                      "go through core/arithmetic.hpp")
endif()
find_reached("-DPLAIN_OPERATORS" found)
list(SORT found)
if(NOT found STREQUAL "add.ftz.f32;cvt.ftz.f64.f32;div.approx.ftz.f32;setp.lt.ftz.f32")
  message(FATAL_ERROR "the search does not see the four plain operations: ${found}")
endif()
message("no operation on floats that --use_fast_math reaches")
