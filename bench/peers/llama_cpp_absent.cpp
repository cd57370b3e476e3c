// SPDX-License-Identifier: Apache-2.0
#include "llama_cpp.hpp"

namespace bench {

std::string llama_cpp_built_with() { return {}; }

std::unique_ptr<Contender> make_llama_cpp(const Case&, const Input&, bool) { return nullptr; }

}  // namespace bench
