// SPDX-License-Identifier: Apache-2.0
// First of two translation units that include every header.
#include "everything.hpp"

static_assert(LOGITCHAIN_VERSION == LOGITCHAIN_PROJECT_VERSION,
              "core/config.hpp and CMakeLists.txt name different versions");

int version_seen_by_second();

int main() { return version_seen_by_second() == LOGITCHAIN_VERSION ? 0 : 1; }
