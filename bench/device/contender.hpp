// SPDX-License-Identifier: Apache-2.0
// What a contender of a group is: calls that a graph captures, and a check of what they did.
#pragma once

#include <memory>
#include <string>

#include <cuda_runtime_api.h>

#include "case.hpp"

namespace device_bench {

/// The token that ends a row; no chain draws it here.
inline constexpr int END = 2;
/// Tokens of a row's prompt, and those that it may generate: more than are replayed between two
/// admissions.
inline constexpr int PROMPT = 600;
inline constexpr int BUDGET = 256;

class Contender {
 public:
  Contender() = default;
  Contender(const Contender&) = delete;
  Contender& operator=(const Contender&) = delete;
  virtual ~Contender() = default;

  /// Puts what one step is on the stream; captured once.
  virtual void enqueue() = 0;
  /// Brings everything to where the first step finds it; not timed.
  virtual void restart() {}
  /// What was wrong with the steps since the last restart; empty: nothing. Waits for the stream.
  virtual std::string fault(int steps) = 0;
};

/// What contenders of a group share.
struct Setup {
  Group group;
  Shape shape = Shape::none;
  const void* logits = nullptr;  ///< [items, vocab] in device memory
  cudaStream_t stream = nullptr;
  /// Exclusive or of the 32-bit words of the logits.
  unsigned words = 0;
};

std::unique_ptr<Contender> make_greedy(const Setup& setup);
std::unique_ptr<Contender> make_long(const Setup& setup);
std::unique_ptr<Contender> make_temperature(const Setup& setup);
std::unique_ptr<Contender> make_top_p(const Setup& setup);
/// An empty kernel.
std::unique_ptr<Contender> make_launch(const Setup& setup);
/// A kernel that reads every logit once and does nothing else.
std::unique_ptr<Contender> make_read(const Setup& setup);

/// Which FlashInfer the program was built with; empty: none.
std::string flashinfer_built_with();
/// Its softmax, and the sampler that comes nearest to the chain: `long`, `temperature`, `top_p`.
std::unique_ptr<Contender> make_flashinfer(const std::string& chain, const Setup& setup);

/// @throws runtime_error for a case that there is not
std::unique_ptr<Contender> make_contender(const Case& measured, const Setup& setup);

/// Reads memory once on the stream: `bytes` is a multiple of 16.
void read_memory(const void* memory, std::size_t bytes, unsigned* words, cudaStream_t stream);

}  // namespace device_bench
