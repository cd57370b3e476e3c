# SPDX-License-Identifier: Apache-2.0
# Makes the single header, compares it with include/, and compiles the consumer with nothing else.
include("${CMAKE_CURRENT_LIST_DIR}/common.cmake")

set(script "${ROOT}/cmake/single_header.cmake")
set(single "${WORK}/alone/logitchain/logitchain.hpp")
run("${CMAKE_COMMAND}" "-DROOT=${ROOT}/include" "-DOUTPUT=${single}" -P "${script}")

# Every header is in it once, and every include of the standard library.
file(STRINGS "${single}" parts REGEX "^// ==== ")
list(TRANSFORM parts REPLACE "^// ==== " "")
headers_of("${ROOT}/include" headers)
list(FILTER headers EXCLUDE REGEX "\\.cuh$|^logitchain/engine/cuda/")
equal("The parts of the single header" "${parts}" "${headers}")
file(STRINGS "${single}" includes REGEX "^[ \t]*#[ \t]*include")
set(once ${includes})
list(REMOVE_DUPLICATES once)
equal("Its includes" "${includes}" "${once}")
list(FILTER includes INCLUDE REGEX "logitchain")
equal("Its includes of the library" "${includes}" "")
file(STRINGS "${single}" guards REGEX "^#pragma once")
equal("Its guard" "${guards}" "#pragma once")

# Another place gives the same bytes.
file(COPY "${ROOT}/include" DESTINATION "${WORK}/elsewhere")
run("${CMAKE_COMMAND}" -DROOT=elsewhere/include "-DOUTPUT=${WORK}/again.hpp" -P "${script}")
file(SHA256 "${single}" one)
file(SHA256 "${WORK}/again.hpp" other)
equal("The digest of a second one" "${other}" "${one}")

file(GLOB_RECURSE alone RELATIVE "${WORK}/alone" "${WORK}/alone/*")
equal("The folder of the single header" "${alone}" "logitchain/logitchain.hpp")
compile_consumer("-I${WORK}/alone" -ffp-contract=off)

# Twice is as good as once; a copy beside it is refused by name.
file(WRITE "${WORK}/twice.cpp"
     "#include <logitchain/logitchain.hpp>\n#include <logitchain/logitchain.hpp>\n")
run("${COMPILER}" ${strict} "-I${WORK}/alone" -fsyntax-only "${WORK}/twice.cpp")
file(WRITE "${WORK}/copies.cpp"
     "#include <logitchain/logitchain.hpp>\n// A copy.\n#include \"again.hpp\"\n")
file(APPEND "${WORK}/again.hpp" "\n")
refused("another copy was included before it" "${COMPILER}" -std=c++20 "-I${WORK}/alone"
        -fsyntax-only "${WORK}/copies.cpp")
