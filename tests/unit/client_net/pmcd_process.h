// PmcdProcess: Debian's pmcd on a free port of loopback, with the agents pmcd, linux and sample and
// a name space and socket of its own, for tests that compare with it. It stops with the object.
//
//   PmcdProcess pmcd;
//   if (!pmcd.runs()) GTEST_SKIP() << pmcd.why();       // PMJIT_ORACLE is not 1
//   pmcd.tool("pminfo -d sample.bin")                   // its standard output; -h is added
//
// freeze() stops it with SIGSTOP: the socket accepts, and nothing answers.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>

namespace pmjit::test {

class PmcdProcess {
 public:
  PmcdProcess();
  ~PmcdProcess();
  PmcdProcess(const PmcdProcess&) = delete;
  PmcdProcess& operator=(const PmcdProcess&) = delete;

  [[nodiscard]] bool runs() const { return pid_ > 0; }
  [[nodiscard]] const std::string& why() const { return why_; }
  [[nodiscard]] std::string spec() const { return "127.0.0.1:" + std::to_string(port_); }
  [[nodiscard]] std::string socket() const { return folder_ + "/pmcd.socket"; }
  [[nodiscard]] std::string tool(const std::string& command) const;

  void kill();   // at once
  void start();  // again, on the same port
  void freeze();
  void thaw();

 private:
  bool write_configuration();

  std::string folder_, why_;
  uint16_t port_ = 0;
  pid_t pid_ = 0;
};

}  // namespace pmjit::test
