// run_program(): another program, with bounds: what it gets on standard input, how long it may
// take, how much of its output is kept. The calling thread waits.
//
//   const ProgramEnd end = run_program({.argv = {"/bin/sh", "-c", "date"}, .time = 30s}, clock);
//   if (end.ok()) use(end.output);
//
// The program leads a session of its own. At its limit it gets SIGTERM, and SIGKILL five seconds
// later, with all processes of its group. It has no other descriptors of ours, whether or
// not they are closed on exec: other threads may just have opened them.
#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <vector>

#include "runtime/base/clock.h"

namespace pmjit {

struct ProgramCall {
  std::vector<std::string> argv;         // argv[0]: its path
  std::vector<std::string> environment;  // NAME=VALUE, all of it
  std::string input{};                   // on standard input
  std::chrono::nanoseconds time = std::chrono::seconds(30);
  size_t output_most = 4'096;  // bytes that are kept; the rest is read and dropped
  // Asked ten times a second: true ends the program as its limit does.
  std::function<bool()> stop{};
};

struct ProgramEnd {
  std::string error{};  // it could not be started: why
  int exit_code = -1;   // -1: it did not exit by itself
  int signal = 0;       // that ended it
  bool timed_out = false;
  std::string output{};  // standard output and standard error, as they came

  [[nodiscard]] bool ok() const { return error.empty() && exit_code == 0 && !timed_out; }
  // "exit status 3", "time limit", …
  [[nodiscard]] std::string text() const;
};

[[nodiscard]] ProgramEnd run_program(const ProgramCall& call, const Clock& clock);

// Of this process: NAME=VALUE each.
[[nodiscard]] std::vector<std::string> own_environment();

}  // namespace pmjit
