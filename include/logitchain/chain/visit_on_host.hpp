// SPDX-License-Identifier: Apache-2.0
// A stage's parameters shown to a visitor that only the host has.
#pragma once

#include <logitchain/chain/stage.hpp>
#include <logitchain/core/config.hpp>

namespace logitchain::inline v0::detail {

/// Stands between `parameters`, which kernels call as well, and a visitor that throws, writes text,
/// or allocates. nvcc would warn of each such call; here is the one place where it is told that
/// they happen on the host.
template <class Visitor>
struct HostVisitor {
  Visitor& to;

#if defined(__CUDACC__)
#pragma nv_exec_check_disable
#endif
  template <class... Arguments>
  LOGITCHAIN_HD void number(Arguments... arguments) {
    to.number(arguments...);
  }
#if defined(__CUDACC__)
#pragma nv_exec_check_disable
#endif
  template <class... Arguments>
  LOGITCHAIN_HD void token_id(Arguments... arguments) {
    to.token_id(arguments...);
  }
#if defined(__CUDACC__)
#pragma nv_exec_check_disable
#endif
  template <class... Arguments>
  LOGITCHAIN_HD void tokens(Arguments... arguments) {
    to.tokens(arguments...);
  }
#if defined(__CUDACC__)
#pragma nv_exec_check_disable
#endif
  template <class... Arguments>
  LOGITCHAIN_HD void table(Arguments... arguments) {
    to.table(arguments...);
  }
};

/// Calls `visitor` for each number, list and table of a stage that names them.
template <class Stage, class Visitor>
void visit_on_host(const Stage& stage, Visitor& visitor) {
  HostVisitor<Visitor> visit{visitor};
  visit_parameters(stage, visit);
}

}  // namespace logitchain::inline v0::detail
