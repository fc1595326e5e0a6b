#include "runtime/archive/writer/output.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "runtime/archive/format/label.h"

namespace pmjit {

namespace {

std::string path_of(const std::string& base, ArchivePart part) {
  if (part.number == kMetaVolume) return base + ".meta";
  if (part.number == kIndexVolume) return base + ".index";
  return fmt::format("{}.{}", base, part.number);
}

std::unexpected<Error> os_failure(const char* what, const std::string& path, int error) {
  return fail(Error(Fault::io, fmt::format("{}: {}", what, std::strerror(error)))
                  .at("file", path)
                  .pm_code(-error));
}

class FileOutput final : public ArchiveOutput {
 public:
  explicit FileOutput(std::string base) : base_(std::move(base)) {}
  ~FileOutput() override {
    for (const auto& [part, fd] : files_) ::close(fd);
  }

  Result<void> create(ArchivePart part) override {
    const std::string path = path_of(base_, part);
    const int fd = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0664);
    if (fd < 0) return os_failure("cannot create", path, errno);
    files_[part] = fd;
    return {};
  }

  Result<void> append(ArchivePart part, Bytes bytes) override {
    const int fd = files_.at(part);
    while (!bytes.empty()) {
      const ssize_t written = ::write(fd, bytes.data(), bytes.size());
      if (written < 0 && errno == EINTR) continue;
      if (written < 0) return os_failure("cannot write", path_of(base_, part), errno);
      bytes = bytes.subspan(static_cast<size_t>(written));
    }
    return {};
  }

 private:
  std::string base_;
  std::map<ArchivePart, int> files_;
};

class MemoryOutput final : public ArchiveOutput {
 public:
  explicit MemoryOutput(ArchiveParts& parts) : parts_(parts) {}
  Result<void> create(ArchivePart part) override {
    parts_[part].clear();
    return {};
  }
  Result<void> append(ArchivePart part, Bytes bytes) override {
    auto& all = parts_[part];
    all.insert(all.end(), bytes.begin(), bytes.end());
    return {};
  }

 private:
  ArchiveParts& parts_;
};

}  // namespace

std::unique_ptr<ArchiveOutput> file_output(std::string base) {
  return std::make_unique<FileOutput>(std::move(base));
}

std::unique_ptr<ArchiveOutput> memory_output(ArchiveParts& parts) {
  return std::make_unique<MemoryOutput>(parts);
}

}  // namespace pmjit
