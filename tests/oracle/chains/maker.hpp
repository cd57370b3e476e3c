// SPDX-License-Identifier: Apache-2.0
// Random numbers, lists and tables for the stages of a chain: as the library takes them, and as the
// oracle sees them row by row.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <random>
#include <span>
#include <vector>

#include "oracle/chains/table.hpp"
#include "oracle/stage.hpp"

namespace oracle_test {

/// The same numbers on every standard library.
class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}
  /// Numbers of the bytes, two for each, and when those are spent, numbers of the seed: whoever
  /// chooses bytes chooses what becomes of them.
  Random(std::uint64_t seed, std::span<const std::uint8_t> bytes) : engine_(seed), bytes_(bytes) {}
  std::uint64_t next() {
    if (bytes_.size() < 2) return engine_();
    const std::uint64_t pair = bytes_[0] + 256u * bytes_[1];
    bytes_ = bytes_.subspan(2);
    return pair * 0x9e3779b97f4a7c15u;  // odd: the low bits take every value, and so do the high
  }
  /// In [low, high].
  std::int64_t integer(std::int64_t low, std::int64_t high) {
    return low + static_cast<std::int64_t>(next() % static_cast<std::uint64_t>(high - low + 1));
  }
  /// In [low, high).
  double real(double low, double high) {
    return low + (high - low) * static_cast<double>(next() >> 11) * 0x1p-53;
  }
  bool chance(double p) { return real(0, 1) < p; }
  template <class T>
  T one_of(std::initializer_list<T> values) {
    return values.begin()[next() % values.size()];
  }

 private:
  std::mt19937_64 engine_;
  std::span<const std::uint8_t> bytes_;
};

/// A number of a stage: one for the batch or one per row.
template <class T>
struct Number {
  Param<T> param;
  std::vector<typename Param<T>::Value> of_row;
};

/// A list of ids, held inline or in an array.
struct List {
  TokenList tokens;
  oracle::Ids ids;
};

/// Makes stages for a batch and keeps alive what they point to.
class Maker {
 public:
  Maker(Random& random, std::vector<oracle::Row>& rows) : random_(random), rows_(rows) {}

  Random& random() { return random_; }
  std::size_t rows() const { return rows_.size(); }
  const oracle::Row& row(std::size_t i) const { return rows_[i]; }
  std::int64_t vocab() const { return rows_[0].vocab; }

  /// @param off the value at which the stage does nothing, given now and then
  /// @param invalid a value outside of the range, given to a single row very rarely
  Number<float> real(const std::function<double()>& pick, double off, double invalid);
  Number<std::int32_t> integer(const std::function<std::int64_t()>& pick, std::int64_t off,
                               std::int64_t invalid);
  /// Mostly 1, the default; else up to `most`.
  Number<std::int32_t> at_least();
  /// A few ids of the vocabulary, one of them now and then twice.
  List list(std::int64_t most);
  /// An id that the rows' histories may hold.
  std::int64_t token();
  /// Row i takes over the numbers of row order[i], in the arrays that stages point to.
  void select(const std::vector<std::size_t>& order);
  const BiasTable& keep(BiasTable table) { return tables_.emplace_back(std::move(table)); }

 private:
  Random& random_;
  std::vector<oracle::Row>& rows_;
  std::deque<std::vector<float>> reals_;            // one per row each
  std::deque<std::vector<std::int32_t>> integers_;  // one per row each
  std::deque<float> common_reals_;
  std::deque<std::int32_t> common_integers_;
  std::deque<std::vector<std::int64_t>> ids_;
  std::deque<std::vector<std::int32_t>> narrow_ids_;
  std::deque<BiasTable> tables_;
};

/// A stage with the numbers of each row.
template <class Stage>
struct Made {
  Stage stage;
  std::vector<oracle::Stage> of_row;
};

Made<Temperature> make(Maker& maker, const Temperature*);
Made<RemoveInvalidValues> make(Maker& maker, const RemoveInvalidValues*);
Made<OwnMap> make(Maker& maker, const OwnMap*);
Made<RepetitionPenalty> make(Maker& maker, const RepetitionPenalty*);
Made<PromptRepetitionPenalty> make(Maker& maker, const PromptRepetitionPenalty*);
Made<FrequencyPenalty> make(Maker& maker, const FrequencyPenalty*);
Made<PresencePenalty> make(Maker& maker, const PresencePenalty*);
Made<NoRepeatNGram> make(Maker& maker, const NoRepeatNGram*);
Made<PromptNoRepeatNGram> make(Maker& maker, const PromptNoRepeatNGram*);
Made<SequenceBias> make(Maker& maker, const SequenceBias*);
Made<SuppressTokens> make(Maker& maker, const SuppressTokens*);
Made<BeginSuppressTokens> make(Maker& maker, const BeginSuppressTokens*);
Made<MinLength> make(Maker& maker, const MinLength*);
Made<MinNewTokens> make(Maker& maker, const MinNewTokens*);
Made<ExponentialDecayLengthPenalty> make(Maker& maker, const ExponentialDecayLengthPenalty*);
Made<ForcedBOS> make(Maker& maker, const ForcedBOS*);
Made<ForcedEOS> make(Maker& maker, const ForcedEOS*);
Made<MinP> make(Maker& maker, const MinP*);
Made<EpsilonCutoff> make(Maker& maker, const EpsilonCutoff*);
Made<EtaCutoff> make(Maker& maker, const EtaCutoff*);
Made<Renormalize> make(Maker& maker, const Renormalize*);
Made<TopNSigma> make(Maker& maker, const TopNSigma*);
Made<Greedy> make(Maker& maker, const Greedy*);
Made<TopK> make(Maker& maker, const TopK*);
Made<TopP> make(Maker& maker, const TopP*);
Made<JointTopKTopP> make(Maker& maker, const JointTopKTopP*);
Made<Typical> make(Maker& maker, const Typical*);
Made<TopH> make(Maker& maker, const TopH*);

}  // namespace oracle_test
