// FullDisk: as long as it lives, no file of this process grows beyond so many bytes.
//
//   {
//     const FullDisk full(0);
//     …                                   // a write fails as on a disk that is full
//   }
#pragma once

#include <csignal>

#include "tests/lib/lower_limit.h"

namespace pmjit {

class FullDisk {
 public:
  explicit FullDisk(rlim_t most)
      : before_(std::signal(SIGXFSZ, SIG_IGN)), limit_(RLIMIT_FSIZE, most) {}
  ~FullDisk() { std::signal(SIGXFSZ, before_); }
  FullDisk(const FullDisk&) = delete;
  FullDisk& operator=(const FullDisk&) = delete;

 private:
  using Handler = void (*)(int);
  Handler before_;
  LowerLimit limit_;
};

}  // namespace pmjit
