// SPDX-License-Identifier: Apache-2.0
// Whatever can do the step of a case: ours, the floor, a peer.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace bench {

/// A token that the chain leaves, and its score in front of the draw.
struct Survivor {
  std::int32_t token;
  float score;
};

/// Seconds that steps took, where a contender's work is done in another process.
struct Clocks {
  double wall;
  double cpu;
};

class Contender {
 public:
  Contender() = default;
  Contender(const Contender&) = delete;
  Contender& operator=(const Contender&) = delete;
  virtual ~Contender() = default;

  /// The row begins anew with the case's history. Not timed.
  virtual void restart() {}
  /// Whether `prepare` is to be called, untimed, before each step.
  virtual bool prepares() const { return false; }
  virtual void prepare() {}
  /// Transforms, draw, commit.
  virtual void step() = 0;

  /// True where `step` measures itself; the time of the last step is then `clocks()`.
  virtual bool measures_itself() const { return false; }
  virtual Clocks clocks() const { return {}; }

  /// True where `survivors` has an answer.
  virtual bool shows_survivors() const { return false; }
  /// What a row that has just been restarted keeps, in any order.
  virtual std::vector<Survivor> survivors() { return {}; }

  /// What went wrong in the steps since the last restart; empty if nothing did.
  virtual std::string fault() const { return {}; }
};

}  // namespace bench
