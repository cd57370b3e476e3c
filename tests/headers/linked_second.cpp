// SPDX-License-Identifier: Apache-2.0
// Second of two translation units that include every header.
#include "everything.hpp"

int version_seen_by_second();

int version_seen_by_second() { return LOGITCHAIN_VERSION; }
