#include "runtime/report/progress.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <pty.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>

namespace pmjit {
namespace {

using namespace std::chrono_literals;

std::string drained(int fd) {
  ::fcntl(fd, F_SETFL, O_NONBLOCK);
  std::string out;
  char part[4096];
  for (ssize_t n; (n = ::read(fd, part, sizeof part)) > 0;)
    out.append(part, static_cast<size_t>(n));
  return out;
}

size_t count_of(const std::string& text, char c) {
  return static_cast<size_t>(std::count(text.begin(), text.end(), c));
}

TEST(Progress, Line) {
  EXPECT_EQ(Progress::line("reading", 0.5), "reading  50 % ███████████████░░░░░░░░░░░░░░░");
  EXPECT_EQ(Progress::line("x", NAN).substr(0, 7), "x   0 %");
  EXPECT_EQ(Progress::line("x", 7).substr(0, 7), "x 100 %");
}

TEST(Progress, NothingWhereThereIsNoTerminal) {
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  FakeClock clock;
  Progress progress("reading", clock, ends[1]);
  clock.advance(1h);
  progress.update(0.5);
  progress.clear();
  ::close(ends[1]);
  EXPECT_EQ(drained(ends[0]), "");
  ::close(ends[0]);
}

TEST(Progress, LateSparingAndGoneAtTheEnd) {
  int controller = -1, terminal = -1;
  if (::openpty(&controller, &terminal, nullptr, nullptr, nullptr) != 0)
    GTEST_SKIP() << "no terminals here";
  {
    FakeClock clock;
    Progress progress("reading", clock, terminal);
    clock.advance(300ms);
    progress.update(0.1);
    EXPECT_EQ(drained(controller), "");
    clock.advance(700ms);
    for (int i = 0; i < 1000; ++i) {
      progress.update(0.2);
      clock.advance(1ms);
    }
    EXPECT_EQ(count_of(drained(controller), '\r'), 10u);
  }
  EXPECT_EQ(drained(controller), "\r\x1b[K");
  ::close(controller);
  ::close(terminal);
}

TEST(Progress, ClearedForResultsAndDrawnAgain) {
  int controller = -1, terminal = -1;
  if (::openpty(&controller, &terminal, nullptr, nullptr, nullptr) != 0)
    GTEST_SKIP() << "no terminals here";
  FakeClock clock;
  Progress progress("reading", clock, terminal);
  progress.clear();
  EXPECT_EQ(drained(controller), "");
  clock.advance(1000ms);
  progress.update(0.1);
  drained(controller);
  progress.clear();
  EXPECT_EQ(drained(controller), "\r\x1b[K");
  clock.advance(50ms);
  progress.update(0.2);  // results in quick succession: no flicker
  EXPECT_EQ(drained(controller), "");
  clock.advance(50ms);
  progress.update(0.2);
  EXPECT_NE(drained(controller), "");
  ::close(controller);
  ::close(terminal);
}

}  // namespace
}  // namespace pmjit
