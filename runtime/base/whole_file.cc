#include "runtime/base/whole_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>

namespace pmjit {

namespace {

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
