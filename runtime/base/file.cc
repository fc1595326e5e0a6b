#include "runtime/base/file.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace pmjit {

namespace {

Result<Bytes> slice(Bytes whole, uint64_t offset, size_t length) {
  if (offset > whole.size() || length > whole.size() - offset) {
    return fail(Fault::truncated, fmt::format("{} bytes wanted at offset {}, file has {}", length,
                                              offset, whole.size()));
  }
  return whole.subspan(offset, length);
}

size_t copy_out(Bytes whole, uint64_t offset, std::span<std::byte> out) {
  if (offset >= whole.size()) return 0;
  const size_t bytes = std::min<size_t>(out.size(), whole.size() - offset);
  if (bytes != 0) std::memcpy(out.data(), whole.data() + offset, bytes);
  return bytes;
}

class MemoryFile final : public File {
 public:
  explicit MemoryFile(std::vector<std::byte> bytes) : bytes_(std::move(bytes)) {}
  uint64_t size() const override { return bytes_.size(); }
  Result<Bytes> view(uint64_t offset, size_t length) const override {
    return slice(bytes_, offset, length);
  }
  Result<size_t> read(uint64_t offset, std::span<std::byte> out) const override {
    return copy_out(bytes_, offset, out);
  }

 private:
  std::vector<std::byte> bytes_;
};

class MappedFile final : public File {
 public:
  MappedFile(Bytes bytes, int fd) : bytes_(bytes), fd_(fd) {}
  ~MappedFile() override {
    munmap(const_cast<std::byte*>(bytes_.data()), bytes_.size());
    close(fd_);
  }
  uint64_t size() const override { return bytes_.size(); }
  Result<Bytes> view(uint64_t offset, size_t length) const override {
    return slice(bytes_, offset, length);
  }
  Result<size_t> read(uint64_t offset, std::span<std::byte> out) const override {
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
  void will_read(uint64_t offset, uint64_t length) const override {
    const auto page = static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
    const uint64_t from = offset / page * page;
    if (from >= bytes_.size()) return;
    const uint64_t to = std::min<uint64_t>(bytes_.size(), offset + length);
    madvise(const_cast<std::byte*>(bytes_.data()) + from, to - from, MADV_POPULATE_READ);
  }

 private:
  Bytes bytes_;
  int fd_;
};

Error os_error(const char* what, const std::string& path, int err) {
  const Fault fault = err == ENOENT ? Fault::not_found : Fault::io;
  return Error(fault, fmt::format("{}: {}", what, std::strerror(err)))
      .at("file", path)
      .pm_code(-err);
}

}  // namespace

Result<std::unique_ptr<File>> map_file(const std::string& path) {
  // Not blocking: a FIFO of that name must not make us wait for a writer.
  const int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0) return fail(os_error("cannot open", path, errno));
  struct stat info{};
  if (fstat(fd, &info) != 0) {
    const int err = errno;
    close(fd);
    return fail(os_error("cannot stat", path, err));
  }
  if (!S_ISREG(info.st_mode)) {
    close(fd);
    return fail(Error(Fault::io, "is not a regular file").at("file", path));
  }
  const auto bytes = static_cast<size_t>(info.st_size);
  if (bytes == 0) {
    close(fd);
    return memory_file({});
  }
  void* map = mmap(nullptr, bytes, PROT_READ, MAP_PRIVATE, fd, 0);
  if (map == MAP_FAILED) {
    const int err = errno;
    close(fd);
    return fail(os_error("cannot map", path, err));
  }
  return std::make_unique<MappedFile>(Bytes(static_cast<const std::byte*>(map), bytes), fd);
}

std::unique_ptr<File> memory_file(std::vector<std::byte> bytes) {
  return std::make_unique<MemoryFile>(std::move(bytes));
}

}  // namespace pmjit
