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
#include "rules/cmd/file_contents.h"
#include "rules/cmd/rule_files.h"
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

}  // namespace

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
  constexpr std::string_view kWords[] = {"rules", "config", "metrics", "instant", "range"};
  if (std::ranges::find(kWords, path) != std::end(kWords)) {
    return refused_file(Fault::not_found, path, "no such file")
        .help("promtool has this word; pmjit takes the files alone");
  }
  const bool is_text = path.contains(' ') && path.find_first_of("<>=") != path.npos;
  return refused_file(Fault::not_found, path, "no such file")
      .help(is_text
                ? "a rule stands in a file NAME.pmie; pmjit eval -a ARCHIVE 'EXPR' evaluates an "
                  "expression"
                : near_files(path));
}

// disk.dev.write, rate(disk.dev.write)>5: no name of a file, and no rule.
bool is_expression(const std::string& word) {
  const bool is_rule = word.contains(';') || word.contains("->") || word.contains(" = ");
  if (is_rule || word.contains('\n')) return false;
  if (word.find_first_of("(<>") != word.npos) return true;
  constexpr std::string_view kEndings[] = {".pmie",  ".conf", ".toml", ".case", ".txt",
                                           ".rules", ".yaml", ".yml",  ".json"};
  const bool ends = std::ranges::any_of(kEndings, [&](auto of) { return word.ends_with(of); });
  const bool dots = std::ranges::count(word, '.') > 1;
  return dots && !ends && word.find_first_of("/*? ") == word.npos && near_files(word).empty();
}

Error binary_file(const std::string& path, std::string_view text) {
  const std::string base = path.substr(0, path.rfind('.'));
  std::error_code unknown;
  if (!base.empty() && std::filesystem::exists(base + ".meta", unknown)) {
    return refused_file(Fault::format, path, "is a file of an archive, not a file of text")
        .help(fmt::format("write -a {}", base));
  }
  if (text.starts_with("\xFF\xFE") || text.starts_with("\xFE\xFF")) {
    return refused_file(Fault::format, path, "is a text in UTF-16, and pmjit reads UTF-8")
        .help(fmt::format("save it as UTF-8, or: iconv -f UTF-16 -t UTF-8 {0} > NEW", path));
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
  if (file.fd() < 0) {
    const int err = errno;
    const bool means_text = kind == FileKind::checked && err == ENOENT && is_expression(path);
    if (!means_text) return fail(file_error(path, err));
    return fail(refused_file(Fault::not_found, path, "no such file")
                    .help(fmt::format("an expression follows -e: pmjit check -e '{}'", path)));
  }
  struct stat status{};
  if (::fstat(file.fd(), &status) != 0) return fail(file_error(path, errno));
  if (S_ISDIR(status.st_mode)) return fail(is_folder(path, kind));
  const auto size = static_cast<uint64_t>(status.st_size);
  if (size > limits::kSourceBytesMax) return fail(too_large(path, size, kind));
  std::string text = pmie::read_to_end(file.fd());
  if (text.size() > limits::kSourceBytesMax) return fail(too_large(path, text.size(), kind));
  if (text.find('\0') != text.npos) return fail(binary_file(path, text));
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
