# SPDX-License-Identifier: Apache-2.0
# Without exceptions and run-time type information the consumer runs as ever, and an error calls the
# hook, then ends the program.
include("${CMAKE_CURRENT_LIST_DIR}/common.cmake")

set(flags -fno-exceptions -fno-rtti "-I${ROOT}/include" -ffp-contract=off)
compile_consumer(${flags})

set(program "${WORK}/refusal")
run("${COMPILER}" ${strict} ${flags} "${CMAKE_CURRENT_LIST_DIR}/refusal.cpp" -o "${program}"
    -pthread)
set(sentence "TopP: p is 1\\.3; it must be in ")
run("${program}" exit)
if(NOT output MATCHES "^the hook got: [^\n]*${sentence}")
  message(FATAL_ERROR "${output}\nwas to be the hook's line with '${sentence}'")
endif()
refused("^the hook got: .*logitchain: [^\n]*${sentence}" "${program}" return)
refused("^logitchain: [^\n]*${sentence}" "${program}" none)
