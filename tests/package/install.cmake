# SPDX-License-Identifier: Apache-2.0
# Installs the library, compares what lies there with include/, and moves the prefix to PREFIX.
include("${CMAKE_CURRENT_LIST_DIR}/common.cmake")

set(first "${WORK}/installed")
run("${CMAKE_COMMAND}" -G "${GENERATOR}" -S "${ROOT}" -B "${WORK}/build"
    "-DCMAKE_CXX_COMPILER=${COMPILER}" "-DCMAKE_INSTALL_PREFIX=${first}"
    -DCMAKE_INSTALL_DATADIR=share -DCMAKE_INSTALL_INCLUDEDIR=include
    -DLOGITCHAIN_BUILD_TESTS=OFF -DLOGITCHAIN_BUILD_EXAMPLES=OFF -DLOGITCHAIN_BUILD_BENCH=OFF)
run("${CMAKE_COMMAND}" --build "${WORK}/build")
run("${CMAKE_COMMAND}" --install "${WORK}/build")

headers_of("${ROOT}/include" headers)
list(TRANSFORM headers PREPEND "include/" OUTPUT_VARIABLE expected)
list(APPEND expected share/cmake/logitchain/logitchainConfig.cmake
     share/cmake/logitchain/logitchainConfigVersion.cmake
     share/cmake/logitchain/logitchainTargets.cmake share/pkgconfig/logitchain.pc
     share/doc/logitchain/LICENSE)
file(GLOB_RECURSE installed RELATIVE "${first}" "${first}/*")
equal("The installed files" "${installed}" "${expected}")
foreach(header IN LISTS headers)
  file(SHA256 "${ROOT}/include/${header}" ours)
  file(SHA256 "${first}/include/${header}" theirs)
  if(NOT ours STREQUAL theirs)
    message(FATAL_ERROR "${header} was changed by the installation")
  endif()
endforeach()
foreach(file IN LISTS installed)
  file(READ "${first}/${file}" text)
  foreach(folder "${first}" "${ROOT}")
    string(FIND "${text}" "${folder}" place)
    if(NOT place EQUAL -1)
      message(FATAL_ERROR "${file} names ${folder}: the prefix could not be moved")
    endif()
  endforeach()
endforeach()

file(REMOVE_RECURSE "${PREFIX}")
file(RENAME "${first}" "${PREFIX}")
file(REMOVE_RECURSE "${WORK}/build")
list(LENGTH headers count)
message("${count} headers installed, then moved")
