// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include <logitchain/logitchain.hpp>

namespace lc = logitchain;
using testing::HasSubstr;
using testing::Not;

namespace {

TEST(Explain, NamesPassesWhatTheyComputeAndWhatTheyRead) {
  const auto chain =
      lc::chain(lc::RepetitionPenalty{1.5}, lc::Temperature{0.75}, lc::TopK{20}, lc::TopP{0.5});
  const auto stop = lc::criterion(lc::EndOfSequence{2}, lc::MaxNewTokens{64});
  const std::string text = lc::explain(chain, stop);
  EXPECT_THAT(text, HasSubstr("pass 1 over the whole row: RepetitionPenalty{penalty = 1.5"));
  EXPECT_THAT(text,
              HasSubstr("(its tokens only), Temperature{value = 0.75} | maximum | TopK{k = 20"));
  EXPECT_THAT(text, HasSubstr("pass 2 over the survivors: total mass | TopP{p = 0.5"));
  EXPECT_THAT(text, HasSubstr("(maximum known from the pass before)"));
  EXPECT_THAT(text, HasSubstr("pass 3 over the survivors: total mass | draw"));
  EXPECT_THAT(text, HasSubstr("stop at: EndOfSequence{eos = [2]}, MaxNewTokens{count = 64}, the "
                              "row's budget"));
  EXPECT_THAT(text, Not(HasSubstr("warning")));
}

TEST(Explain, WarnsWhereABanFollowsAFilter) {
  const auto good = lc::chain(lc::SuppressTokens{{1, 2}}, lc::TopK{2});
  const auto late = lc::chain(lc::TopK{2}, lc::SuppressTokens{{1, 2}});
  EXPECT_THAT(lc::explain(good, lc::criterion()), Not(HasSubstr("warning")));
  EXPECT_THAT(
      lc::explain(late, lc::criterion()),
      HasSubstr("warning: SuppressTokens (position 1) bans tokens after TopK (position 0)"));
}

TEST(Explain, TellsWhatWasDropped) {
  const auto chain = lc::chain(lc::TopK{20}, lc::Greedy{});
  EXPECT_THAT(lc::explain(chain, lc::criterion()), HasSubstr("dropped: TopK{k = 20"));
}

TEST(Explain, TellsThatRemovedTokensKeepTheirPlace) {
  const auto chain = lc::chain(lc::TopK{20}, lc::RemoveInvalidValues{});
  EXPECT_THAT(lc::explain(chain, lc::criterion()), HasSubstr("may revive them"));
}

TEST(Explain, SaysPerRowWhereNumbersAre) {
  const std::vector<std::int32_t> ks{1, 2, 3};
  const auto chain = lc::chain(lc::TopK{lc::per_row(ks)},
                               [](const lc::RowView&, int, float score) { return score; });
  const std::string text = lc::explain(chain, lc::criterion());
  EXPECT_THAT(text, HasSubstr("TopK{k = per row"));
  EXPECT_THAT(text, HasSubstr("your own"));
}

TEST(Fingerprint, HoldsVersionStagesAndNumbers) {
  const auto stop = lc::criterion(lc::MaxNewTokens{64});
  const std::string text = lc::fingerprint(lc::chain(lc::Temperature{0.1}, lc::TopK{20}), stop);
  EXPECT_THAT(text, HasSubstr("logitchain 0.1.0, arithmetic 1, chain(Temperature{value = 0.1"));
  EXPECT_THAT(text, HasSubstr("criterion(MaxNewTokens{count = 64})"));
}

TEST(Fingerprint, ChangesWithEveryNumberAndWithTheOrder) {
  const auto stop = lc::criterion();
  const auto of = [&](const auto& chain) { return lc::fingerprint(chain, stop); };
  const std::string one = of(lc::chain(lc::Temperature{0.7}, lc::TopK{20}));
  EXPECT_EQ(one, of(lc::chain(lc::Temperature{0.7}, lc::TopK{20})));
  EXPECT_NE(one, of(lc::chain(lc::Temperature{0.70000000000000007}, lc::TopK{20})));
  EXPECT_NE(one, of(lc::chain(lc::Temperature{0.7}, lc::TopK{21})));
  EXPECT_NE(one, of(lc::chain(lc::TopK{20}, lc::Temperature{0.7})));
}

TEST(Fingerprint, ChangesWithAnyIdOfALongList) {
  std::vector<std::int32_t> ids = {1, 2, 3, 4, 5, 6, 7, 8, 9};
  const auto text = [&] {
    return lc::fingerprint(lc::chain(lc::SuppressTokens{ids}), lc::criterion());
  };
  const std::string before = text();
  EXPECT_EQ(text(), before);
  ids.back() = 10;
  EXPECT_NE(text(), before);
}

TEST(Fingerprint, ChangesWithATable) {
  const std::vector<std::string> pieces{"a", "b", "ab"};
  const std::vector<std::string> one{"ab"};
  const std::vector<std::string> other{"ba"};
  const lc::StopTable first = lc::stop_strings(pieces, one);
  const lc::StopTable second = lc::stop_strings(pieces, other);
  EXPECT_NE(lc::fingerprint(lc::chain(), lc::criterion(lc::StopStrings{first})),
            lc::fingerprint(lc::chain(), lc::criterion(lc::StopStrings{second})));
}

}  // namespace
