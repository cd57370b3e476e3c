# SPDX-License-Identifier: Apache-2.0
# Builds and runs the consumer as a CMake project that takes the library in by WAY:
# find_package (from PREFIX), add_subdirectory or fetch_content (from a repository made here).
include("${CMAKE_CURRENT_LIST_DIR}/common.cmake")

set(build "${WORK}/build")
set(configure "${CMAKE_COMMAND}" -G "${GENERATOR}" -S "${consumer_dir}" "-DWAY=${WAY}"
              "-DCMAKE_CXX_COMPILER=${COMPILER}" -DCMAKE_EXPORT_COMPILE_COMMANDS=ON)

if(WAY STREQUAL "find_package")
  list(APPEND configure "-DCMAKE_PREFIX_PATH=${PREFIX}")
  foreach(version 9 0.2 "${VERSION}.1")
    refused("version: ${VERSION}" ${configure} -B "${WORK}/refused" "-DWANTED_VERSION=${version}")
  endforeach()
elseif(WAY STREQUAL "add_subdirectory")
  list(APPEND configure "-DLOGITCHAIN_SOURCE=${ROOT}")
elseif(WAY STREQUAL "fetch_content")
  # A repository of the files as they lie here, committed or not, and of no more than is needed.
  foreach(variable GIT_DIR GIT_WORK_TREE GIT_INDEX_FILE)
    unset(ENV{${variable}})
  endforeach()
  set(repository "${WORK}/repository")
  file(COPY "${ROOT}/CMakeLists.txt" "${ROOT}/LICENSE" "${ROOT}/cmake" "${ROOT}/include"
       DESTINATION "${repository}")
  set(git "${GIT}" -C "${repository}")
  run(${git} init -q)
  run(${git} add -A)
  run(${git} -c user.name=consumer -c user.email=consumer@localhost -c commit.gpgsign=false commit
      -q -m snapshot)
  run(${git} rev-parse HEAD)
  string(STRIP "${output}" commit)
  list(APPEND configure "-DLOGITCHAIN_REPOSITORY=file://${repository}"
       "-DLOGITCHAIN_COMMIT=${commit}")
endif()

run(${configure} -B "${build}")
run("${CMAKE_COMMAND}" --build "${build}")
run_consumer("${build}/consumer")

# ---- flags: contraction off and a level of the language where the library is linked, and no more
file(READ "${build}/compile_commands.json" commands)
string(JSON count LENGTH "${commands}")
math(EXPR last "${count} - 1")
foreach(i RANGE ${last})
  string(JSON command GET "${commands}" ${i} command)
  if(command MATCHES "CMakeFiles/(linked|unlinked)\\.dir")
    set(target "${CMAKE_MATCH_1}")
    separate_arguments(arguments UNIX_COMMAND "${command}")
    list(FILTER arguments INCLUDE REGEX "^-")
    list(FILTER arguments EXCLUDE REGEX "^-(I|isystem|c$|o$)")
    set(flags_of_${target} "${arguments}")
    set(command_of_${target} "${command}")
  endif()
endforeach()
if(NOT command_of_unlinked OR command_of_unlinked MATCHES "logitchain/include|${PREFIX}/include")
  message(FATAL_ERROR "A target that has nothing to do with the library: ${command_of_unlinked}")
endif()
set(brought ${flags_of_linked})
list(REMOVE_ITEM brought ${flags_of_unlinked} -)
equal("Flags that the library brings" "${brought}" "-ffp-contract=off;-std=gnu++20")

# ---- installation of the consumer: a subproject adds nothing of its own unless it is told to
file(GLOB_RECURSE nothing "${WORK}/prefix*/*")
equal("The prefix before" "${nothing}" "")
run("${CMAKE_COMMAND}" --install "${build}" --prefix "${WORK}/prefix")
file(GLOB_RECURSE installed RELATIVE "${WORK}/prefix" "${WORK}/prefix/*")
equal("What the consumer installs" "${installed}" "bin/consumer")
if(WAY STREQUAL "add_subdirectory")
  run(${configure} -B "${build}" -DLOGITCHAIN_INSTALL=ON)
  run("${CMAKE_COMMAND}" --install "${build}" --prefix "${WORK}/prefix_on")
  headers_of("${ROOT}/include" expected)
  headers_of("${WORK}/prefix_on/include" installed)
  equal("Headers with LOGITCHAIN_INSTALL" "${installed}" "${expected}")
endif()
