// SPDX-License-Identifier: Apache-2.0
// Empty: the source that the tests' precompiled header is made with.
