#include "runtime/pmns/preprocessor.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <memory>
#include <tuple>
#include <utility>
#include <vector>

#include "runtime/base/file.h"
#include "runtime/base/limits.h"

namespace pmjit {

namespace {

using OpenStream = std::unique_ptr<FILE, decltype([](FILE* stream) { fclose(stream); })>;
using Pipe = std::unique_ptr<FILE, decltype([](FILE* pipe) { pclose(pipe); })>;

// As much as a file may have: whoever writes for ever is ended by the closed pipe.
std::string read_some(FILE* stream) {
  std::string out;
  std::array<char, 4096> buffer;
  while (out.size() < limits::kSourceBytesMax) {
    const size_t got = fread(buffer.data(), 1, buffer.size(), stream);
    if (got == 0) break;
    out.append(buffer.data(), got);
  }
  return out;
}

// /dev/null and its like, which have no size.
bool is_stream(const std::string& path) {
  struct stat state;
  return stat(path.c_str(), &state) == 0 && (S_ISCHR(state.st_mode) || S_ISFIFO(state.st_mode));
}

class System final : public Surroundings {
 public:
  std::optional<std::string> file(const std::string& path) override {
    if (is_stream(path)) {
      const OpenStream stream(fopen(path.c_str(), "re"));
      if (stream == nullptr) return std::nullopt;
      return read_some(stream.get());
    }
    const auto file = open_file(path);
    if (!file) return std::nullopt;
    const auto bytes = read_whole(**file, limits::kSourceBytesMax);
    if (!bytes) return std::nullopt;
    return std::string(bytes->as<char>(), bytes->size());
  }
  CommandOutput shell(const std::string& command) override {
    Pipe pipe(popen(command.c_str(), "r"));
    if (!pipe) return {};
    std::string text = read_some(pipe.get());
    const int status = pclose(pipe.release());
    return {std::move(text), WIFEXITED(status) ? WEXITSTATUS(status) : 0};
  }
};

// With its output going to `out`. A text without `#!` is one for the shell. -1: it cannot be
// started.
pid_t start(const std::string& program, const std::string& path, int out) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, out, STDOUT_FILENO);
  const auto spawn = [&](std::vector<std::string> words) {
    std::vector<char*> arguments;
    for (std::string& word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    pid_t child = 0;
    const int failed =
        posix_spawnp(&child, arguments[0], &actions, nullptr, arguments.data(), environ);
    return std::pair(failed, child);
  };
  auto [failed, child] = spawn({program, path});
  if (failed == ENOEXEC) std::tie(failed, child) = spawn({"/bin/sh", program, path});
  posix_spawn_file_actions_destroy(&actions);
  return failed == 0 ? child : -1;
}

}  // namespace

std::unique_ptr<Surroundings> the_system() { return std::make_unique<System>(); }

CommandOutput output_of_program(const std::string& program, const std::string& path) {
  int ends[2] = {};
  if (pipe2(ends, O_CLOEXEC) != 0) return {.status = -1};
  OpenStream out(fdopen(ends[0], "r"));
  if (out == nullptr) close(ends[0]);
  const pid_t child = out != nullptr ? start(program, path, ends[1]) : -1;
  close(ends[1]);
  if (child < 0) return {.status = -1};
  std::string text = read_some(out.get());
  out.reset();
  int status = 0;
  pid_t ended = 0;
  do {
    ended = waitpid(child, &status, 0);
  } while (ended < 0 && errno == EINTR);
  return {std::move(text), ended == child && WIFEXITED(status) ? WEXITSTATUS(status) : -1};
}

}  // namespace pmjit
