#include "compiler/derive/config.h"

#include <dirent.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fmt/format.h>
#include <algorithm>
#include <cerrno>

#include <memory>

#include "compiler/derive/config_file.h"
#include "runtime/base/file.h"
#include "runtime/base/limits.h"

namespace pmjit {

namespace {

OrPmError<int> cannot_read(Missing missing, int error) {
  return missing == Missing::skipped ? OrPmError<int>(0) : pm_fail(-error);
}

}  // namespace

OrPmError<int> ConfigLoader::load(const std::string& path, Missing missing) {
  int total = 0;
  for (size_t at = 0; at < path.size();) {
    const size_t end = std::min(path.find(':', at), path.size());
    const auto count = load_part(path.substr(at, end - at), missing);
    if (!count) return count;
    total += *count;
    at = end + 1;
  }
  return total;
}

// What is neither file nor folder is passed over.
OrPmError<int> ConfigLoader::load_part(const std::string& path, Missing missing) {
  struct stat info{};
  if (stat(path.c_str(), &info) < 0) return cannot_read(missing, errno);
  if (S_ISDIR(info.st_mode)) return load_folder(path, missing);
  if (!S_ISREG(info.st_mode)) return 0;
  if (access(path.c_str(), R_OK) < 0) return cannot_read(missing, errno);
  const auto file = open_file(path);
  if (!file) return cannot_read(missing, EIO);
  const auto bytes = read_whole(**file, limits::kSourceBytesMax);
  if (!bytes) {
    say_(fmt::format("[{}] Error: not read: {}\n", path, bytes.error().text()));
  }
  if (!bytes) return cannot_read(missing, bytes.error().fault() == Fault::limit ? EFBIG : EIO);
  const std::string_view text(reinterpret_cast<const char*>(bytes->data()), bytes->size());
  return ConfigFile(path, text, registry_, controls_, say_).read();
}

// In the order in which the folder has them, as libpcp.
OrPmError<int> ConfigLoader::load_folder(const std::string& path, Missing missing) {
  const std::unique_ptr<DIR, int (*)(DIR*)> folder(opendir(path.c_str()), &closedir);
  if (folder == nullptr) return cannot_read(missing, errno);
  int total = 0;
  while (const dirent* entry = readdir(folder.get())) {
    const std::string_view name = entry->d_name;
    if (name == "." || name == "..") continue;
    const auto count = load_part(path + "/" + std::string(name), missing);
    if (!count) return count;
    total += *count;
  }
  return total;
}

}  // namespace pmjit
