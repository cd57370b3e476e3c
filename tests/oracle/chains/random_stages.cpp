// SPDX-License-Identifier: Apache-2.0
#include <limits>
#include <utility>
#include <vector>

#include "oracle/chains/maker.hpp"

namespace oracle_test {

namespace {

constexpr double INFINITE = std::numeric_limits<double>::infinity();
constexpr double NOT_A_NUMBER = std::numeric_limits<double>::quiet_NaN();

/// The oracle's stages of all rows.
template <class Of>
std::vector<oracle::Stage> each(const Maker& maker, Of of) {
  std::vector<oracle::Stage> all;
  for (std::size_t i = 0; i < maker.rows(); ++i) all.push_back(of(i));
  return all;
}

double share(Random& random) {
  return random.one_of<double>({random.real(0, 1), random.real(0.8, 1), 0.5, 0.9, 0.95,
                                random.real(0, 0.05), 0.0, 1e-30, 1e-42, 1.0 - 0x1p-24, 1e-60});
}
double penalty(Random& random) {
  return random.one_of<double>(
      {1.1, 1.3, random.real(0.5, 2), 2.0, random.real(1, 1.2), 1e-3, 1e30, 1e-40, 3e38});
}
double subtracted(Random& random) {
  return random.one_of<double>(
      {0.1, 0.7, random.real(-2, 2), random.real(0, 0.5), 3e38, -3e38, 1e-40});
}
double small_share(Random& random) {
  return random.one_of<double>(
      {3e-4, 1e-3, random.real(0, 0.3), random.real(0, 0.01), 0.9, 1e-20, 1e-42, 1e-60});
}
std::int64_t count(Random& random, std::int64_t vocab) {
  return random.one_of<std::int64_t>({1, 2, random.integer(1, 50), random.integer(1, vocab), 20,
                                      vocab, vocab + 1, 2147483647, random.integer(1, 10)});
}

}  // namespace

Made<Temperature> make(Maker& maker, const Temperature*) {
  Random& r = maker.random();
  const auto value = maker.real(
      [&] {
        return r.one_of<double>({0.7, 0.0, r.real(0.1, 2), r.real(0.5, 1.5), 100.0, 1e-3, 1e-30,
                                 1e-38, 1e-44, 1e-60, -0.0, 0.3, 1e38});
      },
      1, r.one_of<double>({-1.0, INFINITE, NOT_A_NUMBER}));
  return {Temperature{value.param},
          each(maker, [&](std::size_t i) { return oracle::Temperature{value.of_row[i]}; })};
}

Made<RemoveInvalidValues> make(Maker& maker, const RemoveInvalidValues*) {
  return {{}, each(maker, [](std::size_t) { return oracle::RemoveInvalidValues{}; })};
}

Made<OwnMap> make(Maker& maker, const OwnMap*) {
  const float slope = static_cast<float>(maker.random().real(-1, 1));
  return {OwnMap{slope},
          each(maker, [&](std::size_t) { return oracle::OwnMap{static_cast<double>(slope)}; })};
}

Made<RepetitionPenalty> make(Maker& maker, const RepetitionPenalty*) {
  Random& r = maker.random();
  const auto value = maker.real([&] { return penalty(r); }, 1, r.one_of<double>({0.0, -1.0}));
  const auto ignored = maker.integer([&] { return r.integer(0, 12); }, 0, -1);
  return {RepetitionPenalty{value.param, ignored.param}, each(maker, [&](std::size_t i) {
            return oracle::RepetitionPenalty{value.of_row[i], ignored.of_row[i]};
          })};
}

Made<PromptRepetitionPenalty> make(Maker& maker, const PromptRepetitionPenalty*) {
  Random& r = maker.random();
  const auto value = maker.real([&] { return penalty(r); }, 1, NOT_A_NUMBER);
  return {PromptRepetitionPenalty{value.param}, each(maker, [&](std::size_t i) {
            return oracle::PromptRepetitionPenalty{value.of_row[i]};
          })};
}

Made<FrequencyPenalty> make(Maker& maker, const FrequencyPenalty*) {
  Random& r = maker.random();
  const auto value = maker.real([&] { return subtracted(r); }, 0, INFINITE);
  return {FrequencyPenalty{value.param},
          each(maker, [&](std::size_t i) { return oracle::FrequencyPenalty{value.of_row[i]}; })};
}

Made<PresencePenalty> make(Maker& maker, const PresencePenalty*) {
  Random& r = maker.random();
  const auto value = maker.real([&] { return subtracted(r); }, 0, -INFINITE);
  return {PresencePenalty{value.param},
          each(maker, [&](std::size_t i) { return oracle::PresencePenalty{value.of_row[i]}; })};
}

Made<NoRepeatNGram> make(Maker& maker, const NoRepeatNGram*) {
  Random& r = maker.random();
  const auto size = maker.integer([&] { return r.integer(1, 5); }, 0, -2);
  return {NoRepeatNGram{size.param},
          each(maker, [&](std::size_t i) { return oracle::NoRepeatNGram{size.of_row[i]}; })};
}

Made<PromptNoRepeatNGram> make(Maker& maker, const PromptNoRepeatNGram*) {
  Random& r = maker.random();
  const auto size = maker.integer([&] { return r.integer(1, 5); }, 0, -1);
  return {PromptNoRepeatNGram{size.param},
          each(maker, [&](std::size_t i) { return oracle::PromptNoRepeatNGram{size.of_row[i]}; })};
}

Made<SequenceBias> make(Maker& maker, const SequenceBias*) {
  Random& r = maker.random();
  std::vector<std::pair<std::vector<std::int64_t>, double>> entries;
  for (std::int64_t n = r.integer(0, 9); n > 0; --n) {
    std::vector<std::int64_t> ids;
    for (std::int64_t i = r.integer(1, 4); i > 0; --i) ids.push_back(maker.token());
    entries.emplace_back(ids, r.one_of<double>({r.real(-3, 3), -INFINITE, r.real(-1, 1), 0.1, 1e39,
                                                r.real(-10, 10), 0.0, r.real(-3, 3)}));
  }
  if (entries.size() > 2) entries.back().first = entries.front().first;
  const BiasTable& table = maker.keep(sequence_bias(entries, maker.vocab()));
  return {SequenceBias{table},
          each(maker, [&](std::size_t) { return oracle::SequenceBias{entries}; })};
}

Made<SuppressTokens> make(Maker& maker, const SuppressTokens*) {
  const List list = maker.list(20);
  return {SuppressTokens{list.tokens},
          each(maker, [&](std::size_t) { return oracle::SuppressTokens{list.ids}; })};
}

Made<BeginSuppressTokens> make(Maker& maker, const BeginSuppressTokens*) {
  Random& r = maker.random();
  const List list = maker.list(10);
  const auto offset = maker.integer([&] { return r.integer(0, 4); }, -1, -2);
  return {BeginSuppressTokens{list.tokens, offset.param}, each(maker, [&](std::size_t i) {
            return oracle::BeginSuppressTokens{list.ids, offset.of_row[i]};
          })};
}

Made<MinLength> make(Maker& maker, const MinLength*) {
  Random& r = maker.random();
  const List eos = maker.list(5);
  const auto length = maker.integer([&] { return r.integer(1, 30); }, 0, -1);
  return {MinLength{length.param, eos.tokens},
          each(maker, [&](std::size_t i) { return oracle::MinLength{length.of_row[i], eos.ids}; })};
}

Made<MinNewTokens> make(Maker& maker, const MinNewTokens*) {
  Random& r = maker.random();
  const List eos = maker.list(5);
  const auto count_of = maker.integer([&] { return r.integer(1, 10); }, 0, -1);
  return {MinNewTokens{count_of.param, eos.tokens}, each(maker, [&](std::size_t i) {
            return oracle::MinNewTokens{count_of.of_row[i], eos.ids};
          })};
}

Made<ExponentialDecayLengthPenalty> make(Maker& maker, const ExponentialDecayLengthPenalty*) {
  Random& r = maker.random();
  const List eos = maker.list(5);
  const auto start = maker.integer([&] { return r.integer(0, 4); }, 1000, -1);
  const auto factor = maker.real(
      [&] {
        return r.one_of<double>({1.05, r.real(0.5, 2), 1.1, 1e200, 0.3, 3e38, 1e-40, 1.0000001});
      },
      1, 0);
  return {ExponentialDecayLengthPenalty{start.param, factor.param, eos.tokens},
          each(maker, [&](std::size_t i) {
            return oracle::ExponentialDecayLengthPenalty{start.of_row[i], factor.of_row[i],
                                                         eos.ids};
          })};
}

Made<ForcedBOS> make(Maker& maker, const ForcedBOS*) {
  const auto token = maker.integer([&] { return maker.token(); }, -1, -2);
  return {ForcedBOS{token.param},
          each(maker, [&](std::size_t i) { return oracle::ForcedBOS{token.of_row[i]}; })};
}

Made<ForcedEOS> make(Maker& maker, const ForcedEOS*) {
  Random& r = maker.random();
  const List eos = maker.list(3);
  const auto length = maker.integer([&] { return r.chance(0.7) ? 0 : r.integer(1, 30); }, 0, -1);
  return {ForcedEOS{eos.tokens, length.param},
          each(maker, [&](std::size_t i) { return oracle::ForcedEOS{eos.ids, length.of_row[i]}; })};
}

Made<MinP> make(Maker& maker, const MinP*) {
  Random& r = maker.random();
  const auto p = maker.real([&] { return r.chance(0.1) ? 1 : small_share(r); }, 0, 1.5);
  const auto least = maker.at_least();
  return {MinP{p.param, least.param},
          each(maker, [&](std::size_t i) { return oracle::MinP{p.of_row[i], least.of_row[i]}; })};
}

Made<EpsilonCutoff> make(Maker& maker, const EpsilonCutoff*) {
  Random& r = maker.random();
  const auto epsilon = maker.real([&] { return small_share(r); }, 0, 1);
  const auto least = maker.at_least();
  return {EpsilonCutoff{epsilon.param, least.param}, each(maker, [&](std::size_t i) {
            return oracle::EpsilonCutoff{epsilon.of_row[i], least.of_row[i]};
          })};
}

Made<EtaCutoff> make(Maker& maker, const EtaCutoff*) {
  Random& r = maker.random();
  const auto epsilon = maker.real([&] { return small_share(r); }, 0, NOT_A_NUMBER);
  const auto least = maker.at_least();
  return {EtaCutoff{epsilon.param, least.param}, each(maker, [&](std::size_t i) {
            return oracle::EtaCutoff{epsilon.of_row[i], least.of_row[i]};
          })};
}

Made<Renormalize> make(Maker& maker, const Renormalize*) {
  return {{}, each(maker, [](std::size_t) { return oracle::Renormalize{}; })};
}

Made<TopNSigma> make(Maker& maker, const TopNSigma*) {
  Random& r = maker.random();
  const auto n = maker.real(
      [&] { return r.one_of<double>({1, r.real(0, 3), 1e-42, 0.5, 1e39, 3, 1e-60}); }, 0, -1);
  return {TopNSigma{n.param},
          each(maker, [&](std::size_t i) { return oracle::TopNSigma{n.of_row[i]}; })};
}

Made<Greedy> make(Maker& maker, const Greedy*) {
  return {{}, each(maker, [](std::size_t) { return oracle::Greedy{}; })};
}

Made<TopK> make(Maker& maker, const TopK*) {
  Random& r = maker.random();
  const auto k = maker.integer([&] { return count(r, maker.vocab()); }, 0, -1);
  const auto least = maker.at_least();
  const bool lowest_id = r.chance(0.3);
  return {TopK{k.param, least.param, lowest_id ? Ties::lowest_id : Ties::all},
          each(maker, [&](std::size_t i) {
            return oracle::TopK{k.of_row[i], least.of_row[i], lowest_id};
          })};
}

Made<TopP> make(Maker& maker, const TopP*) {
  Random& r = maker.random();
  const auto p = maker.real([&] { return share(r); }, 1, 1.0001);
  const auto least = maker.at_least();
  return {TopP{p.param, least.param},
          each(maker, [&](std::size_t i) { return oracle::TopP{p.of_row[i], least.of_row[i]}; })};
}

Made<JointTopKTopP> make(Maker& maker, const JointTopKTopP*) {
  Random& r = maker.random();
  const auto k = maker.integer([&] { return count(r, maker.vocab()); }, 0, -1);
  const auto p = maker.real([&] { return share(r); }, 1, -0.5);
  return {JointTopKTopP{k.param, p.param}, each(maker, [&](std::size_t i) {
            return oracle::JointTopKTopP{k.of_row[i], p.of_row[i]};
          })};
}

Made<Typical> make(Maker& maker, const Typical*) {
  Random& r = maker.random();
  const auto mass = maker.real(
      [&] {
        const double x = share(r);
        return static_cast<float>(x) > 0 ? x : 0.2;
      },
      1, 0);
  const auto least = maker.at_least();
  return {Typical{mass.param, least.param}, each(maker, [&](std::size_t i) {
            return oracle::Typical{mass.of_row[i], least.of_row[i]};
          })};
}

Made<TopH> make(Maker& maker, const TopH*) {
  Random& r = maker.random();
  const auto fraction =
      maker.real([&] { return r.one_of<double>({0.4, r.real(0, 1), 1.0, 1e-42, 0.9}); }, 0, 2);
  const auto candidates = maker.integer(
      [&] { return r.one_of<std::int64_t>({100, 1, 7, 2147483647, r.integer(1, 300)}); }, 100, 0);
  return {TopH{fraction.param, candidates.param}, each(maker, [&](std::size_t i) {
            return oracle::TopH{fraction.of_row[i], candidates.of_row[i]};
          })};
}

}  // namespace oracle_test
