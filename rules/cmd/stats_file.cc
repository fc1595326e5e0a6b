#include "rules/cmd/stats_file.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstring>
#include <filesystem>

#include "runtime/base/installed.h"

namespace pmjit::pmie {

namespace {

// The layout is the agent's.
constexpr size_t kSize = 8292, kPathRoom = 4097, kHostRoom = 65;
constexpr size_t kConfig = 0, kLog = 4097, kHost = 8194, kExpected = 8260, kRules = 8264;
constexpr size_t kActions = 8268, kYes = 8272, kNo = 8276, kUnknownOnes = 8280;
constexpr size_t kEvaluations = 8284, kVersion = 8288;

// Names are numbers of processes.
void remove_stale(const std::filesystem::path& folder) {
  std::error_code unreadable;
  for (const auto& entry : std::filesystem::directory_iterator(folder, unreadable)) {
    const std::string name = entry.path().filename();
    pid_t pid = 0;
    const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), pid);
    if (error != std::errc() || end != name.data() + name.size() || pid <= 0) continue;
    if (::kill(pid, 0) != 0 && errno == ESRCH) ::unlink(entry.path().c_str());
  }
}

}  // namespace

StatsFile::StatsFile(const StatsAbout& about) {
  const std::string folder = installed("PCP_TMP_DIR", "/var/lib/pcp/tmp") + "/pmie";
  remove_stale(folder);
  path_ = fmt::format("{}/{}", folder, ::getpid());
  ::unlink(path_.c_str());
  const int fd = ::open(path_.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
  if (fd < 0) return;
  if (::ftruncate(fd, kSize) == 0) {
    void* const at = ::mmap(nullptr, kSize, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (at != MAP_FAILED) mapped_ = at;
  }
  ::close(fd);
  if (mapped_ == nullptr) {
    ::unlink(path_.c_str());
    return;
  }
  put_text(kConfig, kPathRoom, about.config);
  put_text(kLog, kPathRoom, about.log);
  set_host("(uninitialized)");
  put_number(kExpected, about.expected);
  put_number(kRules, about.rules);
  put_number(kVersion, uint32_t{1});
}

StatsFile::~StatsFile() {
  if (mapped_ == nullptr) return;
  ::munmap(mapped_, kSize);
  ::unlink(path_.c_str());
}

void StatsFile::set_host(const std::string& host) { put_text(kHost, kHostRoom, host); }

void StatsFile::set(const StatsCounts& counts) {
  put_number(kActions, counts.actions);
  put_number(kYes, counts.yes);
  put_number(kNo, counts.no);
  put_number(kUnknownOnes, counts.unknown);
  put_number(kEvaluations, counts.evaluations);
}

void StatsFile::put_text(size_t offset, size_t room, const std::string& text) {
  if (mapped_ == nullptr) return;
  char* const to = static_cast<char*>(mapped_) + offset;
  const size_t length = std::min(text.size(), room - 1);
  std::memcpy(to, text.data(), length);
  std::memset(to + length, 0, room - length);
}

template <class T>
void StatsFile::put_number(size_t offset, T number) {
  if (mapped_ == nullptr) return;
  std::memcpy(static_cast<char*>(mapped_) + offset, &number, sizeof number);
}

}  // namespace pmjit::pmie
