// SPDX-License-Identifier: Apache-2.0
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <map>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <logitchain/build/stop_table.hpp>
#include <logitchain/criteria/stop_strings.hpp>
#include <logitchain/engine/host/host_engine.hpp>
#include <logitchain/engine/host/rows.hpp>
#include <logitchain/engine/host/save.hpp>

#include "support/state_doubles.hpp"
#include "support/walking_stage.hpp"

namespace {

using namespace logitchain;
using namespace logitchain_test;

class SavedRow : public ::testing::Test {
 protected:
  host_engine engine;
  Chain<WalkingTransform> walking = chain(WalkingTransform{});
  Criterion<WalkingRule> stop = criterion(WalkingRule{{}, 2});
  StepState state = make(3, 12);
  std::vector<std::byte> blob;

  StepState make(std::int64_t rows, std::int64_t capacity, std::int64_t vocab = 16) {
    return StepState(engine, {.rows = rows, .capacity = capacity, .vocab = vocab, .seed = 7},
                     needs(walking, stop));
  }
  void SetUp() override {
    admit(engine, walking, stop, state,
          {.row = 1, .prompt = {5, 99, 5, 6}, .generated = {7}, .seed = 4, .budget = 5});
    commit_token(state.view(), 1, 5, walking, stop);
    blob = save_row(engine, state, 1);
  }
  /// The blob with `bytes` at `offset` and a checksum that is right again.
  std::vector<std::byte> forged(std::size_t offset, std::vector<int> bytes) const {
    std::vector<std::byte> other = blob;
    for (std::size_t i = 0; i < bytes.size(); ++i) {
      other[offset + i] = static_cast<std::byte>(bytes[i]);
    }
    const std::size_t body = other.size() - 8;
    const std::uint64_t sum = detail::checksum(other.data(), static_cast<std::int64_t>(body));
    for (std::size_t i = 0; i < 8; ++i) other[body + i] = static_cast<std::byte>(sum >> (8 * i));
    return other;
  }
  template <class Error = runtime_error>
  std::string refusal(host_span<const std::byte> bytes) {
    return text_of_error<Error>([&] { load_row(engine, state, 0, bytes); });
  }
};

TEST_F(SavedRow, GoesOnInAnotherSlotAndStateAsIfItHadStayed) {
  for (const std::int64_t capacity : {12, 9, 500}) {
    StepState other = make(40, capacity);
    admit(engine, walking, stop, other, {.row = 33, .prompt = {1, 2, 3, 4}});
    release(engine, other, 33);
    load_row(engine, other, 33, blob);
    ASSERT_EQ(image_of(other, 33), image_of(state, 1));
    EXPECT_EQ(other.admission(33), state.admission(1));
    StepState home = make(3, 12);
    load_row(engine, home, 1, blob);
    for (const std::int64_t token : {8, 5, 2, 1}) {
      commit_token(home.view(), 1, token, walking, stop);
      commit_token(other.view(), 33, token, walking, stop);
      ASSERT_EQ(image_of(other, 33), image_of(home, 1));
    }
    EXPECT_EQ(other.status(33), Status::finished);
    EXPECT_EQ(other.finish(33).entry, 4);
  }
}

TEST_F(SavedRow, IsTheSameBytesOnEveryMachine) {
  StepState one(engine, {.rows = 1, .capacity = 4, .vocab = 3, .seed = 7}, {});
  const auto nothing = chain();
  const auto never = criterion();
  admit(engine, nothing, never, one, {.row = 0, .prompt = {258}, .seed = 0x0102030405060708u});
  const std::vector<std::byte> bytes = save_row(engine, one, 0);
  const int wanted[] = {
      0x89, 'L', 'C', 'N', 'R', 'O', 'W', 0,              // mark
      1,    0,   0,   0,   3,   0,   0,   0,              // version, vocabulary
      0,    0,   0,   0,   0,   0,   0,   0,              // automata
      1,    0,   0,   0,   0,   0,   0,   0, 3, 0, 0, 0,  // prompt, generated, budget
      8,    7,   6,   5,   4,   3,   2,   1,              // seed
      0,    0,   0,   0,   0,   0,   0,   0,              // admission
      0,    0,   0,   0,   0,   0,   0,   0,              // finish: begin,
      255,  255, 255, 255, 255, 255, 0,   1,              // entry, criterion; status, active
      0,    0,   0,   0,   92,  0,   0,   0, 0, 0, 0, 0,  // reserved, bytes
      2,    1,   0,   0};                                 // history
  ASSERT_EQ(bytes.size(), std::size(wanted) + 8);
  for (std::size_t i = 0; i < std::size(wanted); ++i) {
    EXPECT_EQ(std::to_integer<int>(bytes[i]), wanted[i]) << "byte " << i;
  }
}

TEST_F(SavedRow, KeepsWhyItEnded) {
  commit_token(state.view(), 1, 2, walking, stop);
  ASSERT_EQ(state.status(1), Status::finished);
  load_row(engine, state, 2, save_row(engine, state, 1));
  EXPECT_EQ(image_of(state, 2), image_of(state, 1));
  EXPECT_FALSE(state.active(2));
}

TEST_F(SavedRow, KeepsEveryBitOfItsAutomata) {
  const std::vector<std::string> pieces = {"a", "b", "ab"};
  const StopTable table = stop_strings(pieces, std::vector<std::string>{"bb"});
  for (const bool from_prompt : {false, true}) {
    const auto text = criterion(StopStrings{table, from_prompt});
    StepState home(engine, {.rows = 2, .capacity = 12, .vocab = 3, .seed = 7},
                   needs(walking, text));
    admit(engine, walking, text, home, {.row = 0, .prompt = {0, 1}});
    commit_token(home.view(), 0, 2, walking, text);
    EXPECT_EQ(home.view().criterion_slots_of(0)[0].passes_prompt, from_prompt ? 0u : 1u);
    load_row(engine, home, 1, save_row(engine, home, 0));
    EXPECT_EQ(save_row(engine, home, 1), save_row(engine, home, 0));
    EXPECT_EQ(image_of(home, 1), image_of(home, 0));
    EXPECT_EQ(home.view().criterion_slots_of(1)[0].passes_prompt, from_prompt ? 0u : 1u);
    commit_token(home.view(), 0, 1, walking, text);
    ASSERT_EQ(home.status(0), Status::finished);
    release(engine, home, 1);
    load_row(engine, home, 1, save_row(engine, home, 0));
    EXPECT_EQ(home.finish(1).begin, 1);
    EXPECT_EQ(home.finish(1).begin, home.finish(0).begin);
  }
}

TEST_F(SavedRow, IsRefusedAtEveryLengthButItsOwn) {
  for (std::size_t size = 0; size < blob.size(); ++size) {
    const std::vector<std::byte> cut(blob.begin(),
                                     blob.begin() + static_cast<std::ptrdiff_t>(size));
    ASSERT_NE(refusal(cut), "") << size << " bytes";
  }
  std::vector<std::byte> longer = blob;
  longer.push_back(std::byte{0});
  EXPECT_EQ(refusal(longer), "load_row: the blob says that it has 176 bytes and has 177");
  EXPECT_EQ(refusal({blob.data(), 40}),
            "load_row: the blob has 40 bytes; a saved row has at least 88");
  EXPECT_EQ(image_of(state, 0), RowImage{});
}

TEST_F(SavedRow, IsRefusedWithAnyBitOfItChanged) {
  for (std::size_t i = 0; i < blob.size(); ++i) {
    for (int bit = 0; bit < 8; ++bit) {
      std::vector<std::byte> other = blob;
      other[i] ^= static_cast<std::byte>(1 << bit);
      ASSERT_NE(refusal(other), "") << "bit " << bit << " of byte " << i;
    }
  }
  EXPECT_EQ(image_of(state, 0), RowImage{});
}

TEST_F(SavedRow, SaysWhatIsWrongWithIt) {
  EXPECT_EQ(refusal(forged(0, {0})), "load_row: the blob is not a saved row");
  EXPECT_EQ(refusal(forged(8, {2})),
            "load_row: the blob has version 2; this library reads version 1");
  std::vector<std::byte> flipped = blob;
  flipped[90] ^= std::byte{1};
  EXPECT_EQ(refusal(flipped),
            "load_row: the blob's checksum is wrong; it was changed after it was "
            "saved");
  EXPECT_EQ(refusal(forged(24, {3})),
            "load_row: the blob's lengths contradict its size of 176 bytes");
  EXPECT_EQ(refusal(forged(24, {255, 255, 255, 255})),
            "load_row: the blob's lengths contradict its size of 176 bytes");
  EXPECT_EQ(refusal(forged(83, {128})), "load_row: token 0 of the blob is negative");
}

TEST_F(SavedRow, IsRefusedWhereItContradictsItself) {
  const std::string status = "load_row: the blob's status and finish reason contradict each other";
  const std::string budget = "load_row: the blob's budget contradicts its status";
  EXPECT_EQ(refusal(forged(66, {1})), status) << "finished and active";
  EXPECT_EQ(refusal(forged(66, {2, 0})), status) << "released";
  EXPECT_EQ(refusal(forged(66, {8, 0})), status) << "no such status";
  EXPECT_EQ(refusal(forged(67, {0})), status) << "ok and not active";
  EXPECT_EQ(refusal(forged(67, {2})), status) << "neither active nor not";
  EXPECT_EQ(refusal(forged(64, {0, 0})), status) << "a reason and no end";
  EXPECT_EQ(refusal(forged(64, {254, 255})), status) << "no such reason";
  EXPECT_EQ(refusal(forged(68, {1})), status) << "reserved bytes";
  EXPECT_EQ(refusal(forged(32, {2})), budget) << "spent and active";
  EXPECT_EQ(refusal(forged(32, {0, 0, 0, 128})), budget) << "negative";
  EXPECT_EQ(refusal(forged(64, {255, 127, 1, 0})), budget) << "ended by a budget that is not spent";
  EXPECT_EQ(refusal(forged(0, {0x89})), "") << "forging nothing leaves a good blob";
}

TEST_F(SavedRow, IsRefusedByAStateThatItDoesNotFit) {
  const auto text = [&](StepState other) {
    return text_of_error([&] { load_row(engine, other, 0, blob); });
  };
  EXPECT_EQ(text(make(1, 12, 17)),
            "load_row: the row was saved with a vocabulary of 16 tokens and the state has 17");
  EXPECT_EQ(text(make(1, 8)),
            "load_row: the row has 6 tokens and room for 9, its prompt and budget; a row of this "
            "state holds 8");
  EXPECT_EQ(
      text(StepState(engine, {.rows = 1, .capacity = 12, .vocab = 16}, {true, 1, 2})),
      "load_row: the row was saved with 1 and 1 automata of chain and criterion and the state "
      "has 1 and 2; the states must be made with the same needs");
}

TEST_F(SavedRow, NeedsRoomForMoreTokensThanItsBudgetWhereItCameBackWithThem) {
  admit(engine, walking, stop, state,
        {.row = 0, .prompt = {1}, .generated = {3, 4, 5}, .budget = 1});
  ASSERT_EQ(state.finish(0).criterion, BUDGET_SPENT);
  const std::vector<std::byte> over = save_row(engine, state, 0);
  StepState small = make(1, 3);
  EXPECT_EQ(text_of_error([&] { load_row(engine, small, 0, over); }),
            "load_row: the row has 4 tokens and room for 2, its prompt and budget; a row of this "
            "state holds 3");
  StepState large = make(1, 4);
  load_row(engine, large, 0, over);
  EXPECT_EQ(image_of(large, 0), image_of(state, 0));
}

TEST_F(SavedRow, NeedsNoListOfDistinctTokensWhereItComesFrom) {
  const auto nothing = chain();
  const auto never = criterion();
  StepState bare(engine, {.rows = 1, .capacity = 12, .vocab = 16, .seed = 7}, {});
  admit(engine, nothing, never, bare, {.row = 0, .prompt = {5, 6}, .generated = {5}});
  StepState listing(engine, {.rows = 1, .capacity = 12, .vocab = 16}, {true, 0, 0});
  load_row(engine, listing, 0, save_row(engine, bare, 0));
  EXPECT_EQ(image_of(listing, 0).seen,
            (std::map<std::int32_t, SeenEntry>{{5, {1, true, 2}}, {6, {0, true, 1}}}));
}

TEST_F(SavedRow, TakesNoSlotThatGeneratesAndComesFromNoneThatIsEmpty) {
  EXPECT_EQ(text_of_error([&] { load_row(engine, state, 1, blob); }),
            "load_row: row 1 is still generating; release it first");
  EXPECT_EQ(text_of_error([&] { load_row(engine, state, 3, blob); }),
            "load_row: row is 3; it must be in [0, 2]");
  EXPECT_EQ(text_of_error([&] { (void)save_row(engine, state, -1); }),
            "save_row: row is -1; it must be in [0, 2]");
  EXPECT_EQ(text_of_error([&] { (void)save_row(engine, state, 0); }),
            "save_row: row 0 holds nothing");
}

}  // namespace
