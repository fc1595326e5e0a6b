#include "compiler/compat/registry/config.h"

#include <dirent.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fmt/format.h>
#include <algorithm>
#include <cerrno>

#include <memory>

#include "compiler/compat/registry/config_file.h"
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
  return load_text(
      {.name = path, .text = {reinterpret_cast<const char*>(bytes->data()), bytes->size()}});
}

int ConfigLoader::load_text(const SourceText& file) {
  Diags wrong;
  const Dialect dialect = dialect_of(file, dialects_.choice, wrong);
  if (wrong.has_errors()) return refuse(file, render_all(wrong, file));
  if (dialect == Dialect::strict && dialects_.strict != nullptr) return load_strict(file);
  if (dialect != registry_.dialect()) {
    return refuse(
        file, fmt::format(
                  "[{}] Error: it is in dialect {}, and what is read here is {} (--compat=NAME)\n",
                  file.name, dialect_text(dialect), dialect_text(registry_.dialect())));
  }
  if (dialects_.strict != nullptr) dialects_.strict->keep(file);
  return ConfigFile(file.name, file.text, registry_, controls_, say_).read();
}

int ConfigLoader::refuse(const SourceText& file, const std::string& why) {
  say_(fmt::format("{}[{}] Error: nothing of it is read\n", why, file.name));
  return 0;
}

int ConfigLoader::load_strict(const SourceText& file) {
  const auto definitions = dialects_.strict->read(file, say_);
  if (!definitions) return refuse(file, "");
  std::string wrong;
  for (const StrictDefinition& definition : *definitions) {
    const auto others = static_cast<size_t>(&definition - definitions->data());
    if (const auto reason = registry_.no_room_for(definition.name, others)) {
      wrong += fmt::format("[{}:{}] Error: {} cannot be defined: {}\n", file.name, definition.line,
                           definition.name, reason->message);
    }
  }
  if (!wrong.empty()) return refuse(file, wrong);
  dialects_.strict->keep(file);
  for (const StrictDefinition& definition : *definitions) {
    registry_.add_strict(definition, file.name);
  }
  return static_cast<int>(definitions->size());
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
