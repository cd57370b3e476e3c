// SPDX-License-Identifier: Apache-2.0
#include "transformers.hpp"

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <iomanip>
#include <limits>
#include <sstream>
#include <stdexcept>
#include <vector>

#include "../step/numbers.hpp"

extern char** environ;

namespace bench {

namespace {

struct Pipe {
  int read = -1;
  int write = -1;
  Pipe() {
    int ends[2];
    if (pipe(ends) != 0) throw std::runtime_error(std::string("pipe: ") + std::strerror(errno));
    read = ends[0];
    write = ends[1];
  }
};

class TransformersStep final : public Contender {
 public:
  TransformersStep(TransformersProcess& process, const Case& measured, const Input& input)
      : process_(process) {
    std::ostringstream text;
    text << std::setprecision(std::numeric_limits<double>::max_digits10) << "open\t"
         << input.logits_file.string() << '\t' << input.history_file.string() << '\t' << EOS;
    for (const Stage& stage : stages_of(measured.recipe)) {
      text << '\t' << stage.name << '=' << stage.value;
    }
    open_ = text.str();
  }

  void restart() override {
    // One process serves every case; the one that is asked last is opened.
    process_.ask(open_);
  }
  void step() override {
    std::istringstream answer(process_.ask("step"));
    double wall = 0;
    double cpu = 0;
    answer >> wall >> cpu;
    clocks_ = {wall * 1e-9, cpu * 1e-9};
  }
  bool measures_itself() const override { return true; }
  Clocks clocks() const override { return clocks_; }

  bool shows_survivors() const override { return true; }
  std::vector<Survivor> survivors() override {
    restart();
    std::istringstream answer(process_.ask("survivors"));
    std::vector<Survivor> kept;
    for (Survivor survivor{}; answer >> survivor.token >> survivor.score;) kept.push_back(survivor);
    return kept;
  }

 private:
  TransformersProcess& process_;
  std::string open_;
  Clocks clocks_{};
};

}  // namespace

TransformersProcess::TransformersProcess(const std::string& python, const std::string& script) {
  // An answer that never comes must not end this process by a signal.
  std::signal(SIGPIPE, SIG_IGN);
  const Pipe request;
  const Pipe answer;
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, request.read, STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, answer.write, STDOUT_FILENO);
  for (const int end : {request.read, request.write, answer.read, answer.write}) {
    posix_spawn_file_actions_addclose(&actions, end);
  }
  std::vector<std::string> words{python, script};
  std::vector<char*> argv{words[0].data(), words[1].data(), nullptr};
  pid_t pid = -1;
  const int fault = posix_spawnp(&pid, argv[0], &actions, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  close(request.read);
  close(answer.write);
  to_ = fdopen(request.write, "w");
  from_ = fdopen(answer.read, "r");
  if (fault != 0) throw std::runtime_error(python + ": " + std::strerror(fault));
  pid_ = static_cast<int>(pid);
  versions_ = ask("versions");
}

TransformersProcess::~TransformersProcess() {
  if (to_) std::fclose(to_);
  if (from_) std::fclose(from_);
  if (pid_ > 0) waitpid(pid_, nullptr, 0);
}

std::string TransformersProcess::ask(const std::string& line) {
  std::fprintf(to_, "%s\n", line.c_str());
  std::fflush(to_);
  char* text = nullptr;
  std::size_t room = 0;
  const auto length = getline(&text, &room, from_);
  std::string answer = length > 0 ? std::string(text, static_cast<std::size_t>(length)) : "";
  std::free(text);
  if (!answer.empty() && answer.back() == '\n') answer.pop_back();
  if (answer.rfind("ok", 0) != 0) {
    throw std::runtime_error(answer.empty() ? "the Python process ended" : answer);
  }
  return answer.size() > 3 ? answer.substr(3) : "";
}

std::string transformers_cannot(const Case& measured) {
  return measured.recipe == Recipe::long_chain ? "it has no frequency or presence penalty" : "";
}

std::unique_ptr<Contender> make_transformers(TransformersProcess& process, const Case& measured,
                                             const Input& input) {
  return std::make_unique<TransformersStep>(process, measured, input);
}

}  // namespace bench
