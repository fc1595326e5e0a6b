#include "agent/collector/agent_process.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <utility>

#include "agent/interface/answer_memory.h"
#include "runtime/base/start_program.h"

namespace pmjit {

namespace {

// What the kernel allows everybody (pipe-max-size).
constexpr int kWideBytes = 1 << 20;

}  // namespace

int AgentPipe::open() {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) return errno;
  read = ends[0], write = ends[1];
  return 0;
}

int AgentPipe::open_sockets() {
  std::array<int, 2> ends{};
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) return errno;
  read = ends[0], write = ends[1];
  ::shutdown(read, SHUT_WR);
  ::shutdown(write, SHUT_RD);
  (void)::setsockopt(write, SOL_SOCKET, SO_SNDBUF, &kWideBytes, sizeof kWideBytes);
  return 0;
}

void AgentPipe::widen() const { (void)::fcntl(read, F_SETPIPE_SZ, kWideBytes); }

void AgentPipe::close_all() {
  for (int* const end : {&read, &write}) {
    if (*end >= 0) ::close(std::exchange(*end, -1));
  }
}

bool SharedMemory::open() {
  // One that is not allowed such a file would get a signal.
  rlimit most{};
  if (::getrlimit(RLIMIT_FSIZE, &most) != 0 || most.rlim_cur < AnswerMemory::kBytes) return false;
  descriptor_ = ::memfd_create("pmjit-answers", MFD_CLOEXEC | MFD_ALLOW_SEALING);
  if (descriptor_ < 0) return false;
  void* at = MAP_FAILED;
  constexpr int kSeals = F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL;
  if (::ftruncate(descriptor_, AnswerMemory::kBytes) == 0 &&
      ::fcntl(descriptor_, F_ADD_SEALS, kSeals) == 0) {
    at = ::mmap(nullptr, AnswerMemory::kBytes, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor_, 0);
  }
  if (at == MAP_FAILED) {
    close();
    return false;
  }
  bytes_ = {static_cast<std::byte*>(at),
            [](std::byte* memory) { ::munmap(memory, AnswerMemory::kBytes); }};
  return true;
}

void SharedMemory::close() {
  if (descriptor_ >= 0) ::close(std::exchange(descriptor_, -1));
}

int spawn_agent(const std::vector<std::string>& command, int in, int out, pid_t& process,
                int memory) {
  return start_program({.argv = command, .is_searched = true, .in = in, .out = out, .also = memory},
                       process);
}

}  // namespace pmjit
