# SPDX-License-Identifier: Apache-2.0
# Two versions of the library in one program, linked from two translation units that each include
# one. The second is a copy with another number and another inline namespace; that each keeps its
# own functions is the namespace's doing, shown by a copy that has the same namespace.
include("${CMAKE_CURRENT_LIST_DIR}/common.cmake")

headers_of("${ROOT}/include" headers)
foreach(kind renamed same)
  foreach(header IN LISTS headers)
    file(READ "${ROOT}/include/${header}" text)
    if(kind STREQUAL "renamed")
      string(REPLACE "inline v0" "inline v1" text "${text}")
    endif()
    if(header STREQUAL "logitchain/core/config.hpp")
      string(REGEX REPLACE "(#define LOGITCHAIN_VERSION) [0-9]+" "\\1 90807" text "${text}")
    endif()
    file(WRITE "${WORK}/${kind}/${header}" "${text}")
  endforeach()
endforeach()

function(compile part include)
  run("${COMPILER}" ${strict} -ffp-contract=off "-I${include}" "-DREPORT=${part}" -c
      "${CMAKE_CURRENT_LIST_DIR}/report.cpp" -o "${WORK}/${part}.o")
endfunction()
run("${COMPILER}" ${strict} -c "${CMAKE_CURRENT_LIST_DIR}/two_reports.cpp" -o "${WORK}/main.o")
compile(first "${ROOT}/include")

set(first_line "logitchain ${VERSION}, draws 1 0 1 1")
set(second_line "logitchain 9.8.7, draws 1 0 1 1")
foreach(kind renamed same)
  compile(second "${WORK}/${kind}")
  run("${COMPILER}" "${WORK}/main.o" "${WORK}/first.o" "${WORK}/second.o" -o "${WORK}/${kind}.run"
      -pthread)
  run("${WORK}/${kind}.run")
  set(output_of_${kind} "${output}")
endforeach()
if(NOT output_of_renamed STREQUAL "${first_line}\n${second_line}\n")
  message(FATAL_ERROR "${output_of_renamed}was to be:\n${first_line}\n${second_line}\n")
endif()
if(output_of_same STREQUAL output_of_renamed)
  message(FATAL_ERROR "Two versions in one namespace are told apart: this test cannot fail")
endif()
