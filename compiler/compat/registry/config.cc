#include "compiler/compat/registry/config.h"

#include <dirent.h>
#include <fmt/format.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <fstream>
#include <memory>

#include "compiler/compat/registry/config_file.h"
#include "runtime/base/file.h"
#include "runtime/base/limits.h"
#include "runtime/model/pm_codes.h"

namespace pmjit {

namespace {

OrPmError<int> cannot_read(Missing missing, int error) {
  return missing == Missing::skipped ? OrPmError<int>(0) : pm_fail(-error);
}

enum Control : size_t { global_limit, context_limit, syntax, semantics, eval, option_novalue };
constexpr std::string_view kNames[] = {"GLOBAL_LIMIT",    "CONTEXT_LIMIT", "DEBUG_SYNTAX",
                                       "DEBUG_SEMANTICS", "DEBUG_EVAL",    "OPTION_NOVALUE"};

// The first that the name is a beginning of.
const std::string_view* find_control(const std::string& name) {
  return std::ranges::find_if(kNames, [&](std::string_view known) {
    return !name.empty() && strncasecmp(known.data(), name.c_str(), name.size()) == 0 &&
           name.size() <= known.size();
  });
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

// What is neither file nor folder is passed over, as by libpcp, unless the caller wants it.
OrPmError<int> ConfigLoader::load_part(const std::string& path, Missing missing) {
  struct stat info{};
  if (stat(path.c_str(), &info) < 0) return cannot_read(missing, errno);
  if (S_ISDIR(info.st_mode)) return load_folder(path, missing);
  if (!S_ISREG(info.st_mode)) return dialects_.for_pmjit ? load_pipe(path) : 0;
  if (access(path.c_str(), R_OK) < 0) return cannot_read(missing, errno);
  const auto file = open_file(path);
  if (!file) return cannot_read(missing, EIO);
  const auto bytes = read_whole(**file, limits::kSourceBytesMax);
  if (!bytes) {
    say_(fmt::format("[{}] Error: not read: {}\n", path, bytes.error().text()));
  }
  if (!bytes) return cannot_read(missing, bytes.error().fault() == Fault::limit ? EFBIG : EIO);
  std::string text(reinterpret_cast<const char*>(bytes->data()), bytes->size());
  // libpcp takes it for a part of the first name.
  constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
  if (dialects_.for_pmjit && text.starts_with(kByteOrderMark)) text.erase(0, kByteOrderMark.size());
  return load_text({.name = path, .text = std::move(text)});
}

OrPmError<int> ConfigLoader::load_pipe(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) return pm_fail(-EACCES);
  std::string text;
  for (char c = 0; in.get(c);) {
    if (text.size() == limits::kSourceBytesMax) return pm_fail(-EFBIG);
    text += c;
  }
  return load_text({.name = path, .text = std::move(text)});
}

int ConfigLoader::load_text(const SourceText& file) {
  if (dialects_.for_pmjit && !texts_.insert(file.text).second) return 0;
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

void Controls::read_environment(std::string_view settings) {
  constexpr std::string_view kWarning = "Warning: $PCP_DERIVED_CONTROL: ";
  read(settings, {.warning = std::string(kWarning), .error = std::string(kWarning), .fixed = true});
}

// The byte behind #control does not matter.
void Controls::read_comment(std::string_view line, const std::string& place) {
  constexpr std::string_view kWord = "#control";
  if (registry_.dialect() == Dialect::pcp6 || line.size() < kWord.size() ||
      strncasecmp(line.data(), kWord.data(), kWord.size()) != 0) {
    return;
  }
  line.remove_prefix(std::min(line.size(), kWord.size() + 1));
  read(line, {.warning = place + "Warning: ", .error = place + "Error: "});
}

void Controls::read(std::string_view settings, const Where& where) {
  const auto warn = [&](const std::string& text) { say_(where.warning + text + "\n"); };
  while (!settings.empty()) {
    const size_t equals = settings.find('=');
    if (equals == settings.npos) {
      say_(fmt::format("{}missing '=' in derived metric control ({})\n", where.error, settings));
      return;
    }
    const std::string name(settings.substr(0, equals));
    const std::string_view rest = settings.substr(equals + 1);
    const auto* control = find_control(name);
    const bool known = control != std::end(kNames);
    if (!known) warn(fmt::format("unknown derived metric control ({})", name));
    if (known && rest.empty()) {
      return warn(fmt::format("missing value in derived metric control ({})", settings));
    }
    const std::string text(rest);
    char* end = nullptr;
    const auto value = static_cast<int>(std::strtol(text.c_str(), &end, 10));
    if (known && *end != '\0' && *end != ',') {
      return warn(fmt::format("bad value ({}) for derived metric control ({})", rest, name));
    }
    if (known) {
      const auto failure =
          set(static_cast<size_t>(control - std::begin(kNames)), value, where.fixed);
      if (!failure.empty()) {
        warn(fmt::format("failed to set derived metric control {}={}: {}", name, value, failure));
      }
    }
    const size_t comma = rest.find(',');
    if (comma == rest.npos) return;
    settings = rest.substr(comma + 1);
  }
}

std::string Controls::set(size_t control, int value, bool fixed) {
  const bool flag = control >= syntax;
  const bool sound = flag ? value == 0 || value == 1 : value > 0 || value == -1;
  if (!sound) return "Bad value for function argument";  // PM_ERR_ARG, of 7.x only
  int now = 0;
  switch (control) {
    case global_limit: now = registry_.limit; break;
    case context_limit: now = context_limit_; break;
    case option_novalue: now = registry_.missing_are_novalue ? 1 : 0; break;
    default: now = debug_[control - syntax] ? 1 : 0; break;
  }
  if (!fixed && fixed_.contains(control)) {
    return now == value ? "" : pm_error_text(pm_err::E_AGAIN);
  }
  if (fixed) fixed_.insert(control);
  switch (control) {
    case global_limit: registry_.limit = value; break;
    case context_limit:
      if (!fixed) return pm_error_text(pm_err::E_NOCONTEXT);
      context_limit_ = value;
      break;
    case option_novalue: registry_.missing_are_novalue = value != 0; break;
    default: debug_[control - syntax] = value != 0; break;
  }
  return {};
}

}  // namespace pmjit
