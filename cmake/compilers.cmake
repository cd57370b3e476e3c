# SPDX-License-Identifier: Apache-2.0
# The compilers that headers, error texts and packages are checked with, as far as they are here,
# whichever of them builds the tests: g++, clang++ and a clang of later years by its Debian name.

if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  set(LOGITCHAIN_GXX "${CMAKE_CXX_COMPILER}" CACHE FILEPATH "g++ for the checks")
elseif(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  set(LOGITCHAIN_CLANGXX "${CMAKE_CXX_COMPILER}" CACHE FILEPATH "clang++ for the checks")
endif()
find_program(LOGITCHAIN_GXX g++)
find_program(LOGITCHAIN_CLANGXX clang++)
find_program(LOGITCHAIN_CLANGXX_19 clang++-19)

set(LOGITCHAIN_COMPILER_NAMES g++ clang++ clang++-19)
set(LOGITCHAIN_PATH_OF_g++ "${LOGITCHAIN_GXX}")
set(LOGITCHAIN_PATH_OF_clang++ "${LOGITCHAIN_CLANGXX}")
set(LOGITCHAIN_PATH_OF_clang++-19 "${LOGITCHAIN_CLANGXX_19}")
set(LOGITCHAIN_CHECK_COMPILERS "")
foreach(name IN LISTS LOGITCHAIN_COMPILER_NAMES)
  if(LOGITCHAIN_PATH_OF_${name})
    list(APPEND LOGITCHAIN_CHECK_COMPILERS "${name}")
  else()
    message(STATUS "${name} is not here: the checks that need it are shown as disabled")
  endif()
endforeach()

# One check per compiler: a CMake script, run with -DCOMPILER and the arguments given. OTHERS leaves
# out the compiler of the build. The check of a compiler that is not here is shown as disabled.
function(logitchain_add_compiler_check name script)
  cmake_parse_arguments(PARSE_ARGV 2 check "OTHERS" "" "")
  foreach(compiler IN LISTS LOGITCHAIN_COMPILER_NAMES)
    set(path "${LOGITCHAIN_PATH_OF_${compiler}}")
    if(check_OTHERS AND path STREQUAL CMAKE_CXX_COMPILER)
      continue()
    endif()
    add_test(NAME "${name}.${compiler}"
             COMMAND "${CMAKE_COMMAND}" "-DCOMPILER=${path}" ${check_UNPARSED_ARGUMENTS} -P
                     "${script}")
    set_tests_properties("${name}.${compiler}" PROPERTIES LABELS host TIMEOUT 600)
    if(NOT compiler IN_LIST LOGITCHAIN_CHECK_COMPILERS)
      set_tests_properties("${name}.${compiler}" PROPERTIES DISABLED TRUE)
    endif()
  endforeach()
endfunction()
