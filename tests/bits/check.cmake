# SPDX-License-Identifier: Apache-2.0
# Compiles tests/bits/PROGRAM.cpp with COMPILER and FLAGS, runs it, and compares what it prints with
# its section of expected.txt.
#   cmake -DCOMPILER=g++ -DFLAGS="-O3|-march=x86-64-v3" -DPROGRAM=arithmetic -DWORK=/tmp/bits
#         [-DWHOLE=1] [-DALLOWED="refused|noticed"] [-DUPDATE=1] -P check.cmake
#         [-DREMARK=regex]
# WHOLE: exp and log of every float. UPDATE: writes the section in place of comparing.
# REMARK: what the program must say on its error output.
# ALLOWED: what may come of these flags, one or more of
#   equal    the digests are the expected ones (the default, alone)
#   refused  the library's #error stops the compiler
#   noticed  the program stops because `arithmetic_fault` tells of one
cmake_minimum_required(VERSION 3.25)

get_filename_component(root "${CMAKE_CURRENT_LIST_DIR}/../.." ABSOLUTE)
set(expected_file "${CMAKE_CURRENT_LIST_DIR}/expected.txt")
string(REPLACE "|" ";" flags "${FLAGS}")
string(REPLACE "|" ";" allowed "${ALLOWED}")
if(NOT allowed)
  set(allowed equal)
endif()
set(section "${PROGRAM}")
set(arguments "")
if(WHOLE)
  string(APPEND section " --whole")
  set(arguments --whole)
endif()
set(ENV{LC_ALL} C)

if("-march=x86-64-v3" IN_LIST flags)
  set(here "")
  if(EXISTS /proc/cpuinfo)
    file(STRINGS /proc/cpuinfo here REGEX "^flags" LIMIT_COUNT 1)
  endif()
  foreach(feature avx2 fma bmi1 bmi2 f16c abm movbe)
    if(NOT here MATCHES " ${feature}( |$)")
      message("skipped: this processor has no ${feature}")
      return()
    endif()
  endforeach()
endif()

function(refuse reason output)
  message("${reason}\n${output}")
  string(REPLACE ";" " " flags "${flags}")
  message(FATAL_ERROR "${section} with ${COMPILER} ${flags}")
endfunction()
function(end outcome detail)
  if(NOT outcome IN_LIST allowed)
    string(REPLACE ";" " or " allowed "${allowed}")
    refuse("${outcome}, where it must be ${allowed}" "${detail}")
  endif()
  message("${outcome}: ${detail}")
endfunction()

file(MAKE_DIRECTORY "${WORK}")
set(program "${WORK}/${PROGRAM}")
execute_process(
  COMMAND "${COMPILER}" -std=c++20 ${flags} "-I${root}/include" "-I${root}/tests" -pthread
          "${CMAKE_CURRENT_LIST_DIR}/${PROGRAM}.cpp" -o "${program}"
  RESULT_VARIABLE result
  OUTPUT_VARIABLE output
  ERROR_VARIABLE output)
if(NOT result EQUAL 0)
  string(REGEX MATCH "logitchain: [^\n\"]*; compile [^\n\"]*" sentence "${output}")
  if(NOT sentence)
    refuse("does not compile" "${output}")
  endif()
  end(refused "${sentence}")
  return()
endif()

execute_process(COMMAND "${program}" ${arguments} RESULT_VARIABLE result OUTPUT_VARIABLE printed
                ERROR_VARIABLE remarks)
file(REMOVE "${program}")
if(result EQUAL 3 AND printed MATCHES "^noticed: ([^\n]*)\n$")
  end(noticed "${CMAKE_MATCH_1}")
  return()
endif()
if(NOT result EQUAL 0)
  refuse("ends with ${result}" "${printed}${remarks}")
endif()

# "# section", then its lines, up to the next "#" or the end.
file(READ "${expected_file}" expected)
if(NOT expected MATCHES "# ${section}\n([^#]*)")
  refuse("expected.txt has no section '# ${section}'" "")
endif()
set(wanted "${CMAKE_MATCH_1}")
if(UPDATE)
  string(REPLACE "# ${section}\n${wanted}" "# ${section}\n${printed}" expected "${expected}")
  file(WRITE "${expected_file}" "${expected}")
  message("written: ${section}")
  return()
endif()
if(NOT printed STREQUAL wanted)
  refuse("other bits than expected.txt has.\nprinted:\n${printed}expected:" "${wanted}")
endif()
if(REMARK AND NOT remarks MATCHES "${REMARK}")
  refuse("does not say '${REMARK}'" "${remarks}")
endif()
string(REGEX MATCHALL "\n" lines "${printed}")
list(LENGTH lines count)
end(equal "${count} digests\n${remarks}")
