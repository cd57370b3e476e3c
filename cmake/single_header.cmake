# SPDX-License-Identifier: Apache-2.0
# Writes the host half of the library as one header.
#   cmake -DROOT=include -DOUTPUT=FOLDER/logitchain/logitchain.hpp -P cmake/single_header.cmake
# ROOT is the folder that holds logitchain/. With FOLDER on the include path, a program that says
# #include <logitchain/logitchain.hpp> needs nothing else. Equal headers give equal bytes.
cmake_minimum_required(VERSION 3.25)
get_filename_component(ROOT "${ROOT}" ABSOLUTE)
set(door "logitchain/logitchain.hpp")
if(NOT EXISTS "${ROOT}/${door}" OR NOT OUTPUT)
  message(FATAL_ERROR "single_header: -DROOT is the folder of ${door}, -DOUTPUT the file to write")
endif()

set(licence "// SPDX-License-Identifier: Apache-2.0\n")
set(seen "")
set(standard "")
set(body "")

# Appends a header to `body`, behind all that it includes. The includes stand between the file's
# head and its first other line of code; one further down could depend on an #if, and is refused.
function(append header)
  if(header IN_LIST seen)
    return()
  endif()
  list(APPEND seen "${header}")
  file(READ "${ROOT}/${header}" text)
  if(NOT text MATCHES "^${licence}" OR NOT text MATCHES "\n#pragma once\n")
    message(FATAL_ERROR "single_header: ${header} lacks its licence line or '#pragma once'")
  endif()
  string(REPLACE "${licence}" "" text "${text}")
  string(REPLACE "\n#pragma once\n" "\n" text "${text}")

  string(REGEX MATCH "^(//[^\n]*\n|#include <[^>]+>\n|\n)*" front "${text}")
  string(LENGTH "${front}" length)
  string(SUBSTRING "${text}" ${length} -1 code)
  if(code MATCHES "(^|\n)[ \t]*#[ \t]*include")
    message(FATAL_ERROR "single_header: ${header} has an include among its code")
  endif()
  string(REGEX MATCHALL "\n#include <[^>]+>" includes "${front}")
  foreach(include IN LISTS includes)
    string(REGEX REPLACE "^\n#include <([^>]+)>$" "\\1" include "${include}")
    if(include MATCHES "^logitchain/")
      append("${include}")
    else()
      list(APPEND standard "${include}")
    endif()
  endforeach()

  string(REGEX REPLACE "\n#include <[^>]+>" "" front "${front}")
  string(REGEX REPLACE "\n\n+" "\n\n" front "${front}")
  string(APPEND body "\n// ==== ${header}\n${front}${code}")
  set(seen "${seen}" PARENT_SCOPE)
  set(standard "${standard}" PARENT_SCOPE)
  set(body "${body}" PARENT_SCOPE)
endfunction()
append("${door}")

file(READ "${ROOT}/logitchain/core/config.hpp" config)
if(NOT config MATCHES "#define LOGITCHAIN_VERSION ([0-9]+)\n")
  message(FATAL_ERROR "single_header: core/config.hpp does not say LOGITCHAIN_VERSION")
endif()
set(number "${CMAKE_MATCH_1}")
math(EXPR major "${number} / 10000")
math(EXPR minor "${number} / 100 % 100")
math(EXPR patch "${number} % 100")

list(REMOVE_DUPLICATES standard)
list(SORT standard)
list(TRANSFORM standard REPLACE "(.+)" "#include <\\1>")
list(JOIN standard "\n" standard)

set(head "${licence}")
string(APPEND head "// Logitchain ${major}.${minor}.${patch}, the host half, in one header.\n"
  "// Written by cmake/single_header.cmake: <${door}> and what it includes.\n"
  "#pragma once\n\n"
  "#if defined(LOGITCHAIN_VERSION)\n"
  "#error \"logitchain: this file is the whole library, and another copy was included before it\"\n"
  "#endif\n\n"
  "${standard}\n")
file(WRITE "${OUTPUT}" "${head}${body}")
list(LENGTH seen count)
message("${count} headers in ${OUTPUT}")
