// What the process of an agent has of its parent: two descriptors and the log, and no more.
#include "agent/collector/agent_process.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <sstream>
#include <string>
#include <utility>

#include "agent/interface/answer_memory.h"

namespace pmjit {
namespace {

std::string printed_by(const std::string& script, int memory = -1) {
  AgentPipe to, from;
  EXPECT_EQ(to.open(), 0);
  EXPECT_EQ(from.open(), 0);
  pid_t process = 0;
  EXPECT_EQ(spawn_agent({"/bin/sh", "-c", script}, to.read, from.write, process, memory), 0);
  close(std::exchange(from.write, -1));
  std::string out;
  char some[256];
  for (ssize_t got = 0; (got = read(from.read, some, sizeof some)) > 0;) {
    out.append(some, static_cast<size_t>(got));
  }
  EXPECT_EQ(waitpid(process, nullptr, 0), process);
  to.close_all();
  from.close_all();
  return out;
}

TEST(AgentProcess, InheritsNoDescriptor) {
  const int open_here = open("/dev/null", O_RDONLY);  // without O_CLOEXEC
  EXPECT_EQ(printed_by("for i in 0 1 2 3 4 5 6 7 8 9 10 11 12; do test -e /proc/$$/fd/$i && echo "
                       "$i; done; true"),
            "0\n1\n2\n");
  close(open_here);
}

TEST(AgentProcess, SharesMemoryThatItCannotCut) {
  SharedMemory memory;
  ASSERT_TRUE(memory.open());
  const auto bytes = memory.bytes();
  EXPECT_EQ(
      printed_by("printf text 1<>/proc/self/fd/3; truncate -s 4096 /proc/self/fd/3 2>&1 >&- | "
                 "grep -c permitted; ls /proc/self/fd",
                 memory.descriptor()),
      "1\n0\n1\n2\n3\n4\n");
  EXPECT_EQ(std::memcmp(bytes.get(), "text", 4), 0);
  EXPECT_EQ(bytes.get()[AnswerMemory::kBytes - 1], std::byte{0});
}

TEST(AgentProcess, InheritsNoSettingOfASignal) {
#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
  GTEST_SKIP() << "this sanitizer blocks the signals of what it starts";
#endif
#endif
  const auto before = std::signal(SIGPIPE, SIG_IGN);
  sigset_t usual, blocked;
  sigemptyset(&blocked);
  sigaddset(&blocked, SIGTERM);
  pthread_sigmask(SIG_BLOCK, &blocked, &usual);
  // Blocked and ignored ones, as words of 64 bits; the C library has signals 32 and 33 for itself.
  // With exec, for a shell blocks all signals while it starts a program.
  std::istringstream words(printed_by("exec sed -n 's/^Sig[BI][lg][kn]:.//p' /proc/$$/status"));
  pthread_sigmask(SIG_SETMASK, &usual, nullptr);
  std::signal(SIGPIPE, before);
  uint64_t masks[2] = {UINT64_MAX, UINT64_MAX};
  words >> std::hex >> masks[0] >> masks[1];
  EXPECT_EQ(masks[0] & 0x7FFF'FFFF, 0u);
  EXPECT_EQ(masks[1] & 0x7FFF'FFFF, 0u);
}

TEST(AgentProcess, SaysWhyItDoesNotStart) {
  pid_t process = 0;
  EXPECT_EQ(spawn_agent({"no-such-program"}, -1, -1, process), ENOENT);
  EXPECT_EQ(process, 0);
}

}  // namespace
}  // namespace pmjit
