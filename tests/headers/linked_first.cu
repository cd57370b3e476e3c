// SPDX-License-Identifier: Apache-2.0
// First of two translation units that include every header for nvcc and step the same chain.
#include "linked_both.cuh"

int main() { return step_of_second() == &step_of_both ? 0 : 1; }
