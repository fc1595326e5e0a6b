#include "runtime/base/temporary_file.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "runtime/base/limits.h"

namespace pmjit {

namespace {

constexpr uint64_t kSpaceCheckedEvery = 16u << 20;
constexpr char kHelp[] = "name a folder with more room in the environment variable PCP_TMPFILE_DIR";

std::string temporary_folder() {
  for (const char* name : {"PCP_TMPFILE_DIR", "TMPDIR"}) {
    const char* folder = std::getenv(name);
    if (folder != nullptr && *folder != '\0') return folder;
  }
  return "/tmp";
}

Error temporary_error(const char* what, const std::string& folder, int err) {
  return Error(Fault::io, fmt::format("{}: {}", what, std::strerror(err)))
      .at("folder", folder)
      .pm_code(-err)
      .help(kHelp);
}

}  // namespace

TemporaryFile::TemporaryFile(int fd, std::string folder) : fd_(fd), folder_(std::move(folder)) {}

TemporaryFile::TemporaryFile(TemporaryFile&& other) noexcept
    : fd_(std::exchange(other.fd_, -1)),
      folder_(std::move(other.folder_)),
      written_(other.written_),
      checked_until_(other.checked_until_) {}

TemporaryFile::~TemporaryFile() {
  if (fd_ >= 0) close(fd_);
}

Result<TemporaryFile> TemporaryFile::create() {
  std::string folder = temporary_folder();
  int fd = open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
  if (fd < 0 && (errno == EOPNOTSUPP || errno == EISDIR)) {
    // A file system that cannot make files without a name: one with a name, that is then removed.
    std::string path = folder + "/pmjit-XXXXXX";
    fd = mkostemp(path.data(), O_CLOEXEC);
    if (fd >= 0) unlink(path.c_str());
  }
  if (fd < 0) return fail(temporary_error("cannot make a temporary file", folder, errno));
  return TemporaryFile(fd, std::move(folder));
}

Result<void> TemporaryFile::check_space() {
  struct statvfs space{};
  if (fstatvfs(fd_, &space) != 0) return {};  // then write() tells when the disk is full
  const uint64_t left = uint64_t{space.f_bavail} * space.f_frsize;
  if (left < limits::kTemporaryBytesLeft + kSpaceCheckedEvery) {
    return fail(
        Error(Fault::limit,
              fmt::format("a temporary file has {} bytes and would leave less than {} MiB free",
                          written_, limits::kTemporaryBytesLeft >> 20))
            .at("folder", folder_)
            .pm_code(-ENOSPC)
            .help(kHelp));
  }
  checked_until_ = written_ + kSpaceCheckedEvery;
  return {};
}

Result<void> TemporaryFile::append(Bytes bytes) {
  while (!bytes.empty()) {
    if (written_ >= checked_until_) {
      if (auto enough = check_space(); !enough) return enough;
    }
    const ssize_t done = write(fd_, bytes.data(), bytes.size());
    if (done < 0 && errno == EINTR) continue;
    if (done < 0) return fail(temporary_error("cannot write a temporary file", folder_, errno));
    written_ += static_cast<uint64_t>(done);
    bytes = bytes.subspan(static_cast<size_t>(done));
  }
  return {};
}

std::unique_ptr<File> TemporaryFile::finish() && { return disk_file(std::exchange(fd_, -1)); }

}  // namespace pmjit
