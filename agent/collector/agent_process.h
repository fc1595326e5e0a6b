// The process of an agent: how it is started, the pipes to it, and memory that it shares.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "runtime/base/start_program.h"

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

// Memory that the process of a shared object leaves large answers in (answer_memory.h). No process
// can make it shorter, so reading it does not fail.
class SharedMemory {
 public:
  // The number under which its process finds `descriptor()`.
  static constexpr int kInProgram = ProgramStart::kAlso;

  SharedMemory() = default;
  ~SharedMemory() { close(); }
  SharedMemory(const SharedMemory&) = delete;
  SharedMemory& operator=(const SharedMemory&) = delete;

  [[nodiscard]] bool open();  // false: the system has none
  [[nodiscard]] int descriptor() const { return descriptor_; }
  // Where it is, for as long as somebody has it; null: nowhere.
  [[nodiscard]] std::shared_ptr<std::byte> bytes() const { return bytes_; }

 private:
  void close();

  int descriptor_ = -1;
  std::shared_ptr<std::byte> bytes_{};
};

// 0, or an errno. `in` and `out` become standard input and output; -1: nothing is read, and output
// goes to the log. `memory` is as kInProgram says; -1: there is none. No other descriptor is
// inherited, nor any setting of a signal.
[[nodiscard]] int spawn_agent(const std::vector<std::string>& command, int in, int out,
                              pid_t& process, int memory = -1);

}  // namespace pmjit
