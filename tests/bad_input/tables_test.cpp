// SPDX-License-Identifier: Apache-2.0
// Tables and saved rows that are damaged, forged, foreign or moved from; sequences of any length.
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <logitchain/logitchain.hpp>

#include "support/engine.hpp"
#include "support/table_damage.hpp"

namespace {

using namespace logitchain;
using namespace logitchain_test;

using Words = std::vector<std::string>;
using Ids = std::vector<std::int32_t>;
constexpr std::int64_t VOCAB = 16;

TEST(BadInput, E03_ATableDamagedBehindItsBackEndsItsRowsAndNoOthers) {
  host_engine engine;
  const BiasTable whole = sequence_bias({{{1, 2}, 3.0}, {{5}, 1.0}, {{1, 2, 7}, -2.0}}, VOCAB);
  const auto stop = criterion();
  const std::vector<std::int32_t> index = {-1, 0, -1};
  const std::vector<float> logits(index_of(VOCAB), 1.0f);
  // Where the ids of the entries lie: the last of all sections but two.
  const std::size_t ids = whole.storage().size() - 12 * index_of(whole.count());
  for (const std::int32_t bad : {16, 2147483647, -1, std::numeric_limits<std::int32_t>::min()}) {
    std::vector<std::byte> storage = copy_of(whole.storage());
    const std::vector<BiasTableView> views = {{storage.data(), whole.shape()}};
    const auto biased =
        chain(SequenceBias{{host_span<const BiasTableView>(views), per_row(index)}});
    StepState state = state_of(engine, biased, stop, VOCAB,
                               {{.prompt = {1, 2}}, {.prompt = {1, 2}}, {.prompt = {1, 2}}});
    const StepState before = state_of(engine, biased, stop, VOCAB,
                                      {{.prompt = {1, 2}}, {.prompt = {1, 2}}, {.prompt = {1, 2}}});
    for (int i = 0; i < whole.count(); ++i) set_word(storage, ids + 4 * index_of(i), bad);
    Ids tokens(3);
    step(engine, biased, stop, state, host_logits(logits.data(), 3, VOCAB, 0), {.tokens = tokens});
    EXPECT_EQ(state.status(1), Status::invalid_table);
    EXPECT_EQ(tokens[1], -1);
    EXPECT_EQ(state.total(1), before.total(1));
    EXPECT_GE(tokens[0], 0);
    EXPECT_GE(tokens[2], 0);
  }
}

TEST(BadInput, E28_AForgedSaveThatCountsAllBytesThereAreEndsItsRow) {
  host_engine engine;
  const StopTable table = stop_strings(Words{"a", "bb", "c"}, {"cab"});
  const auto none = chain();
  const auto stop = criterion(StopStrings{table});
  StepState state = state_of(engine, none, stop, 3, {{.prompt = {0}}});
  const std::vector<std::byte> blob = save_row(engine, state, 0);
  const std::size_t bytes_at = blob.size() - 8 - 32 + 8;  // the slot's second word pair
  const auto with_bytes = [&](std::int64_t bytes) {
    std::vector<std::byte> forged = blob;
    std::memcpy(forged.data() + bytes_at, &bytes, sizeof bytes);
    const std::int64_t body = static_cast<std::int64_t>(forged.size()) - 8;
    const std::uint64_t sum = logitchain::detail::checksum(forged.data(), body);
    std::memcpy(forged.data() + body, &sum, sizeof sum);
    release(engine, state, 0);
    load_row(engine, state, 0, forged);
    commit(engine, none, stop, state, Ids{1});
    return state.status(0);
  };
  EXPECT_EQ(with_bytes(0), Status::ok);
  EXPECT_EQ(with_bytes(std::int64_t{1} << 50), Status::ok);
  EXPECT_EQ(with_bytes(std::numeric_limits<std::int64_t>::max()), Status::invalid_table);
  EXPECT_EQ(with_bytes(-1), Status::invalid_table);
  EXPECT_EQ(with_bytes(std::numeric_limits<std::int64_t>::min()), Status::invalid_table);
}

TEST(BadInput, E48_ATableOfAnotherVocabularyOrModelIsRefused) {
  host_engine engine;
  const auto none = chain();
  const Words pieces = {"a", "b", "c", "d"};
  const StopTable small = stop_strings(pieces, {"ab"});
  const StopTable wide = stop_strings(pieces, {"ab"}, 5);
  const StopTable other = stop_strings(Words{"b", "a", "c", "d"}, {"ab"});
  const auto with_small = criterion(StopStrings{small});
  const auto with_wide = criterion(StopStrings{wide});
  const auto with_other = criterion(StopStrings{other});
  EXPECT_EQ(refusal_of([&] { state_of(engine, none, with_wide, 4, {RowStart{}}); }),
            "StopStrings: the vocabulary of table is 5; it must be at most 4, the state's");
  StepState state = state_of(engine, none, with_small, 4, {{.prompt = {0}}, {.prompt = {0}}});
  const std::vector<float> logits = {1, 1, 1, 1};
  step(engine, none, with_other, state, host_logits(logits.data(), 2, 4, 0));
  EXPECT_EQ(state.status(0), Status::invalid_table) << "it was begun with another table";
  EXPECT_EQ(state.total(0), 1);
}

TEST(BadInput, E48_ARowMovedToAnotherTableEndsByTheFirstFaultOfItsChain) {
  host_engine engine;
  const BiasTable one = sequence_bias({{{1, 2}, 3.0}}, VOCAB);
  const BiasTable other = sequence_bias({{{5}, 1.0}}, VOCAB);
  const std::vector<BiasTableView> views = {one.view(), other.view()};
  std::vector<std::int32_t> index = {0, 0, -1};
  std::vector<float> temperatures = {1, 1, 1};
  const SequenceBias bias{{host_span<const BiasTableView>(views), per_row(index)}};
  const Temperature warm{per_row(temperatures)};
  const std::vector<float> logits(index_of(VOCAB), 1.0f);
  const auto statuses = [&](const auto& sampler) {
    index = {0, 0, -1};
    temperatures = {1, 1, 1};
    StepState state = state_of(engine, sampler, criterion(), VOCAB, std::vector<RowStart>(3));
    index = {1, 0, 0};  // row 2 is given a table that its prompt never walked
    temperatures = {-1, -1, 1};
    step(engine, sampler, criterion(), state, host_logits(logits.data(), 3, VOCAB, 0));
    return std::vector<Status>{state.status(0), state.status(1), state.status(2)};
  };
  EXPECT_EQ(statuses(chain(bias, warm)),
            (std::vector<Status>{Status::invalid_table, Status::invalid_parameter,
                                 Status::invalid_table}));
  EXPECT_EQ(statuses(chain(warm, bias)),
            (std::vector<Status>{Status::invalid_parameter, Status::invalid_parameter,
                                 Status::invalid_table}));
}

TEST(BadInput, E48_ATableThatWasMovedFromIsStillWhole) {
  BiasTable bias = sequence_bias({{{1}, 2.0}}, VOCAB);
  StopTable stop = stop_strings(Words{"a"}, {"aa"});
  const BiasTable bias_moved = std::move(bias);
  const StopTable stop_moved = std::move(stop);
  // Not a mistake of the test: what is left is what is asked for.
  EXPECT_EQ(bias.view().tag(), bias_moved.tag());   // NOLINT(bugprone-use-after-move)
  EXPECT_EQ(stop.string(0), stop_moved.string(0));  // NOLINT(bugprone-use-after-move)
  bias = sequence_bias({{{2}, 1.0}}, VOCAB);
  EXPECT_NE(bias.tag(), bias_moved.tag());
}

TEST(BadInput, E49_SequencesOfAnyLengthActWhereTheWholeBeginningIsThere) {
  constexpr std::int64_t LONG = 1000;
  std::vector<std::int64_t> sequence;
  for (std::int64_t i = 0; i < LONG; ++i) sequence.push_back(i % 3);
  const BiasTable table = sequence_bias(
      {{sequence, 4.0}, {{2}, 0.5}, {{1, 2}, 0.25}, {{1, 1}, 8.0}, {{3}, 0.0}}, VOCAB);
  const std::vector<float> zeros(index_of(VOCAB), 0.0f);
  host_engine engine;
  const auto biased = chain(SequenceBias{table});
  const auto bias_behind = [&](std::int64_t skipped, std::int64_t count, std::int64_t token) {
    RowStart start;
    start.prompt.assign(sequence.begin() + skipped, sequence.begin() + skipped + count);
    StepState state = state_of(engine, biased, criterion(), VOCAB, {start}, 2000);
    std::vector<float> scores(zeros.size());
    apply(engine, biased, state, host_logits(zeros.data(), 1, VOCAB),
          host_scores(scores.data(), 1, VOCAB));
    return scores[index_of(token)];
  };
  // The sequence ends in token 0; it needs a history of its own length, as the reference has it.
  EXPECT_EQ(bias_behind(0, 0, 2), 0.5f);
  EXPECT_EQ(bias_behind(0, 2, 2), 0.75f);
  EXPECT_EQ(bias_behind(0, LONG - 1, 0), 0.0f) << "as long as the sequence less one";
  EXPECT_EQ(bias_behind(1, LONG - 1, 0), 0.0f);
  sequence.insert(sequence.begin(), 9);
  EXPECT_EQ(bias_behind(0, LONG, 0), 4.0f);
  EXPECT_EQ(bias_behind(1, LONG - 1, 0), 0.0f);
  EXPECT_EQ(bias_behind(0, LONG, 3), 0.0f) << "a bias of 0";
}

TEST(BadInput, E50_LongNGramsOfALongHistoryAreFoundInLinearTime) {
  constexpr std::int64_t LENGTH = 1000000;
  host_engine engine;
  const std::vector<float> logits(8, 0.0f);
  const auto kept_of = [&](std::int64_t size, std::int64_t period) {
    const auto bans = chain(NoRepeatNGram{size}, PromptNoRepeatNGram{size});
    RowStart start;
    for (std::int64_t i = 0; i < LENGTH; ++i) start.prompt.push_back(i % period == 0 ? 5 : 6);
    StepState state = state_of(engine, bans, criterion(), 8, {start}, LENGTH + 4);
    std::vector<float> scores(8);
    apply(engine, bans, state, host_logits(logits.data(), 1, 8), host_scores(scores.data(), 1, 8));
    return kept(scores);
  };
  const std::vector<int> all = {0, 1, 2, 3, 4, 5, 6, 7};
  const std::vector<int> but_5 = {0, 1, 2, 3, 4, 6, 7};
  // Window by window, the long sizes would take hours here, and hit the test's time limit.
  for (const std::int64_t size : {2, 15, 16, 17, 1000, 500000, 999000}) {
    EXPECT_EQ(kept_of(size, 1), but_5) << size;
    EXPECT_EQ(kept_of(size, 500), size < 500 ? (std::vector<int>{0, 1, 2, 3, 4, 7}) : but_5)
        << size;
  }
  EXPECT_EQ(kept_of(0, 1), all);
  EXPECT_EQ(kept_of(LENGTH, 1), but_5) << "its beginning is the history less its first token";
  EXPECT_EQ(kept_of(LENGTH + 1, 1), all);
  EXPECT_EQ(kept_of(2147483647, 1), all);
}

TEST(BadInput, E50_ALongListOfEndsInRisingOrderIsReadOnce) {
  host_engine engine;
  std::vector<std::int32_t> eos(1000000);
  for (std::size_t i = 0; i < eos.size(); ++i) eos[i] = static_cast<std::int32_t>(i);
  const auto decay = chain(ExponentialDecayLengthPenalty{0, 2, eos});
  const auto vocab = static_cast<std::int64_t>(eos.size());
  StepState state = state_of(engine, decay, criterion(), vocab, {RowStart{.generated = {1}}});
  const std::vector<float> ones(eos.size(), 1.0f);
  std::vector<float> scores(eos.size());
  apply(engine, decay, state, host_logits(ones.data(), 1, vocab),
        host_scores(scores.data(), 1, vocab));
  EXPECT_EQ(scores, std::vector<float>(eos.size(), 2.0f));
}

}  // namespace
