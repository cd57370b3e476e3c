// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <vector>

#include <logitchain/logitchain.hpp>

namespace lc = logitchain;

namespace {

/// The text of the error that `make` throws, or "accepted".
template <class Make>
std::string refusal(Make make) {
  try {
    make();
  } catch (const lc::error& error) {
    return error.what();
  }
  return "accepted";
}

TEST(Chain, RefusesANumberWithItsNameItsValueAndItsRange) {
  EXPECT_EQ(refusal([] { lc::chain(lc::TopP{1.3}); }), "TopP: p is 1.3; it must be in [0, 1]");
  EXPECT_EQ(refusal([] { lc::chain(lc::TopK{-3}); }),
            "TopK: k is -3; it must be in [0, 2147483647]");
  EXPECT_EQ(refusal([] { lc::chain(lc::Temperature{-0.5}); }),
            "Temperature: value is -0.5; it must be finite and >= 0");
}

TEST(Chain, RefusesNaNAndInfinityEverywhere) {
  constexpr double NAN_VALUE = std::numeric_limits<double>::quiet_NaN();
  constexpr double INFINITE = std::numeric_limits<double>::infinity();
  for (const double bad : {NAN_VALUE, INFINITE, -INFINITE}) {
    EXPECT_NE(refusal([&] { lc::chain(lc::Temperature{bad}); }), "accepted");
    EXPECT_NE(refusal([&] { lc::chain(lc::TopP{bad}); }), "accepted");
    EXPECT_NE(refusal([&] { lc::chain(lc::MinP{bad}); }), "accepted");
    EXPECT_NE(refusal([&] { lc::chain(lc::Typical{bad}); }), "accepted");
    EXPECT_NE(refusal([&] { lc::chain(lc::EpsilonCutoff{bad}); }), "accepted");
    EXPECT_NE(refusal([&] { lc::chain(lc::EtaCutoff{bad}); }), "accepted");
    EXPECT_NE(refusal([&] { lc::chain(lc::TopH{bad}); }), "accepted");
    EXPECT_NE(refusal([&] { lc::chain(lc::RepetitionPenalty{bad}); }), "accepted");
    EXPECT_NE(refusal([&] { lc::chain(lc::PromptRepetitionPenalty{bad}); }), "accepted");
    EXPECT_NE(refusal([&] { lc::chain(lc::FrequencyPenalty{bad}); }), "accepted");
    EXPECT_NE(refusal([&] { lc::chain(lc::PresencePenalty{bad}); }), "accepted");
    EXPECT_NE(refusal([&] { lc::chain(lc::ExponentialDecayLengthPenalty{1, bad, 2}); }),
              "accepted");
  }
}

TEST(Chain, AcceptsEveryOffValue) {
  EXPECT_EQ(refusal([] {
              lc::chain(lc::Temperature{1}, lc::TopK{0}, lc::TopP{1}, lc::MinP{0}, lc::Typical{1},
                        lc::EpsilonCutoff{0}, lc::EtaCutoff{0}, lc::TopH{0},
                        lc::RepetitionPenalty{1}, lc::PromptRepetitionPenalty{1},
                        lc::FrequencyPenalty{0}, lc::PresencePenalty{0}, lc::NoRepeatNGram{0},
                        lc::PromptNoRepeatNGram{0}, lc::BeginSuppressTokens{{1}, -1},
                        lc::ForcedBOS{-1}, lc::MinLength{0, 2}, lc::MinNewTokens{0, 2});
              lc::criterion(lc::MaxNewTokens{0}, lc::MaxLength{0});
            }),
            "accepted");
}

TEST(Chain, DoesNotNarrowBeforeItChecks) {
  EXPECT_EQ(refusal([] { lc::chain(lc::TopK{std::int64_t{1} << 40}); }),
            "TopK: k is 1099511627776; it must be in [0, 2147483647]");
  EXPECT_EQ(refusal([] { lc::chain(lc::SuppressTokens{{7, -1}}); }),
            "SuppressTokens: tokens[1] is -1; it must be >= 0");
}

TEST(Chain, RefusesAnEmptyArrayOfNumbersPerRow) {
  const std::vector<std::int32_t> none;
  const std::vector<std::int32_t> room{1};
  lc::PerRow<std::int32_t> empty = lc::per_row(room);
  empty.count = 0;
  EXPECT_EQ(refusal([&] { lc::chain(lc::TopK{empty}); }),
            "TopK: the size of per_row k is 0; it must be >= 1");
}

TEST(Chain, HoldsTheSameTransformTwice) {
  const auto chain = lc::chain(lc::TopK{5}, lc::TopK{3});
  EXPECT_EQ(chain.stage<0>().k.value, 5);
  EXPECT_EQ(chain.stage<1>().k.value, 3);
}

TEST(Chain, IsRefusedAtAdmissionWhereAnIdLiesOutsideOfTheVocabulary) {
  lc::host_engine engine;
  const auto stop = lc::criterion();
  const auto refusal_for = [&](const auto& chain) {
    lc::StepState state(engine, {.rows = 1, .capacity = 8, .vocab = 4}, lc::needs(chain, stop));
    const lc::Request request{.row = 0, .prompt = {1}, .seed = 1};
    return refusal([&] { lc::admit(engine, chain, stop, state, request); });
  };
  EXPECT_EQ(refusal_for(lc::chain(lc::ForcedBOS{4})),
            "ForcedBOS: token is 4; it must be -1 or in [0, 4)");
  EXPECT_EQ(refusal_for(lc::chain(lc::ForcedBOS{3}, lc::ForcedBOS{-1})), "accepted");
  EXPECT_EQ(refusal_for(lc::chain(lc::SuppressTokens{{0, 7}})),
            "SuppressTokens: tokens[1] is 7; it must be in [0, 4)");
}

TEST(Criterion, RefusesNumbersAsAChainDoes) {
  EXPECT_EQ(refusal([] { lc::criterion(lc::MaxNewTokens{-1}); }),
            "MaxNewTokens: count is -1; it must be in [0, 2147483647]");
  EXPECT_EQ(refusal([] { lc::criterion(lc::EndOfSequence{{3, -2}}); }),
            "EndOfSequence: eos[1] is -2; it must be >= 0");
}

TEST(Needs, AreTheUnionOfChainAndCriterion) {
  const std::vector<std::string> pieces{"a", "b"};
  const lc::StopTable table = lc::stop_strings(pieces, std::vector<std::string>{"ab"});
  const lc::BiasTable bias = lc::sequence_bias({{{0, 1}, 1.0}}, 2);
  const auto plain = lc::chain(lc::TopK{5});
  const auto rich = lc::chain(lc::SequenceBias{bias}, lc::FrequencyPenalty{0.5});
  const auto stop = lc::criterion(lc::StopStrings{table});
  EXPECT_EQ(lc::needs(plain, lc::criterion()), (lc::Needs{false, 0, 0}));
  EXPECT_EQ(lc::needs(rich, stop), (lc::Needs{true, 1, 1}));
  EXPECT_EQ((lc::needs(plain, stop) | lc::needs(rich, lc::criterion())), lc::needs(rich, stop));
  EXPECT_TRUE(lc::needs(rich, stop).covers(lc::needs(plain, stop)));
  EXPECT_FALSE(lc::needs(plain, stop).covers(lc::needs(rich, stop)));
}

}  // namespace
