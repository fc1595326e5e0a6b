#include "runtime/report/progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>

namespace pmjit {

namespace {

using namespace std::chrono_literals;
constexpr auto kQuiet = 500ms, kBetween = 100ms;
constexpr int kCells = 30;

// A terminal that refuses a progress bar is no reason to stop.
void put(int fd, const std::string& text) {
  if (::write(fd, text.data(), text.size()) < 0) return;
}

}  // namespace

Progress::Progress(std::string what, const Clock& clock, int fd)
    : what_(std::move(what)),
      clock_(clock),
      fd_(fd),
      terminal_(::isatty(fd) == 1),
      start_(clock.now()) {}

std::string Progress::line(const std::string& what, double done) {
  done = done >= 0 ? std::min(done, 1.0) : 0;  // NaN is 0
  const int full = static_cast<int>(done * kCells);
  std::string bar;
  for (int i = 0; i < kCells; ++i) bar += i < full ? "█" : "░";
  return fmt::format("{} {:3} % {}", what, static_cast<int>(done * 100), bar);
}

void Progress::update(double done) {
  if (!terminal_) return;
  const Instant now = clock_.now();
  if (now - start_ < kQuiet || (last_ && now - *last_ < kBetween)) return;
  put(fd_, "\r" + line(what_, done) + "\x1b[K");
  shown_ = true;
  last_ = now;
}

void Progress::clear() {
  if (shown_) put(fd_, "\r\x1b[K");
  shown_ = false;
}

}  // namespace pmjit
