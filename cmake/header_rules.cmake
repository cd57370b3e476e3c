# SPDX-License-Identifier: Apache-2.0
# Holds every header to its head and to the library's macros.
#   cmake -DROOT=include -P cmake/header_rules.cmake
# ROOT is the folder that holds logitchain/. Names each violation as file and fails.
cmake_minimum_required(VERSION 3.25)
get_filename_component(ROOT "${ROOT}" ABSOLUTE)

set(macros LOGITCHAIN_HD LOGITCHAIN_VERSION)

set(violations 0)
macro(violation text)
  math(EXPR violations "${violations} + 1")
  message("logitchain/${file}: ${text}")
endmacro()

file(GLOB_RECURSE files RELATIVE "${ROOT}/logitchain" "${ROOT}/logitchain/*.hpp"
     "${ROOT}/logitchain/*.cuh")
list(LENGTH files count)
if(count EQUAL 0)
  message(FATAL_ERROR "no headers below '${ROOT}/logitchain'")
endif()

foreach(file IN LISTS files)
  file(READ "${ROOT}/logitchain/${file}" text)
  string(REGEX REPLACE "[][;\\\\]" " " text "${text}")
  if(NOT text MATCHES "^// SPDX-License-Identifier: Apache-2.0\n// [^\n]+")
    violation("begins with the licence line and a sentence that says what it is")
  endif()
  if(NOT text MATCHES "\n#pragma once\n")
    violation("has no '#pragma once'")
  endif()
  string(REGEX MATCHALL "(^|\n)[ \t]*#[ \t]*define[ \t]+[A-Za-z_0-9]+" defines "${text}")
  foreach(define IN LISTS defines)
    string(REGEX REPLACE ".*[ \t]" "" name "${define}")
    if(NOT name IN_LIST macros)
      violation("defines ${name}; the library's macros are: ${macros}")
    endif()
  endforeach()
endforeach()

if(violations GREATER 0)
  message(FATAL_ERROR "${violations} headers break the rules of CONTRIBUTING.md")
endif()
message("${count} headers keep the rules")
