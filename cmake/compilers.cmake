# SPDX-License-Identifier: Apache-2.0
# The compilers that headers and error texts are checked with: g++ and clang++, as far as they are
# here, whichever of them builds the tests.

if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  set(LOGITCHAIN_GXX "${CMAKE_CXX_COMPILER}" CACHE FILEPATH "g++ for the checks")
elseif(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  set(LOGITCHAIN_CLANGXX "${CMAKE_CXX_COMPILER}" CACHE FILEPATH "clang++ for the checks")
endif()
find_program(LOGITCHAIN_GXX g++)
find_program(LOGITCHAIN_CLANGXX clang++)

set(LOGITCHAIN_CHECK_COMPILERS "")
foreach(compiler LOGITCHAIN_GXX LOGITCHAIN_CLANGXX)
  string(REPLACE "LOGITCHAIN_GXX" "g++" name "${compiler}")
  string(REPLACE "LOGITCHAIN_CLANGXX" "clang++" name "${name}")
  if(${compiler})
    list(APPEND LOGITCHAIN_CHECK_COMPILERS "${name}")
    set(LOGITCHAIN_PATH_OF_${name} "${${compiler}}")
  else()
    message(STATUS "${name} is not here: the checks that need it are shown as disabled")
  endif()
endforeach()

# One check per compiler: a CMake script, run with -DCOMPILER and the arguments given. OTHERS leaves
# out the compiler of the build. The check of a compiler that is not here is shown as disabled.
function(logitchain_add_compiler_check name script)
  cmake_parse_arguments(PARSE_ARGV 2 check "OTHERS" "" "")
  foreach(compiler g++ clang++)
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
