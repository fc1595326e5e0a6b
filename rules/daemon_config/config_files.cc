#include "rules/daemon_config/config_files.h"

#include <glob.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>

#include "runtime/base/file.h"

namespace pmjit {

Result<std::string> SystemConfigFiles::read(const std::string& path, size_t bytes_max) const {
  auto file = open_file(path);
  if (!file) return fail(file.error());
  const auto bytes = read_whole(**file, bytes_max);
  if (!bytes) return fail(bytes.error().at("file", path));
  return std::string(reinterpret_cast<const char*>(bytes->data()), bytes->size());
}

bool SystemConfigFiles::can_read(const std::string& path) const {
  return access(path.c_str(), R_OK) == 0;
}

bool SystemConfigFiles::can_write(const std::string& path) const {
  if (access(path.c_str(), F_OK) == 0) return access(path.c_str(), W_OK) == 0;
  const size_t slash = path.find_last_not_of('/') == path.npos
                           ? path.npos
                           : path.rfind('/', path.find_last_not_of('/'));
  const std::string folder = slash == path.npos ? "." : path.substr(0, slash + 1);
  return access(folder.c_str(), W_OK | X_OK) == 0;
}

bool SystemConfigFiles::can_run(const std::string& program) const {
  struct stat there{};
  return ::stat(program.c_str(), &there) == 0 && S_ISREG(there.st_mode) &&
         access(program.c_str(), X_OK) == 0;
}

std::vector<std::string> SystemConfigFiles::matching(const std::string& pattern) const {
  std::vector<std::string> out;
  glob_t found{};
  if (glob(pattern.c_str(), GLOB_NOSORT, nullptr, &found) == 0) {
    out.assign(found.gl_pathv, found.gl_pathv + found.gl_pathc);
  }
  globfree(&found);
  std::ranges::sort(out);
  return out;
}

bool is_glob(std::string_view path) { return path.find_first_of("*?[") != path.npos; }

std::string beside(const std::string& file, const std::string& path) {
  const size_t slash = file.rfind('/');
  if (path.starts_with('/') || slash == file.npos) return path;
  return file.substr(0, slash + 1) + path;
}

}  // namespace pmjit
