// The pre-processor of name space files: includes, macros without parameters, conditions, comments.
// Source: spec pmapi.md §6.4.
//
//   const Preprocessed made = preprocess("my.pmns", *the_system());
//   std::cerr << made.messages;
//   if (made.sound) read(made.text);
#pragma once

#include <memory>
#include <optional>
#include <string>

namespace pmjit {

// Surroundings: what a name space file may reach beyond its own text, files and commands. That of
// a process is the_system(); whoever reads text that is not trusted gives another.
// Source: spec pmapi.md §6.4.
struct CommandOutput {
  std::string text{};
  int status = 0;  // of its exit
};

class Surroundings {
 public:
  Surroundings() = default;
  Surroundings(const Surroundings&) = delete;
  Surroundings& operator=(const Surroundings&) = delete;
  virtual ~Surroundings() = default;

  // The content of a file. None: it cannot be read.
  [[nodiscard]] virtual std::optional<std::string> file(const std::string& path) = 0;
  // Of a #shell line, for the shell. Status 0 also where a signal ended it.
  [[nodiscard]] virtual CommandOutput shell(const std::string& command) = 0;
};

// Files of limits::kSourceBytesMax at most, and as much of a command's output.
[[nodiscard]] std::unique_ptr<Surroundings> the_system();

// Of a program that is given `path` alone; found in $PATH, and where it is a text without `#!` run
// by the shell. Status -1: it cannot be started, or a signal ended it.
[[nodiscard]] CommandOutput output_of_program(const std::string& program, const std::string& path);

struct Preprocessed {
  std::string text{};  // with lines `# NUMBER "FILE"` where another file or number goes on
  // Of the first error, which ends the work, and of commands that failed, which does not.
  std::string messages{};
  bool sound = true;
};

// The commands of #shell lines are run there. What it makes is at most about three times
// limits::kSourceBytesMax.
[[nodiscard]] Preprocessed preprocess(const std::string& path, Surroundings& surroundings);

}  // namespace pmjit
