#include "runtime/pmns/surroundings.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <memory>
#include <utility>

#include "runtime/base/file.h"
#include "runtime/base/limits.h"

namespace pmjit {

namespace {

using Stream = std::unique_ptr<FILE, decltype([](FILE* stream) { fclose(stream); })>;
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

class System final : public Surroundings {
 public:
  std::optional<std::string> file(const std::string& path) override {
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

}  // namespace

std::unique_ptr<Surroundings> the_system() { return std::make_unique<System>(); }

std::optional<std::string> output_of_program(const std::string& program, const std::string& path) {
  int ends[2] = {};
  if (pipe2(ends, O_CLOEXEC) != 0) return std::nullopt;
  const Stream out(fdopen(ends[0], "r"));
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  char* const arguments[] = {const_cast<char*>(program.c_str()), const_cast<char*>(path.c_str()),
                             nullptr};
  pid_t child = 0;
  const int failed = posix_spawnp(&child, program.c_str(), &actions, nullptr, arguments, environ);
  posix_spawn_file_actions_destroy(&actions);
  close(ends[1]);
  if (failed != 0 || out == nullptr) return std::nullopt;
  std::string text = read_some(out.get());
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) return std::nullopt;
  return text;
}

}  // namespace pmjit
