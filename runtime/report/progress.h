// Progress: one line on a terminal's standard error. Nothing in the first half second, ten updates
// a second at most, gone when it ends; nothing at all where standard error is no terminal. Results
// may go to the same terminal: clear() before they do.
#pragma once

#include <optional>
#include <string>

#include "runtime/base/clock.h"

namespace pmjit {

class Progress {
 public:
  // The clock outlives it.
  Progress(std::string what, const Clock& clock, int fd = 2);
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  ~Progress() { clear(); }

  void update(double done);  // 0 … 1
  void clear();              // until the next update

  // "reading  42 % ████████░░░░"
  static std::string line(const std::string& what, double done);

 private:
  std::string what_;
  const Clock& clock_;
  int fd_;
  bool shown_ = false, terminal_;
  Instant start_;
  std::optional<Instant> last_;
};

}  // namespace pmjit
