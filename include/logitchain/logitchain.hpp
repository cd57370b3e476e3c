// SPDX-License-Identifier: Apache-2.0
// The front door for a host compiler: everything but the CUDA engine.
#pragma once

#if __cplusplus < 202002L
#error "logitchain: C++20 is needed; compile with -std=c++20"
#endif

#include <logitchain/build/bias_table.hpp>
#include <logitchain/build/sequence_bias.hpp>
#include <logitchain/build/stop_table.hpp>
#include <logitchain/chain/chain.hpp>
#include <logitchain/chain/criterion.hpp>
#include <logitchain/chain/explain.hpp>
#include <logitchain/chain/fingerprint.hpp>
#include <logitchain/criteria/end_of_sequence.hpp>
#include <logitchain/criteria/max_length.hpp>
#include <logitchain/criteria/max_new_tokens.hpp>
#include <logitchain/criteria/stop_strings.hpp>
#include <logitchain/engine/host/check.hpp>
#include <logitchain/engine/host/commit.hpp>
#include <logitchain/engine/host/host_engine.hpp>
#include <logitchain/engine/host/import.hpp>
#include <logitchain/engine/host/rows.hpp>
#include <logitchain/engine/host/save.hpp>
#include <logitchain/engine/host/step.hpp>
#include <logitchain/engine/host/wrong_space.hpp>
#include <logitchain/transforms/begin_suppress_tokens.hpp>
#include <logitchain/transforms/epsilon_cutoff.hpp>
#include <logitchain/transforms/eta_cutoff.hpp>
#include <logitchain/transforms/exponential_decay_length_penalty.hpp>
#include <logitchain/transforms/forced_bos.hpp>
#include <logitchain/transforms/forced_eos.hpp>
#include <logitchain/transforms/frequency_penalty.hpp>
#include <logitchain/transforms/greedy.hpp>
#include <logitchain/transforms/joint_top_k_top_p.hpp>
#include <logitchain/transforms/min_length.hpp>
#include <logitchain/transforms/min_new_tokens.hpp>
#include <logitchain/transforms/min_p.hpp>
#include <logitchain/transforms/no_repeat_ngram.hpp>
#include <logitchain/transforms/presence_penalty.hpp>
#include <logitchain/transforms/prompt_no_repeat_ngram.hpp>
#include <logitchain/transforms/prompt_repetition_penalty.hpp>
#include <logitchain/transforms/remove_invalid_values.hpp>
#include <logitchain/transforms/renormalize.hpp>
#include <logitchain/transforms/repetition_penalty.hpp>
#include <logitchain/transforms/sequence_bias.hpp>
#include <logitchain/transforms/suppress_tokens.hpp>
#include <logitchain/transforms/temperature.hpp>
#include <logitchain/transforms/top_h.hpp>
#include <logitchain/transforms/top_k.hpp>
#include <logitchain/transforms/top_n_sigma.hpp>
#include <logitchain/transforms/top_p.hpp>
#include <logitchain/transforms/typical.hpp>
