// SPDX-License-Identifier: Apache-2.0
// FlashInfer's softmax and the sampler behind it that comes nearest to a chain of ours, as its own
// functions launch them. No penalties, no min-p, no commit, no stops: it has none of them.
#include <flashinfer/sampling.cuh>

#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "device/check.hpp"
#include "device/contender.hpp"

namespace device_bench {

namespace {

namespace peer = flashinfer::sampling;

/// Rows up to 128 of 151,936 logits need 20 partial results of 8 bytes each.
constexpr std::size_t ROOM = std::size_t{1} << 20;

class FlashInfer final : public Contender {
 public:
  FlashInfer(const std::string& chain, const Setup& setup)
      : chain_(chain),
        setup_(setup),
        probabilities_(static_cast<std::size_t>(setup.group.items * setup.group.vocab)),
        tokens_(static_cast<std::size_t>(setup.group.items)),
        valid_(static_cast<std::size_t>(setup.group.items)),
        offset_(1),
        room_(ROOM) {}

  void enqueue() override {
    const auto rows = static_cast<std::uint32_t>(setup_.group.items);
    const auto width = static_cast<std::uint32_t>(setup_.group.vocab);
    auto* const given = static_cast<float*>(const_cast<void*>(setup_.logits));
    float* const p = probabilities_.data();
    const cudaStream_t stream = setup_.stream;
    check(peer::OnlineSoftmax<float>(given, p, rows, width, nullptr, 0.7f, room_.data(), ROOM,
                                     false, stream),
          "OnlineSoftmax");
    auto* const valid = reinterpret_cast<bool*>(valid_.data());
    if (chain_ == "long") {
      check(peer::TopKTopPSamplingFromProb<float, int>(p, nullptr, nullptr, tokens_.data(), valid,
                                                       nullptr, rows, 20, 0.8f, width, true,
                                                       nullptr, 7, offset_.data(), 0, stream),
            "TopKTopPSamplingFromProb");
    } else if (chain_ == "top_p") {
      check(peer::TopPSamplingFromProb<float, int>(p, tokens_.data(), valid, nullptr, nullptr, rows,
                                                   0.9f, width, true, nullptr, 7, offset_.data(), 0,
                                                   stream),
            "TopPSamplingFromProb");
    } else if (chain_ == "temperature") {
      check(peer::SamplingFromProb<float, int>(p, tokens_.data(), valid, nullptr, rows, width, true,
                                               nullptr, 7, offset_.data(), 0, stream),
            "SamplingFromProb");
    } else {
      throw std::runtime_error("FlashInfer has nothing like the chain '" + chain_ + "'");
    }
  }

  /// How many rounds a draw takes hangs on its random numbers: each batch has others.
  void restart() override {
    const std::uint64_t offset = batch_++ * 4096;
    check(cudaMemcpyAsync(offset_.data(), &offset, sizeof offset, cudaMemcpyHostToDevice,
                          setup_.stream),
          "cudaMemcpyAsync");
    check(cudaStreamSynchronize(setup_.stream), "cudaStreamSynchronize");
    check(cudaMemsetAsync(tokens_.data(), 0xff, tokens_.size() * sizeof(int), setup_.stream),
          "cudaMemsetAsync");
    check(cudaMemsetAsync(valid_.data(), 0, valid_.size(), setup_.stream), "cudaMemsetAsync");
  }

  std::string fault(int) override {
    const std::vector<int> tokens = tokens_.read(setup_.stream);
    const std::vector<unsigned char> valid = valid_.read(setup_.stream);
    for (std::size_t row = 0; row < tokens.size(); ++row) {
      if (valid[row] != 1 || tokens[row] < 0 || tokens[row] >= setup_.group.vocab) {
        return "row " + std::to_string(row) + " got the token " + std::to_string(tokens[row]) +
               (valid[row] == 1 ? "" : ", not valid");
      }
    }
    return "";
  }

 private:
  std::string chain_;
  Setup setup_;
  DeviceMemory<float> probabilities_;
  DeviceMemory<int> tokens_;
  DeviceMemory<unsigned char> valid_;
  DeviceMemory<std::uint64_t> offset_;
  DeviceMemory<unsigned char> room_;
  std::uint64_t batch_ = 0;
};

}  // namespace

std::string flashinfer_built_with() {
  return "FlashInfer 0.7.2.post1: softmax and sampling from probabilities, float";
}

std::unique_ptr<Contender> make_flashinfer(const std::string& chain, const Setup& setup) {
  return std::make_unique<FlashInfer>(chain, setup);
}

}  // namespace device_bench
