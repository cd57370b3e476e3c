// SPDX-License-Identifier: Apache-2.0
// Prints what each of two versions of the library reports.
#include <cstdio>
#include <string>

std::string first();
std::string second();

int main() { std::printf("%s\n%s\n", first().c_str(), second().c_str()); }
