// SPDX-License-Identifier: Apache-2.0
// Transformers' processors as a contender: a Python process beside this one, asked for one step at
// a time, so that its steps take turns with ours. It waits in a read in between.
#pragma once

#include <cstdio>
#include <memory>
#include <string>

#include "../step/case.hpp"
#include "../step/contender.hpp"
#include "../step/logits.hpp"

namespace bench {

/// A process that answers lines with lines.
class TransformersProcess {
 public:
  /// Starts `python script` and waits until it is ready.
  /// @throws std::runtime_error with the reason where it does not get ready
  TransformersProcess(const std::string& python, const std::string& script);
  TransformersProcess(const TransformersProcess&) = delete;
  TransformersProcess& operator=(const TransformersProcess&) = delete;
  ~TransformersProcess();

  /// "transformers 5.16.1, torch ..., 1 thread"
  const std::string& versions() const { return versions_; }
  /// Sends a line and gives the answer's text behind its "ok ".
  /// @throws std::runtime_error with the answer where it is not "ok"
  std::string ask(const std::string& line);

 private:
  int pid_ = -1;
  std::FILE* to_ = nullptr;
  std::FILE* from_ = nullptr;
  std::string versions_;
};

/// Why Transformers cannot do this case; empty where it can.
std::string transformers_cannot(const Case& measured);

/// @param process, input must outlive the contender
std::unique_ptr<Contender> make_transformers(TransformersProcess& process, const Case& measured,
                                             const Input& input);

}  // namespace bench
