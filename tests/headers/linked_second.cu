// SPDX-License-Identifier: Apache-2.0
// Second of two translation units that include every header for nvcc and step the same chain.
#include "linked_both.cuh"

StepOfBoth step_of_second() { return &step_of_both; }
