// The process of an agent: how it is started, and the pipes to it.
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

namespace pmjit {

// Both ends close when a program starts that is not meant to have them.
struct AgentPipe {
  int read = -1, write = -1;

  [[nodiscard]] int open();  // 0, or an errno
  // As a pair of sockets, which cost a third less for many bytes. For agents that do not look.
  [[nodiscard]] int open_sockets();
  // Room for many values, so that their reader and their writer wake less often.
  void widen() const;
  void close_all();
};

// 0, or an errno. `in` and `out` become standard input and output; -1: nothing is read, and output
// goes to the log. No other descriptor is inherited, nor any setting of a signal.
[[nodiscard]] int spawn_agent(const std::vector<std::string>& command, int in, int out,
                              pid_t& process);

}  // namespace pmjit
