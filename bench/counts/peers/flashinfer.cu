// SPDX-License-Identifier: Apache-2.0
// FlashInfer's joint top-k and top-p sampler behind its softmax, on the rows that our chains are
// counted over. No penalties, no min-p, no commit, no stops: it has none of them.
#include <flashinfer/sampling.cuh>

#include "counts/logits.cuh"

namespace {

void run_case(std::int64_t items, std::int64_t vocab) {
  using namespace counts;
  namespace peer = flashinfer::sampling;
  const std::vector<float> logits = typical_logits(items, vocab);
  auto* const given = device_memory<float>(logits.size());
  auto* const probabilities = device_memory<float>(logits.size());
  auto* const tokens = device_memory<int>(static_cast<std::size_t>(items));
  auto* const valid = device_memory<bool>(static_cast<std::size_t>(items));
  constexpr std::size_t ROOM = std::size_t{1} << 20;
  auto* const room = device_memory<unsigned char>(ROOM);
  check(cudaMemcpy(given, logits.data(), logits.size() * sizeof(float), cudaMemcpyHostToDevice));
  const auto rows = static_cast<std::uint32_t>(items);
  const auto width = static_cast<std::uint32_t>(vocab);
  mark([&] {
    check(peer::OnlineSoftmax<float>(given, probabilities, rows, width, nullptr, 0.7f, room, ROOM,
                                     false));
    check(peer::TopKTopPSamplingFromProb<float, int>(probabilities, nullptr, nullptr, tokens, valid,
                                                     nullptr, rows, 20, 0.8f, width, true, nullptr,
                                                     7, nullptr, 0));
  });
  tell("FlashInfer: softmax, joint top-k top-p", "f32", "-", items, vocab, 0);
}

}  // namespace

int main() {
  for (const std::int64_t items : {1, 4}) run_case(items, 151'936);
  run_case(1, 32'000);
}
