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
#include "rules/testing/test_file.h"
#include "runtime/base/limits.h"
#include "runtime/base/near.h"

namespace pmjit {

namespace {

constexpr std::string_view kTemplate = "#pmieconf-rules ";  // a file's first line

struct KindWords {
  std::string_view files, pattern;
  std::string_view wanted{};  // empty: anything may be
};
KindWords words_of(FileKind kind) {
  switch (kind) {
    case FileKind::rules: return {"rule files", "*.pmie", "rules"};
    case FileKind::definitions: return {"definition files", "*.conf", "definitions"};
    case FileKind::checked: return {"definition files", "*.conf", "rules and definitions"};
    case FileKind::tests: return {"test files", "*.case", "tests of rules"};
    case FileKind::reports: return {"reports", "*.toml", "reports"};
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

enum class Holds : uint8_t { unknown, rules, definitions, tests, configuration };

// Each line that is neither blank nor one of definitions' comments; until it says no.
template <class Says>
void each_line(std::string_view text, Says says) {
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    line.remove_prefix(std::min(line.find_first_not_of(" \t\r"), line.size()));
    if (line.empty() || line.starts_with('#')) continue;
    if (!says(line)) return;
  }
}

// An arrow with an action behind it.
bool has_action(std::string_view text) {
  bool out = false;
  each_line(text, [&](std::string_view line) {
    const size_t arrow = line.find("->");
    if (arrow == line.npos) return true;
    line.remove_prefix(arrow + 2);
    line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
    for (const std::string_view action : {"print", "syslog", "shell", "alarm", "stomp"}) {
      out = out || line.starts_with(action);
    }
    return !out;
  });
  return out;
}

// a.metric = …, or one of its help texts: a.metric(oneline) = …
bool begins_with_definition(std::string_view text) {
  bool out = false;
  each_line(text, [&](std::string_view line) {
    const std::string_view name = line.substr(0, line.find_first_of(" \t=("));
    std::string_view rest = line.substr(name.size());
    const size_t sign = rest.find('=');
    const bool has_more = sign != rest.npos && rest.find_first_not_of(" \t=", sign) != rest.npos;
    out = has_more && name.contains('.') && !name.contains('"');
    return false;
  });
  return out;
}

Holds what_holds(const std::string& path, const std::string& text) {
  if (holds_configuration(text)) return Holds::configuration;
  if (is_rule_test(text)) return Holds::tests;
  if (holds_rules(path, text)) return Holds::rules;
  const bool has_help = text.contains("(oneline)") || text.contains("(helptext)");
  const bool is_open = text.contains(';') || text.contains("->");
  return begins_with_definition(text) && (has_help || !is_open) ? Holds::definitions
                                                                : Holds::unknown;
}

// A file of one kind, given for another: what it is, and which command takes it. Empty: it may be
// what is wanted.
Result<void> refuse_other(const std::string& path, const std::string& text, FileKind kind) {
  const Holds holds = what_holds(path, text);
  const auto refuse = [&](std::string_view what, std::string_view command) {
    return fail(
        refused_file(Fault::usage, path,
                     fmt::format("holds {}, and {} are wanted here", what, words_of(kind).wanted))
            .help(fmt::format(fmt::runtime(command), path)));
  };
  if (words_of(kind).wanted.empty()) return {};
  switch (holds) {
    case Holds::unknown: break;
    case Holds::rules:
      if (kind == FileKind::rules || kind == FileKind::checked) break;
      return refuse("rules",
                    path.ends_with(".pmie")
                        ? "pmjit run {0} -a ARCHIVE replays them, pmjit check {0} finds their "
                          "mistakes"
                        : "pmjit run {0} -a ARCHIVE replays them, pmjit check --dialect pmie {0} "
                          "finds their mistakes");
    case Holds::definitions:
      if (kind == FileKind::definitions || kind == FileKind::checked) break;
      return refuse("definitions of metrics",
                    "pmjit eval -c {0} METRIC -a ARCHIVE evaluates them, pmjit check {0} finds "
                    "their mistakes");
    case Holds::tests:
      if (kind == FileKind::tests) break;
      return refuse("tests of rules", "pmjit test {} runs them");
    case Holds::configuration:
      if (kind == FileKind::checked && is_pipe(path)) break;
      if (kind == FileKind::reports) break;
      return refuse("the configuration of a daemon",
                    path.ends_with(".toml") ? "pmjit run {} runs it"
                                            : "name it NAME.toml: pmjit run NAME.toml runs it");
  }
  return {};
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

// Of an archive people may name the base in place of a file.
Error missing_file(const std::string& path) {
  std::error_code unknown;
  if (std::filesystem::exists(path + ".meta", unknown)) {
    return refused_file(Fault::not_found, path, "is an archive, and a file is wanted")
        .help(fmt::format("write -a {}", path));
  }
  return refused_file(Fault::not_found, path, "no such file").help(near_files(path));
}

// [[column]]
bool holds_report(std::string_view text) {
  bool out = false;
  each_line(text, [&](std::string_view line) {
    out = line.starts_with("[[column]]");
    return !out;
  });
  return out;
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

bool holds_rules(const std::string& path, std::string_view text) {
  // Definitions with comments of rules are still definitions.
  const bool has_statements = text.contains("->") || text.contains(';');
  if (path.ends_with(".conf") && !has_statements) return false;
  return is_rule_text({.name = path, .text = std::string(text)}) || has_action(text);
}

// [section] or [[hosts]] stands alone in the first line, or `include = …`; no rule begins so.
bool holds_configuration(std::string_view text) {
  bool out = false;
  each_line(text, [&](std::string_view line) {
    const std::string_view rest = line.substr(std::min(line.find_last_of(']'), line.size()));
    const size_t behind = rest.find_first_not_of("] \t\r");
    const bool ends = !rest.empty() && (behind == rest.npos || rest[behind] == '#');
    constexpr std::string_view kInclude = "include";
    const size_t sign = line.find_first_not_of(" \t", kInclude.size());
    const bool includes = line.starts_with(kInclude) && sign != line.npos && line[sign] == '=';
    out = includes || (line.starts_with('[') && ends);
    return false;
  });
  return out;
}

bool is_pipe(const std::string& path) {
  struct stat status{};
  if (path.starts_with("/dev/")) return true;  // /dev/stdin may be a file, under another name
  return path == "-" || (::stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode) &&
                         !S_ISDIR(status.st_mode));
}

Error file_error(const std::string& path, int err) {
  switch (err) {
    case ENOENT: return missing_file(path);
    case EACCES:
      return refused_file(Fault::io, path, "permission denied")
          .help(fmt::format("ls -l {} shows who may read it", path));
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
  if (auto fits = refuse_other(path, text, kind); !fits) return fail(fits.error());
  if (text.empty() && S_ISREG(status.st_mode)) complain(fmt::format("note: {}: is empty", path));
  return text;
}

Result<void> check_user_file(const std::string& path, FileKind kind) {
  if (is_pipe(path)) return {};
  auto text = read_user_file(path, kind);
  if (!text) return fail(text.error());
  if (kind != FileKind::configurations || !holds_report(*text)) return {};
  return fail(refused_file(Fault::usage, path,
                           "holds a report, and the configuration of a daemon is "
                           "wanted here")
                  .help(fmt::format("pmjit eval -a ARCHIVE -p {} prints it",
                                    path.contains('/') ? path : "./" + path)));
}

}  // namespace pmjit
