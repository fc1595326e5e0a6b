// Progress: one line on a terminal's standard error. Nothing in the first half second, ten updates
// a second at most, gone when it ends; nothing at all where standard error is no terminal. Results
// may go to the same terminal: clear() before they do.
#pragma once

#include <chrono>
#include <string>

namespace pmjit {

class Progress {
 public:
  using Clock = std::chrono::steady_clock;
  explicit Progress(std::string what, int fd = 2);
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  ~Progress() { clear(); }

  void update(double done);                            // 0 … 1
  void update_at(double done, Clock::time_point now);  // the same, with the time passed in
  void clear();                                        // until the next update

  // "reading  42 % ████████░░░░"
  static std::string line(const std::string& what, double done);

 private:
  std::string what_;
  int fd_;
  bool shown_ = false, terminal_;
  Clock::time_point start_, last_ = {};
};

}  // namespace pmjit
