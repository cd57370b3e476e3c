# SPDX-License-Identifier: Apache-2.0
# Looks through the PTX in programs for atomic operations of 64 bits on shared memory, which are a
# loop in hardware. One on an address of no stated space counts as well, for it may be such a one:
# what is meant for global memory has to say so in the PTX.
#   cmake "-DPROGRAMS=a|b" -P shared_atomics.cmake
#   cmake -DNVCC=nvcc -DPLANTED=wide_atomics.cu -DWORK=/tmp/planted -P shared_atomics.cmake
# Programs are compiled with --no-compress. PLANTED is compiled here, and just what its lines
# `// expected: "operation"` name must be found in it.
cmake_minimum_required(VERSION 3.25)

if(PLANTED)
  file(MAKE_DIRECTORY "${WORK}")
  set(PROGRAMS "${WORK}/planted.o")
  execute_process(COMMAND "${NVCC}" -std=c++20 -gencode arch=compute_90,code=compute_90
                          --no-compress -c "${PLANTED}" -o "${PROGRAMS}" COMMAND_ERROR_IS_FATAL ANY)
endif()

string(REPLACE "|" ";" programs "${PROGRAMS}")
set(found "")
set(kernels 0)
set(narrow 0)
foreach(program IN LISTS programs)
  get_filename_component(name "${program}" NAME)
  file(STRINGS "${program}" lines
       REGEX "\\.visible \\.entry |(^|[^a-z_.%])(atom|red)\\.[a-z0-9:_.]+[ \t]")
  set(kernels_here 0)
  foreach(line IN LISTS lines)
    if(line MATCHES "\\.visible \\.entry ")
      math(EXPR kernels_here "${kernels_here} + 1")
    elseif(line MATCHES "(^|[^a-z_.%])((atom|red)\\.[a-z0-9:_.]+)[ \t]")
      set(operation "${CMAKE_MATCH_2}")
      if(NOT operation MATCHES "\\.([usbf]64|b128)(\\.|$)")
        math(EXPR narrow "${narrow} + 1")
      elseif(NOT operation MATCHES "\\.global\\.")
        list(APPEND found "${operation}")
        message("${name}: ${operation}")
      endif()
    endif()
  endforeach()
  if(kernels_here EQUAL 0)
    message(FATAL_ERROR "${name} has no PTX that can be read: it is to be compiled with "
                        "--no-compress, for a virtual architecture as well")
  endif()
  math(EXPR kernels "${kernels} + ${kernels_here}")
endforeach()
if(narrow EQUAL 0)
  message(FATAL_ERROR "no atomic operation at all in ${kernels} kernels: the search sees nothing")
endif()

set(expected "")
if(PLANTED)
  file(STRINGS "${PLANTED}" lines REGEX "^// expected: \"")
  foreach(line IN LISTS lines)
    string(REGEX REPLACE "^// expected: \"(.*)\"$" "\\1" operation "${line}")
    list(APPEND expected "${operation}")
  endforeach()
endif()
list(SORT found)
list(SORT expected)
if(NOT found STREQUAL expected)
  message(FATAL_ERROR "64-bit atomic operations on shared memory: '${found}', not '${expected}'")
endif()
message("${kernels} kernels, ${narrow} atomic operations of fewer bits")
