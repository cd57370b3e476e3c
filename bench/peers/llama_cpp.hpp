// SPDX-License-Identifier: Apache-2.0
// llama.cpp's samplers as a contender. llama_cpp_absent.cpp stands in where it is not built in.
#pragma once

#include <memory>
#include <string>

#include "../step/case.hpp"
#include "../step/contender.hpp"
#include "../step/logits.hpp"

namespace bench {

/// What llama.cpp says of the instruction sets it was built with; empty where it is not built in.
std::string llama_cpp_built_with();

/// The chain of a case, applied and accepted as `llama_sampler_sample` does.
/// @param filling whether making the array of candidates from the logits is part of the step; else
/// the array is copied from a ready one before each step, untimed
/// @param input must outlive the contender
std::unique_ptr<Contender> make_llama_cpp(const Case& measured, const Input& input, bool filling);

}  // namespace bench
