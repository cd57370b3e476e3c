# SPDX-License-Identifier: Apache-2.0
# Compiles the consumer with the flags that pkg-config tells.
include("${CMAKE_CURRENT_LIST_DIR}/common.cmake")

set(ENV{PKG_CONFIG_PATH} "${PREFIX}/share/pkgconfig")
run("${PKG_CONFIG}" --modversion logitchain)
string(STRIP "${output}" version)
equal("The version" "${version}" "${VERSION}")
refused("9" "${PKG_CONFIG}" --print-errors "logitchain >= 9")

run("${PKG_CONFIG}" --cflags --libs logitchain)
separate_arguments(flags UNIX_COMMAND "${output}")
if(NOT "-ffp-contract=off" IN_LIST flags)
  message(FATAL_ERROR "pkg-config does not switch contraction off: ${flags}")
endif()
compile_consumer(${flags})
