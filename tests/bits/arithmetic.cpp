// SPDX-License-Identifier: Apache-2.0
// Prints a digest of the bits of each part of the arithmetic, and of the bodies of transforms.
//   arithmetic [--whole]   --whole: exp and log of every float instead
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <vector>

#include <logitchain/core/arithmetic.hpp>
#include <logitchain/core/exponential.hpp>
#include <logitchain/core/logarithm.hpp>
#include <logitchain/core/mass.hpp>
#include <logitchain/core/order.hpp>
#include <logitchain/core/row_view.hpp>
#include <logitchain/core/small_float.hpp>
#include <logitchain/core/witness.hpp>
#include <logitchain/transforms/exponential_decay_length_penalty.hpp>
#include <logitchain/transforms/frequency_penalty.hpp>
#include <logitchain/transforms/min_p.hpp>
#include <logitchain/transforms/renormalize.hpp>
#include <logitchain/transforms/repetition_penalty.hpp>
#include <logitchain/transforms/temperature.hpp>
#include <logitchain/transforms/typical.hpp>

#include "bits/digest.hpp"

namespace {

using namespace logitchain;
using bits::any_float;
using bits::Digest;
using bits::logit;
using Scores = std::vector<float>;

constexpr std::uint32_t VOCAB = 151936;
constexpr std::uint32_t BLOCK = 4096;

/// A number that the compiler cannot know.
template <class T>
T unknown(T x) {
  const volatile T source = x;
  return source;
}

/// Digest of `function` of floats whose bits run from `first` to `last` in steps of `stride`. The
/// function runs over blocks, which vectorise, and the digest over their results.
template <class Function>
void over_floats(Digest& digest, std::uint32_t first, std::uint32_t last, std::uint32_t stride,
                 Function function) {
  float values[BLOCK];
  const std::uint64_t count = (std::uint64_t{last} - first) / stride + 1;
  for (std::uint64_t done = 0; done < count; done += BLOCK) {
    const std::uint32_t size =
        static_cast<std::uint32_t>(count - done < BLOCK ? count - done : BLOCK);
    const std::uint32_t from = first + static_cast<std::uint32_t>(done * stride);
    for (std::uint32_t i = 0; i < size; ++i) values[i] = function(float_of(from + i * stride));
    for (std::uint32_t i = 0; i < size; ++i) digest.take(values[i]);
  }
}

/// exp of -104 to 89, beyond which it is 0 and infinite; log of all positive floats.
void functions(const char* variant, std::uint32_t stride) {
  Digest exp, hot, log;
  const auto of_exp = [](float x) { return exponential(x); };
  over_floats(exp, 0u, bits_of(89.0f), stride, of_exp);
  over_floats(exp, bits_of(-0.0f), bits_of(-104.0f), stride, of_exp);
  over_floats(hot, bits_of(-0.0f), bits_of(-81.0f), stride,
              [](float x) { return exponential_nonpositive(x); });
  over_floats(log, 0u, 0x7f800000u, stride, [](float x) { return logarithm(x); });
  bits::print("exp", variant, exp);
  bits::print("exp.nonpositive", variant, hot);
  bits::print("log", variant, log);
}

void masses() {
  Digest parts, ceilings, sums;
  over_floats(parts, 0u, bits_of(1.0f), 997u, [&](float v) { return v; });
  std::vector<std::uint32_t> hi(BLOCK);
  std::vector<std::int32_t> lo(BLOCK);
  for (std::uint32_t block = 0; block < 256; ++block) {
    for (std::uint32_t i = 0; i < BLOCK; ++i) {
      const float distance = -magnitude(logit(block * BLOCK + i));
      const MassParts part = mass_parts(exponential_nonpositive(distance));
      hi[i] = part.hi;
      lo[i] = part.lo;
    }
    for (std::uint32_t i = 0; i < BLOCK; ++i) {
      parts.take(mass_of({hi[i], lo[i]}));
      sums.take(unfixed44(mass_of({hi[i], lo[i]}) * (i + 1)));
    }
  }
  for (std::uint32_t i = 0; i < BLOCK; ++i) {
    const double p = to_double(magnitude(any_float(i)));
    ceilings.take(scaled_ceil(div(p, add(1.0, p)), (std::uint64_t{bits::mixed(i)} << 24) + i));
  }
  bits::print("mass", "", parts);
  bits::print("mass.sums", "", sums);
  bits::print("mass.ceilings", "", ceilings);
}

void operations() {
  const std::uint32_t count = 1u << 18;
  Digest products, fma, sums, quotients, roots, order, doubles;
  Scores a(BLOCK), b(BLOCK), c(BLOCK), found(BLOCK);
  const auto each = [&](Digest& digest, auto function) {
    for (std::uint32_t i = 0; i < BLOCK; ++i) found[i] = function(a[i], b[i], c[i]);
    for (const float x : found) digest.take(x);
  };
  for (std::uint32_t first = 0; first < count; first += BLOCK) {
    // Half of them logits, whose sums and products keep most bits; half of them any float.
    const bool logits = (first / BLOCK) % 2 == 0;
    for (std::uint32_t i = 0; i < BLOCK; ++i) {
      const std::uint32_t seed = 3 * (first + i);
      a[i] = logits ? logit(seed) : any_float(seed);
      b[i] = logits ? logit(seed + 1) : any_float(seed + 1);
      c[i] = logits ? logit(seed + 2) : any_float(seed + 2);
    }
    each(products, [](float x, float y, float z) { return z - mul(x, y); });
    each(products, [](float x, float y, float z) { return mul(x, y) + mul(y, z); });
    each(products, [](float x, float y, float) { return mul(x, y); });
    each(fma, [](float x, float y, float z) { return fused(x, y, z); });
    each(sums, [](float x, float y, float z) { return sub(add(x, y), z); });
    each(quotients, [](float x, float y, float) { return div(x, y); });
    each(roots, [](float x, float, float) { return square_root(magnitude(x)); });
    each(order, [](float x, float y, float z) {
      return is_less(x, y) ? larger(y, z) : is_equal(x, z) ? x : smaller(x, z);
    });
    for (std::uint32_t i = 0; i < BLOCK; ++i) {
      const double x = to_double(a[i]), y = to_double(b[i]), z = to_double(c[i]);
      const double third = div(x, 3.0);
      doubles.take(z - mul(third, y));
      doubles.take(fused(third, y, z));
      doubles.take(add(square_root(third), sub(y, z)));
      doubles.take(to_float(third));
    }
  }
  bits::print("products", "", products);
  bits::print("fused", "", fma);
  bits::print("sums", "", sums);
  bits::print("quotients", "", quotients);
  bits::print("roots", "", roots);
  bits::print("order", "", order);
  bits::print("doubles", "", doubles);
}

void small_floats() {
  Digest wide, narrow;
  for (std::uint32_t i = 0; i < 0x10000u; ++i) {
    wide.take(widen(half{static_cast<std::uint16_t>(i)}));
    wide.take(widen(bfloat16{static_cast<std::uint16_t>(i)}));
  }
  std::vector<std::uint32_t> found(BLOCK);
  for (std::uint32_t first = 0; first < (1u << 20); first += BLOCK) {
    for (std::uint32_t i = 0; i < BLOCK; ++i) {
      const float x = (first & BLOCK) != 0 ? logit(first + i) : any_float(first + i);
      found[i] = (std::uint32_t{to_half(x).bits} << 16) | to_bfloat16(x).bits;
    }
    for (const std::uint32_t word : found) narrow.take(std::uint64_t{word});
  }
  bits::print("small.widened", "", wide);
  bits::print("small.narrowed", "", narrow);
}

/// Digest of what a function (token, score) gives for a whole row.
template <class Body>
void over_row(const char* topic, const Scores& row, const Body& body) {
  Scores found(row.size());
  for (std::size_t i = 0; i < row.size(); ++i) {
    found[i] = body(static_cast<std::int32_t>(i), row[i]);
  }
  Digest digest;
  for (const float x : found) digest.take(x);
  bits::print(topic, "", digest);
}

/// Bodies of transforms on a row of logits, every token of it seen some 1 to 200 times.
void bodies() {
  Scores row(VOCAB);
  std::vector<SeenToken> seen(VOCAB);
  for (std::uint32_t i = 0; i < VOCAB; ++i) {
    row[i] = logit(i);
    seen[i] = {static_cast<std::int32_t>(i), 1 + bits::mixed(i + VOCAB) % 200, 3};
  }
  RowView::Fields fields;
  fields.seen = seen.data();
  fields.seen_size = static_cast<std::int32_t>(VOCAB);
  fields.vocab = static_cast<std::int32_t>(VOCAB);
  fields.generated = unknown(40);
  const SeenRow view(fields);
  RowNumbers numbers;
  numbers.maximum = unknown(31.7f);
  numbers.kth = unknown(31.5f);
  numbers.log_total = unknown(3.3f);
  numbers.entropy = unknown(2.9f);
  numbers.total = unknown(std::uint64_t{1} << 47);

  const auto frequency = FrequencyPenalty{unknown(0.3)}.bind(view);
  over_row("frequency_penalty", row, [&](std::int32_t i, float x) { return frequency(i, x); });
  const auto repetition = RepetitionPenalty{unknown(1.3)}.bind(view);
  over_row("repetition_penalty", row, [&](std::int32_t i, float x) { return repetition(i, x); });
  const ExponentialDecayLengthPenalty decay{3, unknown(1.07), {1, 2}};
  const auto longer = decay.bind(view);
  over_row("decay", row, [&](std::int32_t i, float x) { return longer(i, x); });
  over_row("temperature", row, Temperature{unknown(0.7)}.bind(view));
  over_row("min_p", row, MinP{unknown(0.05)}.bind(view, numbers));
  over_row("renormalize", row, Renormalize{}.bind(view, numbers));
  const auto typical = Typical{unknown(0.9)}.bind(view, numbers);
  over_row("typical", row, [&](std::int32_t, float x) { return typical.key(x); });
}

/// A penalty as a user would write it: with `mul`, whose bits no flag changes, and with a plain
/// product, whose bits are those of `mul` where this build does not contract, and others where it
/// does. @return false where `contracts_products` tells otherwise than the bits do
bool functors() {
  const float penalty = unknown(0.3f);
  Scores scores(VOCAB), counts(VOCAB), with_mul(VOCAB), plain(VOCAB);
  for (std::uint32_t i = 0; i < VOCAB; ++i) {
    scores[i] = logit(i);
    counts[i] = static_cast<float>(1 + bits::mixed(i + VOCAB) % 200);
  }
  for (std::uint32_t i = 0; i < VOCAB; ++i) with_mul[i] = scores[i] - mul(penalty, counts[i]);
  for (std::uint32_t i = 0; i < VOCAB; ++i) plain[i] = scores[i] - penalty * counts[i];
  Digest digest;
  std::uint32_t changed = 0;
  for (std::uint32_t i = 0; i < VOCAB; ++i) {
    digest.take(with_mul[i]);
    changed += bits_of(with_mul[i]) != bits_of(plain[i]) ? 1u : 0u;
  }
  bits::print("functor", "", digest);
  std::fprintf(stderr, "a plain product changes %u of %u scores in this build\n", changed, VOCAB);
  if (contracts_products() == (changed != 0)) return true;
  std::fprintf(stderr, "contracts_products() says %d\n", contracts_products() ? 1 : 0);
  return false;
}

}  // namespace

int main(int argc, char** argv) {
  if (const char* fault = arithmetic_fault()) {
    std::printf("noticed: %s\n", fault);
    return 3;
  }
  if (argc > 1 && std::strcmp(argv[1], "--whole") == 0) {
    functions(".whole", 1);
    return 0;
  }
  functions("", 127);
  masses();
  operations();
  small_floats();
  bodies();
  return functors() ? 0 : 1;
}
