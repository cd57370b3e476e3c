# SPDX-License-Identifier: Apache-2.0
# Builds TARGET of the consumer with device code as a CMake project that takes the library in by
# WAY: find_package (from PREFIX) or add_subdirectory.
include("${CMAKE_CURRENT_LIST_DIR}/common.cmake")

set(configure
    "${CMAKE_COMMAND}" -G "${GENERATOR}" -S "${CMAKE_CURRENT_LIST_DIR}/cuda_consumer" "-DWAY=${WAY}"
    "-DCMAKE_CXX_COMPILER=${COMPILER}" "-DCMAKE_CUDA_COMPILER=${NVCC}"
    "-DCMAKE_CUDA_ARCHITECTURES=${ARCHITECTURE}" -DCMAKE_EXPORT_COMPILE_COMMANDS=ON)
if(WAY STREQUAL "find_package")
  list(APPEND configure "-DCMAKE_PREFIX_PATH=${PREFIX}")
else()
  list(APPEND configure "-DLOGITCHAIN_SOURCE=${ROOT}")
endif()
# What stands in for the runtime is found through LD_LIBRARY_PATH, which new tags leave in charge.
list(APPEND configure -DCMAKE_CUDA_RUNTIME_LIBRARY=Shared
     -DCMAKE_EXE_LINKER_FLAGS=-Wl,--enable-new-dtags)

run(${configure} -B "${WORK}/build")
run("${CMAKE_COMMAND}" --build "${WORK}/build" --target "${TARGET}")

# The level of the language comes once with the target, and none of the host compiler's flags does.
file(STRINGS "${WORK}/build/compile_commands.json" commands REGEX "\"command\".*\\.cu ")
foreach(command IN LISTS commands)
  string(REGEX MATCHALL " (-std=|-ffp)[^ ]*" flags "${command}")
  if(NOT flags STREQUAL " -std=c++20")
    message(FATAL_ERROR "The library brings '${flags}' to: ${command}")
  endif()
endforeach()
list(LENGTH commands count)
equal("Sources with device code" "${count}" 3)
