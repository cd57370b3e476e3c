// SPDX-License-Identifier: Apache-2.0
// The same step from parts that the toolkit has, no two of them in one kernel: penalties over the
// row's distinct tokens, a sort by CUB, what is left of the chain on the best 20 by one block per
// row, or, without a bound, sums by CUB and two searches in them; append and stops.
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <cub/cub.cuh>
#include <cuda/std/functional>

#include "counts/logits.cuh"

namespace {

constexpr int HISTORY = 600;
constexpr int CAPACITY = 1024;
constexpr int BLOCK = 256;
constexpr int TOP_K = 20;
constexpr int END_OF_SEQUENCE = 2;
constexpr int MAX_NEW_TOKENS = 100;

/// A token of a row's history, once.
struct Seen {
  int token;
  int generated;  ///< times
};

/// What a step changes of a row.
struct Row {
  int history[CAPACITY];
  int length;
  int generated;
  Seen seen[CAPACITY];
  int distinct;
  bool is_finished;
};

/// In place, as the model writes its logits anew for each step.
__global__ void apply_penalties(float* logits, const Row* rows, int vocab) {
  const Row& row = rows[blockIdx.x];
  float* const own = logits + static_cast<std::int64_t>(blockIdx.x) * vocab;
  for (int i = static_cast<int>(threadIdx.x); i < row.distinct; i += BLOCK) {
    const Seen seen = row.seen[i];
    float logit = own[seen.token];
    logit = logit < 0 ? logit * 1.1f : logit / 1.1f;
    if (seen.generated > 0) logit -= 0.1f * static_cast<float>(seen.generated) + 0.1f;
    own[seen.token] = logit;
  }
}

/// A number in [0, 1) for a seed and a position.
__device__ float uniform(std::uint64_t seed, std::uint64_t position) {
  std::uint64_t x = seed + 0x9e3779b97f4a7c15u * (position + 1);
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return static_cast<float>((x ^ (x >> 31)) >> 40) * 0x1p-24f;
}

/// Called by the whole block.
__device__ void append(Row& row, int token) {
  __shared__ int place;
  if (threadIdx.x == 0) place = -1;
  __syncthreads();
  for (int i = static_cast<int>(threadIdx.x); i < row.distinct; i += BLOCK) {
    if (row.seen[i].token == token) place = i;
  }
  __syncthreads();
  if (threadIdx.x != 0) return;
  if (place < 0) {
    row.seen[row.distinct] = {token, 1};
    ++row.distinct;
  } else {
    ++row.seen[place].generated;
  }
  row.history[row.length++] = token;
  ++row.generated;
  row.is_finished = token == END_OF_SEQUENCE || row.generated >= MAX_NEW_TOKENS;
}

/// Top-p 0.8, min-p 0.05 and the temperature on the best 20 of a sorted row, draw, append, stops.
__global__ void finish_best(const float* sorted, const int* ids, Row* rows, int* tokens,
                            int vocab) {
  using Scan = cub::WarpScan<float>;
  __shared__ Scan::TempStorage room;
  __shared__ int chosen;
  const std::int64_t first = static_cast<std::int64_t>(blockIdx.x) * vocab;
  Row& row = rows[blockIdx.x];
  if (threadIdx.x < 32) {
    const int rank = static_cast<int>(threadIdx.x);
    const bool is_there = rank < TOP_K && rank < vocab;
    const float score = is_there ? sorted[first + rank] : 0;
    const float best = __shfl_sync(0xffffffffu, score, 0);
    float weight = is_there ? __expf(score - best) : 0;
    float up_to;
    float total;
    Scan(room).InclusiveSum(weight, up_to, total);
    // Those in front of which less than 0.8 of the mass lies; the rest again without the tail.
    const bool stays = is_there && up_to - weight < 0.8f * total && weight >= 0.05f;
    weight = stays ? __expf((score - best) / 0.7f) : 0;
    __syncwarp();
    Scan(room).InclusiveSum(weight, up_to, total);
    const float target = uniform(7, static_cast<std::uint64_t>(row.generated)) * total;
    const unsigned beyond = __ballot_sync(0xffffffffu, stays && up_to > target);
    if (rank == 0) {
      chosen = ids[first + (beyond != 0 ? __ffs(static_cast<int>(beyond)) - 1 : 0)];
      tokens[blockIdx.x] = chosen;
    }
  }
  __syncthreads();
  append(row, chosen);
}

/// The weight of a place of the sorted rows.
struct Weight {
  const float* sorted;
  int vocab;
  float temperature;
  __device__ float operator()(std::int64_t place) const {
    return __expf((sorted[place] - sorted[place - place % vocab]) / temperature);
  }
};
struct RowOf {
  int vocab;
  __device__ int operator()(std::int64_t place) const { return static_cast<int>(place / vocab); }
};

/// The first place whose sum of weights exceeds `target`.
__device__ int first_beyond(const float* sums, int size, float target) {
  int low = 0;
  int high = size - 1;
  while (low < high) {
    const int middle = (low + high) / 2;
    if (sums[middle] > target) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return low;
}

/// Top-p 0.9 by the sums of a sorted row's weights, draw, append, stops.
__global__ void finish_sums(const float* sums, const int* ids, Row* rows, int* tokens, int vocab) {
  __shared__ int chosen;
  const std::int64_t first = static_cast<std::int64_t>(blockIdx.x) * vocab;
  Row& row = rows[blockIdx.x];
  if (threadIdx.x == 0) {
    const float* const own = sums + first;
    const float kept = own[first_beyond(own, vocab, 0.9f * own[vocab - 1])];
    const float target = uniform(7, static_cast<std::uint64_t>(row.generated)) * kept;
    chosen = ids[first + first_beyond(own, vocab, target)];
    tokens[blockIdx.x] = chosen;
  }
  __syncthreads();
  append(row, chosen);
}

/// Memory of a step, and CUB's.
struct Buffers {
  float* logits;
  float* sorted;
  float* sums;
  int* positions;  ///< 0, 1, ... in each row: made once
  int* ids;
  int* offsets;
  Row* rows;
  int* tokens;
  void* room;
  std::size_t room_bytes;
};

/// One row by the sort for all of a device, more by the one for segments.
void sort_rows(const Buffers& at, std::int64_t items, std::int64_t vocab) {
  using counts::check;
  std::size_t bytes = at.room_bytes;
  const int all = static_cast<int>(items * vocab);
  if (items == 1) {
    check(cub::DeviceRadixSort::SortPairsDescending(at.room, bytes, at.logits, at.sorted,
                                                    at.positions, at.ids, all));
  } else {
    check(cub::DeviceSegmentedRadixSort::SortPairsDescending(
        at.room, bytes, at.logits, at.sorted, at.positions, at.ids, all, static_cast<int>(items),
        at.offsets, at.offsets + 1));
  }
}

void long_chain(const Buffers& at, std::int64_t items, std::int64_t vocab) {
  const auto blocks = static_cast<unsigned>(items);
  apply_penalties<<<blocks, BLOCK>>>(at.logits, at.rows, static_cast<int>(vocab));
  sort_rows(at, items, vocab);
  finish_best<<<blocks, BLOCK>>>(at.sorted, at.ids, at.rows, at.tokens, static_cast<int>(vocab));
  counts::check(cudaGetLastError());
}

void top_p_chain(const Buffers& at, std::int64_t items, std::int64_t vocab) {
  using counts::check;
  sort_rows(at, items, vocab);
  const int width = static_cast<int>(vocab);
  const auto places = thrust::make_counting_iterator(std::int64_t{0});
  const auto weights = thrust::make_transform_iterator(places, Weight{at.sorted, width, 0.7f});
  std::size_t bytes = at.room_bytes;
  const int all = static_cast<int>(items * vocab);
  if (items == 1) {
    check(cub::DeviceScan::InclusiveSum(at.room, bytes, weights, at.sums, all));
  } else {
    const auto rows = thrust::make_transform_iterator(places, RowOf{width});
    check(cub::DeviceScan::InclusiveSumByKey(at.room, bytes, rows, weights, at.sums, all));
  }
  finish_sums<<<static_cast<unsigned>(items), BLOCK>>>(at.sums, at.ids, at.rows, at.tokens, width);
  check(cudaGetLastError());
}

/// Whether a chain may draw `token`: it is among the best 20 behind the penalties, or, without
/// them, less than 0.9 of the mass has better logits.
bool may_draw(std::vector<float> logits, const Row& row, bool penalises, int token) {
  if (token < 0 || static_cast<std::size_t>(token) >= logits.size()) return false;
  for (int i = 0; penalises && i < row.distinct; ++i) {
    float& logit = logits[static_cast<std::size_t>(row.seen[i].token)];
    logit = logit < 0 ? logit * 1.1f : logit / 1.1f;
  }
  const float own = logits[static_cast<std::size_t>(token)];
  int better = 0;
  double mass_of_better = 0;
  double mass = 0;
  for (const float logit : logits) {
    const double weight = std::exp((logit - own) / 0.7);
    mass += weight;
    if (logit > own) {
      ++better;
      mass_of_better += weight;
    }
  }
  return penalises ? better < TOP_K : mass_of_better < 0.9001 * mass;
}

void run_case(std::int64_t items, std::int64_t vocab) {
  using namespace counts;
  const std::vector<float> logits = typical_logits(items, vocab);
  const std::size_t size = logits.size();
  std::vector<int> positions;
  std::vector<int> offsets;
  std::vector<Row> rows(static_cast<std::size_t>(items));
  std::mt19937 random(3);
  for (std::int64_t i = 0; i < items; ++i) {
    for (int token = 0; token < vocab; ++token) positions.push_back(token);
    offsets.push_back(static_cast<int>(i * vocab));
    Row& row = rows[static_cast<std::size_t>(i)];
    row = {};
    std::vector<bool> is_seen(static_cast<std::size_t>(vocab));
    for (; row.length < HISTORY; ++row.length) {
      const auto token = static_cast<std::size_t>(random() % static_cast<std::uint64_t>(vocab));
      row.history[row.length] = static_cast<int>(token);
      if (!is_seen[token]) row.seen[row.distinct++] = {static_cast<int>(token), 0};
      is_seen[token] = true;
    }
  }
  offsets.push_back(static_cast<int>(items * vocab));

  constexpr std::size_t ROOM = std::size_t{1} << 25;
  Buffers at{};
  at.logits = device_memory<float>(size);
  at.sorted = device_memory<float>(size);
  at.sums = device_memory<float>(size);
  at.positions = device_memory<int>(size);
  at.ids = device_memory<int>(size);
  at.offsets = device_memory<int>(offsets.size());
  at.rows = device_memory<Row>(rows.size());
  at.tokens = device_memory<int>(rows.size());
  at.room = device_memory<unsigned char>(ROOM);
  at.room_bytes = ROOM;
  const auto copy = [](auto* to, const auto& from) {
    check(cudaMemcpy(to, from.data(), from.size() * sizeof(from[0]), cudaMemcpyHostToDevice));
  };
  const auto run = [&](const char* name, auto chain, bool penalises) {
    copy(at.logits, logits);
    copy(at.positions, positions);
    copy(at.offsets, offsets);
    copy(at.rows, rows);
    mark([&] { chain(at, items, vocab); });
    tell(name, "f32", "-", items, vocab, 0);
    // A peer that is counted must be one that draws right.
    std::vector<int> tokens(rows.size());
    check(
        cudaMemcpy(tokens.data(), at.tokens, tokens.size() * sizeof(int), cudaMemcpyDeviceToHost));
    for (std::size_t i = 0; i < tokens.size(); ++i) {
      const float* const own = logits.data() + i * static_cast<std::size_t>(vocab);
      if (may_draw(std::vector<float>(own, own + vocab), rows[i], penalises, tokens[i])) continue;
      std::fprintf(stderr, "counts: %s drew %d\n", name, tokens[i]);
      std::exit(1);
    }
  };
  run("CUB: penalties, sort, best 20", long_chain, true);
  run("CUB: sort, sums, top-p", top_p_chain, false);
}

}  // namespace

int main() {
  for (const std::int64_t items : {1, 4}) run_case(items, 151'936);
  run_case(1, 32'000);
}
