// SPDX-License-Identifier: Apache-2.0
// Bad input that only a device can be given: the entries of ../bad_input/README.md that are about
// streams, errors that stand, devices and memory that are not there, numbers that change meanwhile.
#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <logitchain/logitchain.cuh>

#include "cuda/support/device_array.cuh"
#include "support/engine.hpp"

namespace {

using namespace logitchain;
using namespace logitchain_test;
using testing::AnyOf;
using testing::HasSubstr;

using Ids = std::vector<std::int32_t>;
using Sampler = Chain<Temperature, TopK>;

constexpr std::int64_t VOCAB = 300;
constexpr std::int64_t ROWS = 2;
constexpr int STEPS = 5;
constexpr Shape SHAPE{.rows = ROWS, .capacity = 16, .vocab = VOCAB};
const auto STOP = criterion(EndOfSequence{VOCAB - 1});

std::vector<Request> requests(std::uint64_t seed) {
  return {{.row = 0, .prompt = {1}, .seed = seed}, {.row = 1, .prompt = {2}, .seed = seed + 1}};
}
std::vector<float> logits_of(unsigned seed) {
  std::mt19937 random(seed);
  return random_row(random, ROWS * VOCAB, 0.001f);
}

/// The tokens of all steps on the host, the chain of each given by its number.
template <class ChainOf>
std::vector<Ids> tokens_on_host(std::uint64_t seed, const std::vector<float>& logits,
                                ChainOf chain_of) {
  host_engine engine;
  StepState state(engine, SHAPE, needs(chain_of(0), STOP));
  admit(engine, chain_of(0), STOP, state, requests(seed));
  std::vector<Ids> all;
  for (int i = 0; i < STEPS; ++i) {
    Ids tokens(ROWS);
    step(engine, chain_of(i), STOP, state, host_logits(logits.data(), ROWS, VOCAB),
         {.tokens = tokens});
    all.push_back(tokens);
  }
  return all;
}

struct Stream {
  cudaStream_t stream = nullptr;
  Stream() { cuda_check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking)); }
  ~Stream() { (void)cudaStreamDestroy(stream); }
  void wait() const { cuda_check(cudaStreamSynchronize(stream)); }
};

/// A state on a stream of its own, its logits, and room for the tokens of all steps.
struct Decoding {
  Stream stream;
  cuda_engine engine{stream.stream};
  std::vector<float> host_logits_of;
  DeviceArray<float> logits;
  DeviceArray<std::int32_t> tokens{std::vector<std::int32_t>(STEPS * ROWS, -7)};
  StepState state{engine, SHAPE, needs(Sampler{}, STOP)};

  explicit Decoding(unsigned seed) : host_logits_of(logits_of(seed)), logits(host_logits_of) {
    admit(engine, chain(Temperature{1}, TopK{5}), STOP, state, requests(seed));
  }
  void queue_step(const Sampler& sampler, int number) {
    step(engine, sampler, STOP, state, device_logits(logits.data(), ROWS, VOCAB),
         {.tokens = device_span<std::int32_t>(tokens.data() + number * ROWS, ROWS)});
  }
  std::vector<Ids> tokens_of_all_steps() const {
    stream.wait();
    const Ids all = tokens.read();
    std::vector<Ids> steps;
    for (auto at = all.begin(); at != all.end(); at += ROWS) steps.emplace_back(at, at + ROWS);
    return steps;
  }
};

TEST(BadInput, E34_TwoStreamsShareAChainAndNoState) {
  const Sampler sampler = chain(Temperature{0.8}, TopK{50});
  Decoding one(1);
  Decoding other(2);
  for (int i = 0; i < STEPS; ++i) {  // nobody waits: the streams run as they like
    one.queue_step(sampler, i);
    other.queue_step(sampler, i);
  }
  const auto same = [&](int) { return sampler; };
  EXPECT_EQ(one.tokens_of_all_steps(), tokens_on_host(1, one.host_logits_of, same));
  EXPECT_EQ(other.tokens_of_all_steps(), tokens_on_host(2, other.host_logits_of, same));
}

TEST(BadInput, E37_AnErrorThatSomebodyLeftIsNeitherTakenForTheCallsOwnNorCleared) {
  const Sampler sampler = chain(Temperature{0.8}, TopK{50});
  void* none = nullptr;
  ASSERT_NE(cudaMalloc(&none, std::size_t{1} << 60), cudaSuccess);
  const cudaError_t left = cudaPeekAtLastError();
  ASSERT_NE(left, cudaSuccess);
  Decoding one(3);  // admits
  for (int i = 0; i < STEPS; ++i) one.queue_step(sampler, i);
  const std::vector<Ids> tokens = one.tokens_of_all_steps();
  EXPECT_EQ(refusal_of([&] {
              commit(one.engine, sampler, STOP, one.state,
                     DeviceTokenIds(device_span<std::int32_t>(one.tokens.data(), ROWS)));
              const DeviceArray<std::uint8_t> flags(ROWS);
              stopped(one.engine, STOP, one.state, flags.span());
              gather(one.engine, one.state, {1, 0});
              load_row(one.engine, one.state, 0, [&] {
                const std::vector<std::byte> row = save_row(one.engine, one.state, 1);
                release(one.engine, one.state, 0);
                return row;
              }());
              check(one.engine, one.state);
            }),
            "accepted");
  EXPECT_EQ(cudaPeekAtLastError(), left) << "it is somebody else's to see";
  EXPECT_EQ(cudaGetLastError(), left);
  EXPECT_EQ(tokens, tokens_on_host(3, one.host_logits_of, [&](int) { return sampler; }));
}

__global__ void write_nowhere(int* nowhere) { *nowhere = 1; }

TEST(BadInput, E37_AFaultOfTheDeviceComesOutOfEveryCall) {
  const Sampler sampler = chain(Temperature{0.8}, TopK{50});
  {
    Decoding one(4);
    one.queue_step(sampler, 0);
    one.stream.wait();
    write_nowhere<<<1, 1>>>(reinterpret_cast<int*>(64));
    ASSERT_EQ(cudaDeviceSynchronize(), cudaErrorIllegalAddress);
    const auto told = [](const std::string& text) {
      return text.find("cudaErrorIllegalAddress") != std::string::npos;
    };
    EXPECT_PRED1(told, refusal_of([&] { one.queue_step(sampler, 1); }));
    EXPECT_PRED1(told, refusal_of([&] { check(one.engine, one.state); }));
    EXPECT_PRED1(told, refusal_of([&] { release(one.engine, one.state, 0); }));
    EXPECT_PRED1(told, refusal_of([&] { save_row(one.engine, one.state, 0); }));
    EXPECT_PRED1(told,
                 refusal_of([&] { admit(one.engine, sampler, STOP, one.state, requests(1)); }));
    EXPECT_PRED1(told, refusal_of([&] { StepState(one.engine, SHAPE, Needs{}); }));
    EXPECT_EQ(cudaPeekAtLastError(), cudaErrorIllegalAddress) << "the library cleared it";
    EXPECT_EQ(tokens_on_host(4, one.host_logits_of, [&](int) { return sampler; }).size(),
              std::size_t{STEPS})
        << "the host goes on";
  }
  (void)cudaDeviceReset();
  (void)cudaGetLastError();
  Decoding again(4);
  for (int i = 0; i < STEPS; ++i) again.queue_step(sampler, i);
  EXPECT_EQ(again.tokens_of_all_steps(),
            tokens_on_host(4, again.host_logits_of, [&](int) { return sampler; }));
}

TEST(BadInput, E38_MemoryThatCannotBeHadIsNamedWithItsBytes) {
  const Sampler sampler = chain(Temperature{0.8}, TopK{50});
  Decoding one(5);
  const Shape large{.rows = 1 << 20, .capacity = 1 << 20, .vocab = VOCAB};  // 4 TiB of histories
  const std::size_t bytes = bytes_needed(one.engine, large, Needs{}).state;
  EXPECT_EQ(refusal_of([&] { StepState(one.engine, large, Needs{}); }),
            "StepState: " + std::to_string(bytes) +
                " bytes of device memory could not be allocated: cudaErrorMemoryAllocation, "
                "out of memory");
  EXPECT_EQ(cudaPeekAtLastError(), cudaSuccess) << "the error was told and stands no more";
  for (int i = 0; i < STEPS; ++i) one.queue_step(sampler, i);
  EXPECT_EQ(one.tokens_of_all_steps(),
            tokens_on_host(5, one.host_logits_of, [&](int) { return sampler; }));
}

/// A table of 2^60 bytes.
struct LargeTable {
  struct Sizes {
    static std::int64_t storage_bytes() { return std::int64_t{1} << 60; }
  };
  LargeTable() = default;
  LargeTable(const std::byte*, const Sizes&, Space) {}
  static Sizes shape() { return {}; }
  static const std::byte* storage() { return nullptr; }
};

TEST(BadInput, E38_MemoryForATableThatCannotBeHadIsNamedAndNoErrorStands) {
  const cuda_engine engine;
  EXPECT_EQ(refusal_of([&] { upload_view(engine, LargeTable{}); }),
            "upload: 1152921504606846976 bytes of device memory could not be allocated: "
            "cudaErrorMemoryAllocation, out of memory");
  EXPECT_EQ(cudaPeekAtLastError(), cudaSuccess);
  EXPECT_EQ(refusal_of([&] { detail::cuda::scratch_of("gather", engine, std::size_t{1} << 60); }),
            "gather: 1152921504606846976 bytes of device memory could not be allocated: "
            "cudaErrorMemoryAllocation, out of memory");
  EXPECT_EQ(cudaPeekAtLastError(), cudaSuccess);
}

/// CMakeLists.txt runs it where no device can be seen.
TEST(BadInput, E38_WithoutADeviceTheEngineSaysSoAndTheHostsWorks) {
  int count = 0;
  if (cudaGetDeviceCount(&count) == cudaSuccess && count > 0) GTEST_SKIP() << "there is a device";
  EXPECT_THAT(refusal_of([] { cuda_engine(nullptr); }),
              AnyOf(HasSubstr("cuda_engine: cudaGetDevice failed: cudaErrorNoDevice"),
                    HasSubstr("cuda_engine: cudaGetDevice failed: cudaErrorInsufficientDriver")));
  EXPECT_GE(tokens_on_host(6, logits_of(6), [](int) { return Sampler{}; })[0][0], 0);
}

/// CMakeLists.txt runs it on an emulated device that is older than the program. The engine is not
/// what tells whether it is.
TEST(BadInput, E38_ADeviceThatTheProgramIsNotForIsRefused) {
  cudaFuncAttributes code{};
  if (cudaFuncGetAttributes(&code, write_nowhere) == cudaSuccess) {
    GTEST_SKIP() << "the program is for this device";
  }
  (void)cudaGetLastError();
  EXPECT_THAT(refusal_of([] { cuda_engine(nullptr); }),
              HasSubstr("cuda_engine: cudaFuncGetAttributes failed: cudaError"));
  EXPECT_GE(tokens_on_host(6, logits_of(6), [](int) { return Sampler{}; })[0][0], 0);
}

TEST(BadInput, E51_NumbersThatChangeWhileStepsAreQueuedAreThoseOfTheirTime) {
  constexpr std::size_t COUNT = STEPS * ROWS;
  const std::vector<float> temperatures = {0.5f, 1, 3, 0, 0.1f, 9, 2, 0.7f, 1, 1};
  const auto k_of = [](int number) { return 1 + 40 * number; };
  float* staged = nullptr;
  cuda_check(cudaMallocHost(reinterpret_cast<void**>(&staged), COUNT * sizeof(float)));
  for (std::size_t i = 0; i < COUNT; ++i) staged[i] = temperatures[i];
  Decoding one(7);
  const DeviceArray<float> numbers(std::vector<float>(ROWS, NOT_A_NUMBER));
  Sampler sampler = chain(Temperature{1}, TopK{1});
  for (int i = 0; i < STEPS; ++i) {
    // Numbers per row go by a copy on the stream, each from a place of its own.
    cuda_check(cudaMemcpyAsync(numbers.data(), staged + i * ROWS, ROWS * sizeof(float),
                               cudaMemcpyHostToDevice, one.stream.stream));
    sampler = chain(Temperature{per_row(numbers.view())}, TopK{k_of(i)});
    one.queue_step(sampler, i);
    sampler = chain(Temperature{0}, TopK{7});  // the launch has taken the numbers of the batch
  }
  const std::vector<Ids> tokens = one.tokens_of_all_steps();
  cuda_check(cudaFreeHost(staged));
  std::vector<float> current(ROWS);
  EXPECT_EQ(tokens, tokens_on_host(7, one.host_logits_of, [&](int i) {
              for (std::size_t row = 0; row < ROWS; ++row) {
                current[row] = temperatures[static_cast<std::size_t>(i) * ROWS + row];
              }
              return chain(Temperature{per_row(current)}, TopK{k_of(i)});
            }));
}

TEST(Admissions, ThatTheDeviceDoesNotTakeHaveNoNumbers) {
  const Sampler sampler = chain(Temperature{0.8}, TopK{50});
  Decoding one(8);
  const std::uint64_t before = one.state.admissions();
  // A capture that a wait has spoilt: the stream takes nothing until it ends.
  cuda_check(cudaStreamBeginCapture(one.stream.stream, cudaStreamCaptureModeThreadLocal));
  EXPECT_NE(cudaStreamSynchronize(one.stream.stream), cudaSuccess);
  (void)cudaGetLastError();
  EXPECT_THAT(refusal_of([&] { admit(one.engine, sampler, STOP, one.state, requests(9)); }),
              HasSubstr("bytes of device memory could not be allocated: cudaErrorStreamCapture"));
  EXPECT_EQ(one.state.admissions(), before);
  EXPECT_EQ(cudaPeekAtLastError(), cudaSuccess);
  cudaGraph_t none = nullptr;
  EXPECT_NE(cudaStreamEndCapture(one.stream.stream, &none), cudaSuccess);
  (void)cudaGetLastError();
  for (int i = 0; i < STEPS; ++i) one.queue_step(sampler, i);
  EXPECT_EQ(one.tokens_of_all_steps(),
            tokens_on_host(8, one.host_logits_of, [&](int) { return sampler; }));
}

TEST(RowsOfLogits, ThatNoAddressReachesAreRefused) {
  float memory[4] = {};
  constexpr std::int64_t LEAST = INT64_MIN;
  EXPECT_EQ(refusal_of([&] { device_logits(memory, 3, 2, LEAST); }),
            "device_logits: stride is -9223372036854775808; it must be in [-576460752303423488, "
            "576460752303423488] for 3 rows");
  EXPECT_EQ(refusal_of([&] { device_logits(memory, 1 << 20, 2, std::int64_t{1} << 41); }),
            "device_logits: stride is 2199023255552; it must be in [-1099512676353, "
            "1099512676353] for 1048576 rows");
  EXPECT_EQ(refusal_of([&] { device_logits(memory, 1, INT64_MAX); }),
            "device_logits: width is 9223372036854775807; it must be in [1, 1152921504606846976]");
  EXPECT_EQ(refusal_of([&] { device_scores(memory, 3, 2, INT64_MAX); }),
            "device_scores: stride is 9223372036854775807; it must be in [-576460752303423488, "
            "576460752303423488] for 3 rows");
  const std::int64_t most = std::int64_t{1} << 59;
  const auto base = reinterpret_cast<std::uintptr_t>(memory);
  for (const std::int64_t stride : {most, -most}) {
    const device_logits rows(memory, 3, 2, stride);
    EXPECT_EQ(rows.end() - rows.begin(), (std::uintptr_t{1} << 62) + 8);
    EXPECT_EQ(stride > 0 ? rows.begin() : rows.end() - 8, base);
  }
}

TEST(RowsOfScores, AreMadeOfEveryTypeAndTellTheirFaultsUnderTheirName) {
  alignas(4) half halves[4] = {};
  bfloat16 brains[4] = {};
  float floats[4] = {};
  EXPECT_EQ(device_scores(floats, 2, 1, -2).logits().stride(), -2);
  EXPECT_EQ(device_scores(halves, 2, 1, 3).logits().type(), DType::f16);
  EXPECT_EQ(device_scores(brains, 2, 1, 3).logits().type(), DType::bf16);
  EXPECT_EQ(refusal_of([&] { device_scores(floats, -1, 1); }),
            "device_scores: rows is -1; it must be >= 0");
  EXPECT_EQ(refusal_of([&] { device_scores(halves, 2, 0); }),
            "device_scores: width is 0; it must be in [1, 1152921504606846976]");
  EXPECT_EQ(refusal_of([&] { device_scores(static_cast<float*>(nullptr), 2, 1); }),
            "device_scores: data is null with 2 rows");
  EXPECT_EQ(refusal_of([&] { device_scores(brains, 2, 2, 1); }),
            "device_scores: stride is 1; it must be at least the width, 2");
  EXPECT_THAT(refusal_of([&] { device_scores(halves + 1, DType::f32, 1, 1, 1); }),
              HasSubstr("; it must begin at a multiple of 4, an element's bytes"));
}

TEST(Launches, OfMoreBlocksThanAGridHasAreRefused) {
  const cuda_engine engine;
  EXPECT_EQ(refusal_of([&] {
              detail::cuda::launch_blocks("commit", engine, write_nowhere, std::int64_t{1} << 31,
                                          static_cast<int*>(nullptr));
            }),
            "commit: the number of blocks is 2147483648; it must be at most 2147483647");
}

TEST(Vocabulary, ThatNoSharedMemoryHoldsIsRefusedWhenTheStateIsMade) {
  static_assert(largest_vocab({90, 132, 232'448}) == 589'824);
  static_assert(largest_vocab({90, 132, 232'448}, 1) == 36'864);
  static_assert(largest_vocab({120, 132, 101'376}) == 65'536);
  static_assert(largest_vocab({90, 132, 40'000}) == 0);
  static_assert(largest_vocab({80, 108, 166'912}) == MAX_VOCAB, "rows in global memory");
  static_assert(holds_row({90, 132, 232'448}, 589'824, 16));
  static_assert(!holds_row({90, 132, 232'448}, 589'825, 16));
  for (const int cluster : {0, 2}) {
    const cuda_engine engine(nullptr, {.cluster = cluster});
    const std::int64_t most = largest_vocab(engine.limits(), cluster);
    if (most == MAX_VOCAB) GTEST_SKIP() << "this device holds every row";
    Shape shape{.rows = 1, .capacity = 8, .vocab = most};
    EXPECT_EQ(refusal_of([&] { StepState(engine, shape, Needs{}); }), "accepted");
    ++shape.vocab;
    const std::string text = "cuda_engine: vocab is " + std::to_string(most + 1) +
                             "; it must be at most " + std::to_string(most) +
                             ": a row lies in the shared memory of " + (cluster == 0 ? "16" : "2") +
                             " blocks of device " + std::to_string(engine.device()) + ", " +
                             std::to_string(engine.limits().shared_bytes) + " bytes each";
    EXPECT_EQ(refusal_of([&] { StepState(engine, shape, Needs{}); }), text);
    EXPECT_EQ(refusal_of([&] { bytes_needed(engine, shape, Needs{}); }), text);
  }
}

}  // namespace
