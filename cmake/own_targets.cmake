# SPDX-License-Identifier: Apache-2.0
# What the repository's own tests, examples and benchmarks are built with. None of it reaches a
# project that uses the library.

option(LOGITCHAIN_WERROR "Warnings are errors in the repository's own targets" OFF)
set(LOGITCHAIN_SANITIZE "" CACHE STRING
    "Sanitizers of the repository's own targets, a list: address;undefined, or thread")
set(LOGITCHAIN_ARCH_FLAGS "" CACHE STRING
    "Architecture flags of the repository's own targets; AUTO: x86-64-v3 where this machine has it")

# Plain C++20, without the compiler's extensions.
set(CMAKE_CXX_EXTENSIONS OFF)

set(LOGITCHAIN_WARNING_FLAGS -Wall -Wextra -Wconversion -Wshadow)
if(LOGITCHAIN_WERROR)
  list(APPEND LOGITCHAIN_WARNING_FLAGS -Werror)
endif()

# AUTO asks the machine, because an illegal instruction is no way to learn that a virtual machine
# hides AVX2.
set(logitchain_arch_flags ${LOGITCHAIN_ARCH_FLAGS})
if(LOGITCHAIN_ARCH_FLAGS STREQUAL "AUTO")
  set(logitchain_arch_flags "")
  if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64|amd64)$")
    set(logitchain_arch_flags -march=x86-64-v3)
    if(EXISTS /proc/cpuinfo AND NOT CMAKE_CROSSCOMPILING)
      file(STRINGS /proc/cpuinfo logitchain_cpu_flags REGEX "^flags" LIMIT_COUNT 1)
      foreach(feature avx2 fma bmi1 bmi2 f16c abm movbe)
        if(NOT logitchain_cpu_flags MATCHES " ${feature}( |$)")
          message(STATUS "This processor has no ${feature}: built for its baseline")
          set(logitchain_arch_flags "")
          break()
        endif()
      endforeach()
    endif()
  endif()
endif()
message(STATUS "Architecture flags: '${logitchain_arch_flags}'")

# Warnings apart from the rest: the sanitized leg of the tests has its own sanitizers and no
# architecture flags.
add_library(logitchain_warnings INTERFACE)
target_compile_options(logitchain_warnings INTERFACE ${LOGITCHAIN_WARNING_FLAGS})
target_link_libraries(logitchain_warnings INTERFACE logitchain::logitchain)

add_library(logitchain_own INTERFACE)
target_compile_options(logitchain_own INTERFACE ${logitchain_arch_flags})
target_link_libraries(logitchain_own INTERFACE logitchain_warnings)
if(LOGITCHAIN_SANITIZE)
  list(JOIN LOGITCHAIN_SANITIZE "," logitchain_sanitizers)
  target_compile_options(
    logitchain_own INTERFACE -fsanitize=${logitchain_sanitizers} -fno-sanitize-recover=all
                             -fno-omit-frame-pointer -g1 -O1)
  target_link_options(logitchain_own INTERFACE -fsanitize=${logitchain_sanitizers})
endif()

if(PROJECT_IS_TOP_LEVEL)
  if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
    set(CMAKE_BUILD_TYPE Release)
  endif()
  # The sloppiness is what ccache needs to take part in a build with precompiled headers; base
  # folder and NOHASHDIR let two clones share what they compile.
  find_program(LOGITCHAIN_CCACHE ccache)
  if(LOGITCHAIN_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
    set(CMAKE_CXX_COMPILER_LAUNCHER
        "${CMAKE_COMMAND}" -E env "CCACHE_BASEDIR=${PROJECT_SOURCE_DIR}"
        "CCACHE_NOHASHDIR=1" "CCACHE_SLOPPINESS=pch_defines,time_macros" "${LOGITCHAIN_CCACHE}")
    set(CMAKE_CUDA_COMPILER_LAUNCHER ${CMAKE_CXX_COMPILER_LAUNCHER})
  endif()
endif()
