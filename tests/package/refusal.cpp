// SPDX-License-Identifier: Apache-2.0
// Makes a chain that is refused, in a program without exceptions. Its argument is what the error
// hook does: "exit" ends the program well, "return" returns, "none" leaves the hook unset.
#include <logitchain/logitchain.hpp>

#include <cstdio>
#include <cstdlib>
#include <string_view>

int main(int argc, char** argv) {
  const std::string_view hook = argc > 1 ? argv[1] : "";
  logitchain::ErrorHandler handler = nullptr;
  if (hook == "exit") {
    handler = [](const char* text) {
      std::printf("the hook got: %s\n", text);
      std::fflush(stdout);
      std::_Exit(0);
    };
  } else if (hook == "return") {
    handler = [](const char* text) {
      std::printf("the hook got: %s\n", text);
      std::fflush(stdout);
    };
  }
  if (logitchain::set_error_handler(handler) != nullptr) return 3;
  static_cast<void>(logitchain::chain(logitchain::TopP{1.3}));
  std::printf("a chain was made\n");
}
