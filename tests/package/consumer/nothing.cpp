// SPDX-License-Identifier: Apache-2.0
// Compiled with and without the library's target, to see what flags the target brings.
