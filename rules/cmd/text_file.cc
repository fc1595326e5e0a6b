#include "rules/cmd/text_file.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <fmt/ranges.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <system_error>

#include "compiler/compat/pmie/mistakes/usual_mistakes.h"
#include "rules/cmd/common.h"
#include "rules/cmd/rule_files.h"
#include "rules/daemon_config/config_keys.h"
#include "rules/testing/test_file.h"
#include "runtime/base/blanks.h"
#include "runtime/base/chars.h"
#include "runtime/base/limits.h"
#include "runtime/base/near.h"

namespace pmjit {

namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
constexpr std::string_view kTemplate = "#pmieconf-rules ";  // a file's first line

struct KindWords {
  std::string_view files, pattern;
  std::string_view wanted{};  // empty: anything may be
};
KindWords words_of(FileKind kind) {
  switch (kind) {
    case FileKind::rules: return {"rule files", "*.pmie", "rules"};
    case FileKind::definitions: return {"definition files", "*.conf", "definitions"};
    case FileKind::checked: return {"definition files", "*.conf", "rules or definitions"};
    case FileKind::tests: return {"test files", "*.case", "tests of rules"};
    case FileKind::reports: return {"reports", "*.toml", "reports"};
    case FileKind::hosts: return {"lists of hosts", "*"};
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

// The files in it that may be meant.
Error is_folder(const std::string& path, FileKind kind) {
  constexpr size_t kListedMax = 4;
  const std::string_view pattern = words_of(kind).pattern;
  const std::string begin = path.ends_with('/') ? path : path + "/";
  std::vector<std::string> files;
  std::error_code error;
  for (std::filesystem::directory_iterator it(path, error), end; !error && it != end;
       it.increment(error)) {
    const std::string name = it->path().filename().string();
    const bool is_of_kind = !name.starts_with('.') && name.ends_with(pattern.substr(1));
    if (is_of_kind && it->is_regular_file(error)) files.push_back(begin + name);
  }
  if (files.empty()) {
    return refused_file(Fault::usage, path, fmt::format("is a folder without files {}", pattern));
  }
  std::ranges::sort(files);
  const size_t others = files.size() > kListedMax ? files.size() - kListedMax + 1 : 0;
  files.resize(files.size() - others);
  if (others > 0) files.push_back(fmt::format("or {} others", others));
  return refused_file(Fault::usage, path,
                      fmt::format("is a folder; name its files: {}", fmt::join(files, ", ")));
}

// Of a file whose name says little: of larger ones the kind is plain from the beginning.
constexpr size_t kLookedAt = 1 << 20;

enum class Holds : uint8_t {
  unknown,
  rules,
  other_case,  // made of sections, and no test of rules
  definitions,
  tests,
  configuration,
  report,
  ini,
  toml,        // of another program
  prometheus,  // rules of it, in YAML
  control      // which starts pmie or pmlogger
};

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

// Files that users have beside theirs. By the end of the name, for texts may be of any kind.
struct OtherFormat {
  std::string_view end, what;
};
constexpr OtherFormat kOtherFormats[] = {
    {".md", "a text in Markdown"},  {".rst", "a text in reStructuredText"},
    {".html", "a page in HTML"},    {".xml", "a file in XML"},
    {".svg", "a picture in SVG"},   {".json", "data in JSON"},
    {".csv", "data in CSV"},        {".tsv", "data in TSV"},
    {".py", "a program in Python"}, {".sh", "a script of the shell"}};

// Empty: it may be what is wanted.
std::string_view other_format(const std::string& path, std::string_view text) {
  for (const OtherFormat& format : kOtherFormats) {
    if (path.ends_with(format.end)) return format.what;
  }
  const size_t first = std::min(text.find_first_not_of(" \t\r\n"), text.size());
  text.remove_prefix(first);
  if (text.starts_with("<!") || text.starts_with("<?xml") || text.starts_with("<html")) {
    return "a page in HTML or XML";
  }
  if (text.empty() || (text.front() != '{' && text.front() != '[')) return {};
  const size_t second = text.find_first_not_of(" \t\r\n", 1);
  const char next = second == text.npos ? ' ' : text[second];
  const bool object = text.front() == '{' && (next == '"' || next == '}');
  const bool list = text.front() == '[' && (next == '{' || next == '"');
  return object || list ? "data in JSON" : std::string_view();
}

// --- samples every 10s
bool has_sections(std::string_view text) {
  constexpr std::string_view kSections[] = {"metrics", "samples", "rules", "expect"};
  bool out = false;
  each_line(text, [&](std::string_view line) {
    if (!line.starts_with("--- ")) return true;
    line.remove_prefix(4);
    out = std::ranges::find(kSections, line.substr(0, line.find_first_of(" \t\r"))) !=
          std::end(kSections);
    return !out;
  });
  return out;
}

// groups:, and rules of them: - alert: NAME
bool holds_prometheus(std::string_view text) {
  bool first = true, groups = false, rules = false;
  each_line(text, [&](std::string_view line) {
    if (line.starts_with("---") && first) return true;
    groups = groups || (first && line.starts_with("groups:"));
    first = false;
    rules =
        line.starts_with("- alert:") || line.starts_with("- record:") || line.starts_with("rules:");
    return groups && !rules;
  });
  return groups && rules;
}

// What nearly is the line `#: run: rules` of a test. "": there is none.
std::string_view run_line(std::string_view text) {
  const std::string_view head = text.substr(0, text.find("--- "));
  for (size_t at = 0; at < head.size();) {
    const size_t end = std::min(head.find('\n', at), head.size());
    std::string_view line = head.substr(at, end - at);
    at = end + 1;
    while (!line.empty() && is_blank(line.back())) line.remove_suffix(1);
    const std::string_view rest =
        line.substr(std::min(line.find_first_not_of("#: \t"), line.size()));
    const bool run = rest.starts_with("run:") || rest.starts_with("run ");
    if (line.starts_with('#') && run) return line;
  }
  return {};
}

// Does one of the lines look like a definition? Of a few lines each has its own message.
bool may_define(std::string_view text) {
  if (text.contains("pmjit: dialect=")) return true;
  constexpr size_t kFewLines = 5;
  size_t lines = 0;
  bool found = false;
  each_line(text, [&](std::string_view line) {
    ++lines;
    const size_t sign = line.find('=');
    const std::string_view name = line.substr(0, std::min(sign, line.find_first_of(" \t(")));
    found = sign != line.npos && !name.empty() && name.find_first_of("\"<>;,:") == name.npos;
    return !found;
  });
  return found || lines <= kFewLines;
}

}  // namespace

bool is_meant_for_rule_test(std::string_view text) {
  constexpr std::string_view kRules = "rules";
  constexpr size_t kSlip = 2;  // letters
  const std::string_view line = run_line(text);
  if (line.empty()) return has_sections(text);
  const std::string_view what = without_blanks(line.substr(line.find("run") + 4));
  return edit_distance(what, kRules) <= kSlip;
}

Error no_rule_test(const std::string& path, std::string_view text) {
  const std::string_view line = run_line(text);
  if (!line.empty()) {
    return refused_file(Fault::usage, path,
                        fmt::format("its line `{}` does not say that it tests rules", line))
        .help("write the line as `#: run: rules`; `man pmjit-rules` shows a test");
  }
  return refused_file(Fault::usage, path, "has no line `#: run: rules`, so it tests no rules")
      .help("write the line `#: run: rules` at its top; `man pmjit-rules` shows a test");
}

namespace {

// what = "CPU": no statement of rules, which ends in a semicolon.
bool is_report_key(std::string_view line) {
  constexpr std::string_view kKeys[] = {"what", "rows", "title", "description", "header", "expr"};
  const size_t sign = line.find('=');
  if (sign == line.npos || line.contains(';') || line.contains("->")) return false;
  const std::string_view key = without_blanks(line.substr(0, sign));
  const size_t value = line.find_first_not_of(" \t", sign + 1);
  const bool is_text = value != line.npos && (line[value] == '"' || line[value] == '\'');
  return is_text && std::ranges::count(kKeys, key) != 0;
}

}  // namespace

// [[column]], or what nearly is; or a key before any table that a report or its column has.
bool holds_report(std::string_view text) {
  bool out = false, of_daemon = false, has_key = false, in_table = false;
  each_line(text, [&](std::string_view line) {
    if (!line.starts_with('[')) {
      has_key = has_key || (!in_table && is_report_key(line));
      return true;
    }
    in_table = true;
    line.remove_prefix(line.starts_with("[[") ? 2 : 1);
    const std::string name(line.substr(0, line.find_first_of("]. \t")));
    constexpr std::string_view kColumn = "column";
    of_daemon = std::ranges::any_of(
        config_sections(), [&](const ConfigSection& section) { return section.name == name; });
    out = !of_daemon && (name == kColumn || edit_distance(name, kColumn) <= 2);
    return !out && !of_daemon;
  });
  return out || (has_key && !of_daemon);
}

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

bool is_report_file(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::string text(kLookedAt, '\0');
  in.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<size_t>(in.gcount()));
  return holds_report(std::string_view(text).substr(begins_with_mark(path) ? 3 : 0));
}

namespace {

// What a file of that kind is made of.
std::string_view example_of(FileKind kind) {
  switch (kind) {
    case FileKind::rules:
      return "a rule is NAME = CONDITION -> print \"text\"; in a file NAME.pmie";
    case FileKind::definitions:
      return "a definition is a line NAME = EXPRESSION, in a file NAME.conf";
    case FileKind::tests: return "tests of rules are in files NAME.case";
    default: return "rules are in files NAME.pmie, definitions in files NAME.conf";
  }
}

std::string_view first_line(std::string_view text) {
  std::string_view out;
  each_line(text, [&](std::string_view line) {
    out = line;
    return false;
  });
  return out;
}

// A file with [sections] and none of a daemon's, as pmrep's configuration.
bool holds_ini(const std::string& path, std::string_view text) {
  bool of_daemon = path.ends_with(".toml");
  bool begins = false;
  each_line(text, [&](std::string_view line) {
    begins = begins || line.starts_with('[');
    of_daemon = of_daemon || line.starts_with("[[") || line.starts_with("[daemon]") ||
                line.starts_with("[http]") || line.starts_with("[log]");
    return begins && !of_daemon;
  });
  return begins && !of_daemon;
}

// Tables, and none that a daemon's configuration has, nor a slip of one.
bool holds_other_toml(std::string_view text) {
  std::vector<std::string> known = {"column"};  // that of a report
  for (const ConfigSection& section : config_sections()) known.emplace_back(section.name);
  bool any = false, of_daemon = false;
  each_line(text, [&](std::string_view line) {
    of_daemon = of_daemon || line.starts_with("include");
    if (!line.starts_with('[')) return !of_daemon;
    line.remove_prefix(std::min(line.find_first_not_of("[ \t"), line.size()));
    const std::string name(line.substr(0, line.find_first_of("]. \t")));
    std::vector<std::string> near = near_names(name, known);
    keep_slips(name, near);
    any = true;
    of_daemon = !near.empty() || is_later_section(name);
    return !of_daemon;
  });
  return any && !of_daemon;
}

Holds what_holds(const std::string& path, const std::string& text) {
  if (holds_report(text)) return Holds::report;
  if (holds_configuration(text)) {
    if (holds_ini(path, text)) return Holds::ini;
    return holds_other_toml(text) ? Holds::toml : Holds::configuration;
  }
  if (first_line(text).starts_with("$version=")) return Holds::control;
  if (!path.ends_with(".pmie") && holds_prometheus(text)) return Holds::prometheus;
  if (is_rule_test(text)) return Holds::tests;
  if (has_sections(text)) return Holds::other_case;
  if (holds_rules(path, text)) return Holds::rules;
  const bool has_help = text.contains("(oneline)") || text.contains("(helptext)");
  const bool is_open = text.contains(';') || text.contains("->");
  return begins_with_definition(text) && (has_help || !is_open) ? Holds::definitions
                                                                : Holds::unknown;
}

std::unexpected<Error> refused_text(const std::string& path, std::string_view what, FileKind kind) {
  return fail(refused_file(Fault::usage, path, what).help(std::string(example_of(kind))));
}

// A file that may be of any kind.
Result<void> refuse_unknown(const std::string& path, const std::string& text, FileKind kind) {
  // Of a folder tests of other things are left out.
  if (kind == FileKind::tests) return {};
  if (path.ends_with(".case")) return fail(no_rule_test(path, text));
  const bool either = kind == FileKind::checked;
  if ((kind == FileKind::definitions || either) && !may_define(text)) {
    return refused_text(path, either ? "holds no rules or definitions" : "holds no definitions",
                        kind);
  }
  return {};
}

// A file of one kind, given for another: what it is, and which command takes it. Empty: it may be
// what is wanted.
Result<void> refuse_other(const std::string& path, const std::string& text, FileKind kind) {
  const Holds holds = what_holds(path, text);
  const auto refuse = [&](std::string_view what, std::string_view command) {
    return fail(refused_file(Fault::usage, path,
                             fmt::format("holds {}, not {}", what, words_of(kind).wanted))
                    .help(fmt::format(fmt::runtime(command), path)));
  };
  if (words_of(kind).wanted.empty()) return {};
  if (const auto format = other_format(path, text); !format.empty()) {
    return refused_text(path, fmt::format("is {}, not {}", format, words_of(kind).wanted), kind);
  }
  switch (holds) {
    case Holds::unknown: return refuse_unknown(path, text, kind);
    case Holds::rules:
      if (kind == FileKind::rules || kind == FileKind::checked) break;
      // defs.pmie of a user who names all files so
      if (kind == FileKind::definitions && pmie::is_meant_for_definitions(text)) break;
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
    case Holds::other_case:
      if (kind != FileKind::tests) return fail(no_rule_test(path, text));
      break;
    case Holds::report:
      if (kind == FileKind::reports || kind == FileKind::checked) break;
      return refuse("a report", path.contains('/') ? "pmjit eval -a ARCHIVE -p {} prints it"
                                                   : "pmjit eval -a ARCHIVE -p ./{} prints it");
    case Holds::ini:
      if (is_pipe(path)) break;
      return fail(refused_file(Fault::usage, path,
                               fmt::format("is an INI file, as pmrep's configuration is, not {}",
                                           words_of(kind).wanted))
                      .help("pmjit explain reports lists the reports of pmjit, and pmjit eval -p "
                            "NAME -a ARCHIVE prints one"));
    case Holds::toml:
      if (kind == FileKind::reports || is_pipe(path)) break;
      return refused_text(path, fmt::format("is a TOML file, not {}", words_of(kind).wanted), kind);
    case Holds::prometheus:
      return fail(refused_file(Fault::usage, path,
                               fmt::format("is a file of rules of Prometheus, not {}",
                                           words_of(kind).wanted))
                      .help(std::string(pmie::kPrometheusHelp)));
    case Holds::control:
      return fail(refused_file(Fault::usage, path,
                               fmt::format("is a control file of pmie or pmlogger, not {}",
                                           words_of(kind).wanted))
                      .help("the rule files are behind -c in its lines; name one of them"));
    case Holds::configuration:
      if (kind == FileKind::checked && is_pipe(path)) break;
      if (kind == FileKind::reports && !text.contains("[[hosts]]") && !text.contains("[[rules]]") &&
          !text.contains("[daemon]")) {
        break;  // what is wrong with it as a report is said
      }
      return refuse("the configuration of a daemon",
                    path.ends_with(".toml") ? "pmjit run {} runs it"
                                            : "name it NAME.toml: pmjit run NAME.toml runs it");
  }
  return {};
}

// Of an archive people may name the base in place of a file.
Error missing_file(const std::string& path) {
  std::error_code unknown;
  if (std::filesystem::exists(path + ".meta", unknown)) {
    return refused_file(Fault::not_found, path, "is an archive, not a file of text")
        .help(fmt::format("write -a {}", path));
  }
  if (std::filesystem::is_symlink(path, unknown)) {
    const auto target = std::filesystem::read_symlink(path, unknown).string();
    return refused_file(Fault::not_found, path,
                        fmt::format("is a link to {}, which is not there", target));
  }
  const bool is_text = path.contains(' ') && path.find_first_of("<>=") != path.npos;
  return refused_file(Fault::not_found, path, "no such file")
      .help(is_text
                ? "a rule stands in a file NAME.pmie; pmjit eval -a ARCHIVE 'EXPR' evaluates an "
                  "expression"
                : near_files(path));
}

Error binary_file(const std::string& path) {
  const std::string base = path.substr(0, path.rfind('.'));
  std::error_code unknown;
  if (!base.empty() && std::filesystem::exists(base + ".meta", unknown)) {
    return refused_file(Fault::format, path, "is a file of an archive, not a file of text")
        .help(fmt::format("write -a {}", base));
  }
  return refused_file(Fault::format, path, "is a binary file, not a text");
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
  // Definitions with comments of rules are still definitions, and so is what a pipe has without
  // any sign of rules.
  const bool has_statements = text.contains("->") || text.contains(';');
  if (!path.ends_with(".pmie") && !has_statements) return false;
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
  if (text.find('\0') != text.npos) return fail(binary_file(path));
  // Editors of other systems put a mark before the first byte.
  if (text.starts_with(kByteOrderMark)) text.erase(0, kByteOrderMark.size());
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
  if (kind != FileKind::configurations) return {};
  if (holds_other_toml(*text) && !holds_report(*text)) {
    return fail(
        refused_file(Fault::usage, path, "is a TOML file, but not the configuration of a daemon")
            .help("`man pmjit-run` shows a configuration; rules are in files NAME.pmie"));
  }
  if (holds_report(*text)) {
    return fail(
        refused_file(Fault::usage, path, "holds a report, not the configuration of a daemon")
            .help(fmt::format("pmjit eval -a ARCHIVE -p {} prints it",
                              path.contains('/') ? path : "./" + path)));
  }
  return {};
}

bool may_be_own_toml(const std::string& path) {
  const auto text = read_user_file(path, FileKind::configurations);
  if (!text) return true;
  return holds_report(*text) || (holds_configuration(*text) && !holds_other_toml(*text));
}

bool begins_with_mark(const std::string& path) {
  if (is_pipe(path)) return false;
  std::ifstream in(path, std::ios::binary);
  std::array<char, kByteOrderMark.size()> begin{};
  in.read(begin.data(), begin.size());
  return in && std::string_view(begin.data(), begin.size()) == kByteOrderMark;
}

}  // namespace pmjit
