// SPDX-License-Identifier: Apache-2.0
// The loop: prompts in, logits from the model, tokens from the library, until every row has ended.
#pragma once

#include <cstdint>
#include <vector>

#include "llama_decoder.hpp"
#include "llama_model.hpp"
#include "options.hpp"
#include "printer.hpp"
#include "recorder.hpp"
#include "sampler.hpp"
#include "summary.hpp"

namespace generate {

/// Prompts as token ids, one per row.
using Prompts = std::vector<std::vector<std::int32_t>>;

/// Where the text and the steps go.
struct Outputs {
  Printer& printer;
  Recorder* recorder;  ///< null: nothing is recorded
};

/// Decodes all prompts together. Row i draws with the seed `options.seed + i`; a row that ends
/// leaves the batch, the others go on.
/// @throws std::runtime_error if the model fails, logitchain::error if the library refuses
Summary decode(const Options& options, const Model& model, Decoder& decoder, Sampler& sampler,
               const Prompts& prompts, const Outputs& outputs);

}  // namespace generate
