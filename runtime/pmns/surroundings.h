// Surroundings: what a name space file may reach beyond its own text, files and commands. That of
// a process is the_system(); whoever reads text that is not trusted gives another.
// Source: spec pmapi.md §6.4.
#pragma once

#include <memory>
#include <optional>
#include <string>

namespace pmjit {

struct CommandOutput {
  std::string text{};
  int status = 0;  // 0 also of a command that a signal ended
};

class Surroundings {
 public:
  Surroundings() = default;
  Surroundings(const Surroundings&) = delete;
  Surroundings& operator=(const Surroundings&) = delete;
  virtual ~Surroundings() = default;

  // The content of a file. None: it cannot be read.
  [[nodiscard]] virtual std::optional<std::string> file(const std::string& path) = 0;
  // Of a #shell line, for the shell.
  [[nodiscard]] virtual CommandOutput shell(const std::string& command) = 0;
};

// Files of limits::kSourceBytesMax at most, and as much of a command's output.
[[nodiscard]] std::unique_ptr<Surroundings> the_system();

// What `program` prints that is given `path` alone, found as a shell finds programs. None: it
// cannot be started, fails, or a signal ends it.
[[nodiscard]] std::optional<std::string> output_of_program(const std::string& program,
                                                           const std::string& path);

}  // namespace pmjit
