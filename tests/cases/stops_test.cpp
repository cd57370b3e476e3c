// SPDX-License-Identifier: Apache-2.0
// Failures of other stop checks: text of the prompt, several events in one step, ids that do not
// exist.
#include <cstdint>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <logitchain/logitchain.hpp>

#include "support/engine.hpp"

namespace {

using namespace logitchain;
using namespace logitchain_test;

using Ids = std::vector<std::int32_t>;

const auto NONE = chain();

/// A row with this prompt, after these tokens came in one commit.
template <class StopType>
StepState committed(host_engine& engine, const StopType& stop, std::int64_t vocab,
                    const std::vector<std::int64_t>& prompt, const Ids& tokens) {
  StepState state = state_of(engine, NONE, stop, vocab, {RowStart{.prompt = prompt}});
  commit(engine, NONE, stop, state, tokens, Ids{static_cast<std::int32_t>(tokens.size())});
  return state;
}

TEST(StopStrings, S04_InThePromptDoNotEndTheRow) {
  host_engine engine;
  const std::vector<std::string> pieces = {"Observation:\nObser", "x", "vation:"};
  const StopTable table = stop_strings(pieces, {"Observation:"});
  for (const bool from_prompt : {true, false}) {
    const auto stop = criterion(StopStrings{table, from_prompt});
    EXPECT_EQ(committed(engine, stop, 3, {0}, {1}).status(0), Status::ok);
  }
  const auto from_prompt = criterion(StopStrings{table, true});
  const StepState stopped_row = committed(engine, from_prompt, 3, {0}, {2});
  EXPECT_EQ(stopped_row.status(0), Status::finished);
  EXPECT_EQ(stopped_row.finish(0).begin, -5);
  const auto generated_only = criterion(StopStrings{table, false});
  EXPECT_EQ(committed(engine, generated_only, 3, {0}, {2}).status(0), Status::ok);
}

TEST(TwoStops, S05_InOneCommitTheEarliestTokenWins) {
  host_engine engine;
  const std::vector<std::string> pieces = {"foo ", "STOP", " bar", "", "foo"};
  const StopTable table = stop_strings(pieces, {"STOP"});
  const auto stop = criterion(StopStrings{table}, EndOfSequence{3});

  const StepState by_text = committed(engine, stop, 5, {}, {0, 1, 2, 3});
  EXPECT_EQ(by_text.position(0), 2);
  EXPECT_EQ(by_text.finish(0).criterion, 0);
  EXPECT_EQ(by_text.finish(0).begin, 4);  // the text is "foo "

  const StepState by_id = committed(engine, stop, 5, {}, {4, 3, 1});
  EXPECT_EQ(by_id.position(0), 2);
  EXPECT_EQ(by_id.finish(0).criterion, 1);
  EXPECT_EQ(by_id.finish(0).entry, 0);
}

TEST(TwoStops, S05_BeyondTheLengthBecomeTheLength) {
  host_engine engine;
  const std::vector<std::string> pieces = {"foo ", "STOP", " bar", "", "foo"};
  const StopTable table = stop_strings(pieces, {"STOP"});
  const auto stop = criterion(StopStrings{table}, EndOfSequence{3}, MaxNewTokens{2});
  const StepState state = committed(engine, stop, 5, {}, {0, 2, 1, 3});
  EXPECT_EQ(state.position(0), 2);
  EXPECT_EQ(state.finish(0).criterion, 2);
  const StepState at_once = committed(engine, stop, 5, {}, {0, 1});  // text before the length
  EXPECT_EQ(at_once.finish(0).criterion, 0);
}

TEST(AListOfIds, B19_OutsideOfTheVocabularyIsRefusedByName) {
  host_engine engine;
  EXPECT_EQ(refusal_of([] { chain(MinNewTokens{1, {7, 11, -1}}); }),
            "MinNewTokens: eos[2] is -1; it must be >= 0");
  const auto text = [&](const auto& chain, const auto& stop) {
    return refusal_of([&] { state_of(engine, chain, stop, 8, {RowStart{}, RowStart{}}); });
  };
  const std::string eleven = " is 11; it must be in [0, 8)";
  EXPECT_EQ(text(chain(MinNewTokens{1, {7, 11}}), criterion()), "MinNewTokens: eos[1]" + eleven);
  EXPECT_EQ(text(chain(MinLength{1, {7, 11}}), criterion()), "MinLength: eos[1]" + eleven);
  EXPECT_EQ(text(chain(SuppressTokens{11}), criterion()), "SuppressTokens: tokens[0]" + eleven);
  EXPECT_EQ(text(chain(BeginSuppressTokens{11, 0}), criterion()),
            "BeginSuppressTokens: tokens[0]" + eleven);
  EXPECT_EQ(text(chain(ForcedEOS{11}), criterion()), "ForcedEOS: eos[0]" + eleven);
  EXPECT_EQ(text(chain(ExponentialDecayLengthPenalty{1, 1.5, 11}), criterion()),
            "ExponentialDecayLengthPenalty: eos[0]" + eleven);
  EXPECT_EQ(text(chain(), criterion(EndOfSequence{{7, 11}})), "EndOfSequence: eos[1]" + eleven);
  EXPECT_NE(refusal_of([] { bad_words({{7}, {3, 11}}, {}, 8); }).find("11"), std::string::npos);
  EXPECT_NE(refusal_of([] { sequence_bias({{{-1, 3}, 1.0}}, 8); }).find("-1"), std::string::npos);
  const BiasTable wide = sequence_bias({{{11}, 1.0}}, 12);
  EXPECT_EQ(text(chain(SequenceBias{wide}), criterion()),
            "SequenceBias: the vocabulary of table is 12; it must be at most 8, the state's");
}

TEST(MinNewTokens, B19_MasksItsIdsInItsOwnRowOnly) {
  host_engine engine;
  const std::vector<std::int32_t> counts = {1, 0};
  const auto rule = chain(MinNewTokens{per_row(counts), 7});
  StepState state = state_of(engine, rule, criterion(), 8, {RowStart{}, RowStart{}});
  const std::vector<float> logits(16, 1.0f);
  std::vector<float> scores(16);
  apply(engine, rule, state, host_logits(logits.data(), 2, 8), host_scores(scores.data(), 2, 8));
  std::vector<float> expected(16, 1.0f);
  expected[7] = FILTER;
  EXPECT_EQ(scores, expected);
}

TEST(ForcedBOS, B19_OutsideOfTheVocabularyTouchesNothing) {
  host_engine engine;
  const std::vector<std::int32_t> tokens = {11, -1};
  const auto rule = chain(ForcedBOS{per_row(tokens)});
  StepState state =
      state_of(engine, rule, criterion(), 8, {RowStart{.prompt = {1}}, RowStart{.prompt = {1}}});
  const std::vector<float> logits = {0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 30, 4, 5, 6, 7};
  std::vector<std::int32_t> drawn(2);
  step(engine, rule, criterion(), state, host_logits(logits.data(), 2, 8), {.tokens = drawn});
  EXPECT_EQ(drawn, (Ids{-1, 3}));
  EXPECT_NE(state.status(0), Status::ok);
  EXPECT_EQ(state.total(0), 1);
}

}  // namespace
