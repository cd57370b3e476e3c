# SPDX-License-Identifier: Apache-2.0
# Fails where a source of the oracle includes anything of the library or of the other tests. The
# tests themselves (*_test.cpp) and chains/, which drives the library, are not the oracle.
file(GLOB sources "${FOLDER}/*.hpp" "${FOLDER}/*.cpp")
list(FILTER sources EXCLUDE REGEX "_test\\.cpp$")
list(LENGTH sources count)
if(count LESS 10)
  message(FATAL_ERROR "only ${count} sources of the oracle in ${FOLDER}")
endif()
foreach(source IN LISTS sources)
  file(STRINGS "${source}" lines REGEX "logitchain|# *include")
  foreach(line IN LISTS lines)
    if(line MATCHES "logitchain" OR (line MATCHES "\"" AND NOT line MATCHES "\"oracle/[a-z_]+\\.hpp\""))
      message(SEND_ERROR "${source}: ${line}")
    endif()
  endforeach()
endforeach()
