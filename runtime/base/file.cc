#include "runtime/base/file.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <utility>

#include "runtime/base/limits.h"

namespace pmjit {

namespace {

class MemoryFile final : public File {
 public:
  explicit MemoryFile(std::vector<std::byte> bytes) : bytes_(std::move(bytes)) {}
  uint64_t size() const override { return bytes_.size(); }
  Result<size_t> read(uint64_t offset, std::span<std::byte> out) const override {
    if (offset >= bytes_.size()) return 0;
    const size_t bytes = std::min<size_t>(out.size(), bytes_.size() - offset);
    if (bytes != 0) std::memcpy(out.data(), bytes_.data() + offset, bytes);
    return bytes;
  }

 private:
  std::vector<std::byte> bytes_;
};

// Listed in tests/tidy: it belongs to the process, as the signals that it asks for do.
std::atomic<bool (*)()> reading_stops = nullptr;

class DiskFile final : public File {
 public:
  explicit DiskFile(int fd) : fd_(fd) {}
  DiskFile(const DiskFile&) = delete;
  DiskFile& operator=(const DiskFile&) = delete;
  ~DiskFile() override { close(fd_); }
  uint64_t size() const override {
    struct stat info{};
    return fstat(fd_, &info) == 0 ? static_cast<uint64_t>(info.st_size) : 0;
  }
  Result<size_t> read(uint64_t offset, std::span<std::byte> out) const override {
    if (const auto is_asked = reading_stops.load(); is_asked != nullptr && is_asked()) {
      throw ReadingStopped();
    }
    size_t done = 0;
    while (done < out.size()) {
      const auto at = static_cast<off_t>(offset + done);
      const ssize_t bytes = pread(fd_, out.data() + done, out.size() - done, at);
      if (bytes < 0 && errno == EINTR) continue;
      if (bytes < 0) {
        const int error = errno;
        return fail(Error(Fault::io, fmt::format("cannot read: {}", std::strerror(error)))
                        .at("offset", fmt::format("{}", offset + done))
                        .pm_code(-error));
      }
      if (bytes == 0) break;
      done += static_cast<size_t>(bytes);
    }
    return done;
  }

 private:
  int fd_;
};

// Fresh memory costs more than the copy into it where each page is faulted by itself: 2.2 ms
// against 0.9 ms for 5 MB. A hint; whoever declines it is slower, and right.
void want_large_pages(Buffer& buffer) {
  constexpr size_t kPage = 4096, kWorthwhile = 4u << 20;
  if (buffer.size() < kWorthwhile) return;
  const auto address = reinterpret_cast<uintptr_t>(buffer.data());
  const size_t skip = (kPage - address % kPage) % kPage;
  madvise(buffer.data() + skip, (buffer.size() - skip) / kPage * kPage, MADV_HUGEPAGE);
}

Error os_error(const char* what, const std::string& path, int err) {
  const Fault fault = err == ENOENT ? Fault::not_found : Fault::io;
  return Error(fault, fmt::format("{}: {}", what, std::strerror(err)))
      .at("file", path)
      .pm_code(-err);
}

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

// The file that is meant, where links have been followed; whether it is there, and what it has.
struct Target {
  std::string path;
  bool exists = false;
  struct stat status{};
};

// A link to a file that is not there yet names the file that is meant, like any other.
std::filesystem::path behind_links(std::filesystem::path path, std::error_code& failed) {
  constexpr int kLinksMax = 40;  // as many as the kernel follows
  std::error_code unseen;        // whoever opens it says so
  for (int links = 0; !failed && is_symlink(symlink_status(path, unseen)); ++links) {
    if (links == kLinksMax) {
      failed = std::make_error_code(std::errc::too_many_symbolic_link_levels);
      return path;
    }
    const auto target = read_symlink(path, failed);
    if (!failed) path = path.parent_path() / target;
  }
  return path;
}

int find(const std::string& path, Target& target) {
  std::error_code failed;
  auto named = std::filesystem::absolute(path, failed);
  if (!failed) named = behind_links(std::move(named), failed);
  if (!failed) target.path = std::filesystem::weakly_canonical(named, failed).string();
  if (failed) return failed.value();
  target.exists = stat(target.path.c_str(), &target.status) == 0;
  if (!target.exists && errno != ENOENT) return errno;
  if (!target.exists) return 0;
  if (S_ISDIR(target.status.st_mode)) return EISDIR;
  if (!S_ISREG(target.status.st_mode)) return EINVAL;
  return access(target.path.c_str(), W_OK) == 0 ? 0 : errno;
}

bool write_all(int fd, std::string_view text) {
  while (!text.empty()) {
    const ssize_t done = write(fd, text.data(), text.size());
    if (done < 0 && errno == EINTR) continue;
    if (done < 0) return false;
    text.remove_prefix(static_cast<size_t>(done));
  }
  return true;
}

mode_t usual_mode() {
  const mode_t mask = umask(0);
  umask(mask);
  return 0666 & ~mask;
}

bool dress(int fd, const Target& target) {
  if (!target.exists) return fchmod(fd, usual_mode()) == 0;
  // Another owner's file stays theirs where we may say so; else it is ours now.
  const struct stat& status = target.status;
  const bool owned = fchown(fd, status.st_uid, status.st_gid) == 0 || errno == EPERM;
  return owned && fchmod(fd, status.st_mode & 07777) == 0;
}

}  // namespace

void stop_reading_when(bool (*is_asked)()) { reading_stops = is_asked; }

Result<std::unique_ptr<File>> open_file(const std::string& path) {
  // Not blocking: a FIFO of that name must not make us wait for a writer.
  const int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0) return fail(os_error("cannot open", path, errno));
  auto file = std::make_unique<DiskFile>(fd);
  struct stat info{};
  if (fstat(fd, &info) != 0) return fail(os_error("cannot stat", path, errno));
  if (S_ISDIR(info.st_mode)) return fail(os_error("cannot read", path, EISDIR));
  if (!S_ISREG(info.st_mode)) {
    return fail(Error(Fault::io, "is not a regular file").at("file", path).pm_code(-EINVAL));
  }
  return file;
}

std::unique_ptr<File> disk_file(int fd) { return std::make_unique<DiskFile>(fd); }

std::unique_ptr<File> memory_file(std::vector<std::byte> bytes) {
  return std::make_unique<MemoryFile>(std::move(bytes));
}

Result<Buffer> read_whole(const File& file, uint64_t bytes_max) {
  const uint64_t size = file.size();
  if (size > bytes_max) {
    return fail(Fault::limit, fmt::format("has {} bytes, more than the {} that are read at once",
                                          size, bytes_max));
  }
  Buffer out(static_cast<size_t>(size));
  want_large_pages(out);
  auto got = file.read(0, std::span(out.data(), out.size()));
  if (!got) return std::unexpected(got.error());
  out.resize(*got);
  return out;
}

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

int can_write_whole_file(const std::string& path) {
  Target target;
  if (const int err = find(path, target); err != 0) return err;
  const std::string folder = std::filesystem::path(target.path).parent_path().string();
  return access(folder.c_str(), W_OK | X_OK) == 0 ? 0 : errno;
}

std::string whole_file_text(int err) {
  return err == EINVAL ? "it is a pipe or a device, and no file" : std::strerror(err);
}

int write_whole_file(const std::string& path, std::string_view text) {
  Target target;
  if (const int err = find(path, target); err != 0) return err;
  std::string beside = target.path + ".XXXXXX";
  const int fd = mkostemp(beside.data(), O_CLOEXEC);
  if (fd < 0) return errno;
  const bool written = dress(fd, target) && write_all(fd, text) && fsync(fd) == 0;
  int err = written ? 0 : errno;
  if (close(fd) != 0 && err == 0) err = errno;
  if (err == 0 && rename(beside.c_str(), target.path.c_str()) != 0) err = errno;
  if (err != 0) unlink(beside.c_str());
  return err;
}

}  // namespace pmjit
