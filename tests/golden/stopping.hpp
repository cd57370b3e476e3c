// SPDX-License-Identifier: Apache-2.0
// Cases of stopping: criteria over ids and lengths, stop strings, tables of stop strings.
#pragma once

#include <optional>
#include <string>

#include "lines.hpp"
#include "vocabularies.hpp"

namespace golden {

/// A line with `criteria`. Every position is asked about on its own: the tokens before it are a
/// resumed row, the token itself is committed. Then the tokens behind the prompt are committed one
/// by one, and all at once, and the row must end at the first that stops.
/// @return what is wrong
std::optional<std::string> simple_stop_fault(const Json& line);

/// A line with `stop_strings`; the same for `done` (a match may begin in the prompt) and for
/// `done_generated_only` (it may not). The entry and the byte at which a match begins are those of
/// a plain search in the text.
std::optional<std::string> stop_string_fault(const Json& line, const Pieces& pieces);

/// A line with `stop_string` and the reference's tables, found here by walking the automaton.
std::optional<std::string> stop_table_fault(const Json& line, const Pieces& pieces);

}  // namespace golden
