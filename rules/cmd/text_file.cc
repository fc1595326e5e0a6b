#include "rules/cmd/text_file.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <system_error>

#include "rules/cmd/common.h"
#include "rules/cmd/rule_files.h"
#include "runtime/base/limits.h"
#include "runtime/base/near.h"

namespace pmjit {

namespace {

constexpr std::string_view kTemplate = "#pmieconf-rules ";  // a file's first line

struct KindWords {
  std::string_view files, pattern;
};
KindWords words_of(FileKind kind) {
  switch (kind) {
    case FileKind::rules: return {"rule files", "*.pmie"};
    case FileKind::definitions: return {"definition files", "*.conf"};
    case FileKind::tests: return {"test files", "*.case"};
    case FileKind::reports: return {"reports", "*.toml"};
    case FileKind::configurations: break;
  }
  return {"configuration files", "*.toml"};
}

Error refused_file(Fault fault, const std::string& path, std::string_view what) {
  return {fault, fmt::format("{}: {}", path, what)};
}

Error too_large(const std::string& path, uint64_t bytes, FileKind kind) {
  constexpr uint64_t kMega = 1'000'000;
  return refused_file(Fault::limit, path,
                      fmt::format("is {} MB; {} may have {} MB", bytes / kMega,
                                  words_of(kind).files, limits::kSourceBytesMax >> 20));
}

Error is_folder(const std::string& path, FileKind kind) {
  const std::string_view slash = path.ends_with('/') ? "" : "/";
  return refused_file(
      Fault::usage, path,
      fmt::format("is a folder; name its files: {}{}{}", path, slash, words_of(kind).pattern));
}

// "did you mean …?", of the names in its folder; empty: there is none like it.
std::string near_files(const std::string& path) {
  const std::filesystem::path file(path);
  std::vector<std::string> others;
  std::error_code error;
  const auto folder = file.has_parent_path() ? file.parent_path() : std::filesystem::path(".");
  for (std::filesystem::directory_iterator it(folder, error), end; !error && it != end;
       it.increment(error)) {
    if (it->is_directory(error)) continue;
    others.push_back(it->path().filename().string());
  }
  return near_names_text(near_paths(path, others));
}

class OpenFile {
 public:
  // A pipe that nobody writes to yet is opened all the same.
  explicit OpenFile(const std::string& path)
      : fd_(::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC)) {}
  ~OpenFile() {
    if (fd_ >= 0) ::close(fd_);
  }
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;
  [[nodiscard]] int fd() const { return fd_; }

 private:
  int fd_;
};

}  // namespace

Error file_error(const std::string& path, int err) {
  switch (err) {
    case ENOENT: return refused_file(Fault::not_found, path, "no such file").help(near_files(path));
    case EACCES: return refused_file(Fault::io, path, "permission denied");
    default: return refused_file(Fault::io, path, std::generic_category().message(err));
  }
}

Result<std::string> read_user_file(const std::string& path, FileKind kind) {
  const OpenFile file(path);
  if (file.fd() < 0) return fail(file_error(path, errno));
  struct stat status{};
  if (::fstat(file.fd(), &status) != 0) return fail(file_error(path, errno));
  if (S_ISDIR(status.st_mode)) return fail(is_folder(path, kind));
  const auto size = static_cast<uint64_t>(status.st_size);
  if (size > limits::kSourceBytesMax) return fail(too_large(path, size, kind));
  std::string text = pmie::read_to_end(file.fd());
  if (text.size() > limits::kSourceBytesMax) return fail(too_large(path, text.size(), kind));
  if (text.find('\0') != text.npos) {
    return fail(refused_file(Fault::format, path, "is a binary file, and no text"));
  }
  if (text.starts_with(kTemplate)) {
    return fail(refused_file(Fault::format, path,
                             "is a template for pmieconf, not a rule file; "
                             "`pmieconf -F -f rules.pmie` writes rules from it"));
  }
  if (text.empty() && S_ISREG(status.st_mode)) complain(fmt::format("note: {}: is empty", path));
  return text;
}

Result<void> check_user_file(const std::string& path, FileKind kind) {
  struct stat status{};
  const bool other =
      ::stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode);
  if (other) return {};
  if (auto text = read_user_file(path, kind); !text) return fail(text.error());
  return {};
}

}  // namespace pmjit
