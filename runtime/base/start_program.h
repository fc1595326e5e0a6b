// start_program(): another program as a process. It has the descriptors that it is given and no
// other of ours, and no setting of a signal.
//
//   pid_t process = 0;
//   const int error = start_program({.argv = {"sh", "-c", text}, .out = pipe.write}, process);
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

namespace pmjit {

struct ProgramStart {
  static constexpr int kAlso = 3;  // the descriptor behind the standard ones

  std::vector<std::string> argv;  // argv[0]: its path
  bool is_searched = false;       // or a name that is looked for in PATH
  int in = -1;                    // becomes standard input; -1: nothing is read
  int out = -1, error = -1;       // become standard output and error; -1: our standard error
  int also = -1;                  // becomes kAlso
  const std::vector<std::string>* environment = nullptr;  // NAME=VALUE each; null: that of ours
  bool leads_session = false;
};

// 0, or an errno.
[[nodiscard]] int start_program(const ProgramStart& start, pid_t& process);

}  // namespace pmjit
