// SPDX-License-Identifier: Apache-2.0
// Runs one chain on each shape of the table, a marked step each, and says which: what was counted
// between the marks is counts.py's to read.
#pragma once

#include <cstdint>
#include <random>
#include <vector>

#include <logitchain/logitchain.cuh>

#include "counts/logits.cuh"

namespace counts {

using namespace logitchain;

template <class ChainType>
void run_case(const char* name, const ChainType& chain, DType type, std::int64_t items,
              std::int64_t vocab, CudaOptions options = {.residence = Residence::resident}) {
  const cuda_engine engine(nullptr, options);
  const auto stop = criterion(EndOfSequence{2}, MaxNewTokens{100});
  StepState state(engine, {.rows = items, .capacity = 1024, .vocab = vocab, .seed = 1},
                  needs(chain, stop));
  std::mt19937 random(3);
  std::vector<Request> requests;
  for (std::int64_t row = 0; row < items; ++row) {
    TokenIds prompt;
    for (int i = 0; i < 600; ++i) prompt.push_back(random() % static_cast<std::uint64_t>(vocab));
    requests.push_back({.row = row, .prompt = prompt});
  }
  admit(engine, chain, stop, state, host_span<const Request>(requests));
  const std::vector<float> logits = typical_logits(items, vocab);
  std::vector<std::uint16_t> narrow;
  for (const float logit : logits) narrow.push_back(to_bfloat16(logit).bits);
  const void* from = type == DType::f32 ? static_cast<const void*>(logits.data()) : narrow.data();
  const std::size_t bytes = logits.size() * static_cast<std::size_t>(size_of(type));
  auto* const memory = device_memory<unsigned char>(bytes);
  auto* const results = device_memory<StepResult>(static_cast<std::size_t>(items));
  check(cudaMemcpy(memory, from, bytes, cudaMemcpyHostToDevice));
  mark([&] {
    step(engine, chain, stop, state, device_logits(memory, type, items, vocab, vocab),
         {.results = device_span<StepResult>(results, items)});
  });
  const bool streams = options.residence == Residence::streaming;
  const int blocks = options.cluster != 0 ? options.cluster
                     : streams            ? streaming_cluster_for(engine.limits(), items, vocab)
                                          : cluster_for(engine.limits(), items, vocab);
  tell(name, name_of(type), streams ? "streaming" : "resident", items, vocab,
       std::int64_t{detail::cuda::strip_of(vocab, blocks)} * detail::cuda::WARPS);
}

template <class ChainType>
int run_all(const char* name, const ChainType& chain) {
  for (const DType type : {DType::f32, DType::bf16}) {
    for (const std::int64_t items : {1, 4}) run_case(name, chain, type, items, 151'936);
  }
  run_case(name, chain, DType::f32, 1, 32'000);
  if (detail::cuda::may_stream<ChainType>) {
    for (const DType type : {DType::f32, DType::bf16}) {
      for (const int cluster : {1, 2, 4}) {
        run_case(name, chain, type, 1, 151'936,
                 {.cluster = cluster, .residence = Residence::streaming});
      }
    }
  }
  return 0;
}

}  // namespace counts
