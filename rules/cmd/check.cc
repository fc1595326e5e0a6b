// pmjit check FILE…: parse, and with an archive or a host check against its metadata. Nothing is
// evaluated.

#include <fmt/core.h>

#include <algorithm>
#include <deque>
#include <filesystem>
#include <iostream>
#include <iterator>
#include <set>
#include <span>
#include <sstream>

#include "compiler/compat/registry/derive.h"
#include "compiler/driver/check.h"
#include "rules/check/allow.h"
#include "rules/check/check_output.h"
#include "rules/cmd/common.h"
#include "rules/cmd/daemon_input.h"
#include "rules/cmd/file_contents.h"
#include "rules/cmd/folder_files.h"
#include "rules/cmd/interrupt.h"
#include "rules/cmd/live_hosts.h"
#include "rules/cmd/missing_source.h"
#include "rules/cmd/recorded_window.h"
#include "rules/cmd/report_columns.h"
#include "rules/cmd/rule_files.h"
#include "rules/cmd/rule_session.h"
#include "rules/cmd/text_file.h"
#include "rules/cmd/verbs.h"
#include "rules/daemon/daemon.h"
#include "runtime/archive/recording/archives_source.h"
#include "runtime/archive/recording/marks.h"
#include "runtime/report/progress.h"

namespace pmjit {

namespace {

struct CheckVerbOptions {
  CommonOptions common;
  std::vector<std::string> files, definition_files, expressions, settings, hosts;
  std::vector<std::string> alone{};     // those of `files` that were found in a folder
  std::vector<std::string> defining{};  // the files of -c
  [[nodiscard]] bool has_one_file() const { return files.size() + defining.size() == 1; }
  std::string format = "text";
  bool differences = false, verbose = false;
};

// What is found in expressions is of one file without a name.
constexpr std::string_view kExpression = "<expression>", kCheckedInput = "<stdin>";

// What definitions and expressions are checked against; nothing: only whether they parse.
struct CheckedAgainst {
  std::unique_ptr<ArchivesSource> archive{};
  const Catalog* catalog = nullptr;
  bool interrupted = false;  // values may be missing between others
};

Result<CheckedAgainst> checked_against(const CheckVerbOptions& options, const LiveHosts* live,
                                       const WarnOfArchive& warn) {
  CheckedAgainst out;
  if (live != nullptr) {
    if (live->size() > 1) {
      return fail(Error(Fault::usage,
                        "definitions and expressions are checked against one host, "
                        "and -h names several")
                      .help("name one with -h, and check once for each host"));
    }
    out.catalog = &live->feeds().catalog();
    out.interrupted = true;
    return out;
  }
  if (options.common.archives.empty()) return out;
  auto opened = open_source(options.common, ExtraUnits::known);
  if (!opened) return fail(opened.error());
  out.archive = *std::move(opened);
  for (const std::string& warning : out.archive->warnings()) warn(warning, true);
  const Archives& archives = out.archive->archives();
  const auto end = archives.end();
  const auto whole = end ? whole_up_to(*end, archives) : Result<void>(fail(end.error()));
  if (!whole) warn(whole.error().text(), false);
  warn_of_records(archives, warn);
  out.catalog = &out.archive->catalog();
  out.interrupted = Marks(out.archive->archives()).any();
  return out;
}

void add_reports(const std::deque<Compilation::Report>& reports, std::vector<CheckedFile>& files) {
  for (const Compilation::Report& report : reports) {
    const std::string name = report.source.name == kExpression ? "" : report.source.name;
    const auto file = std::ranges::find(files, name, &CheckedFile::name);
    if (file != files.end()) add_findings(report.source, report.diags, *file);
  }
}

// What was found goes to `out`. False: there was an error, which has been said.
bool check_texts_of(const CheckVerbOptions& options, std::vector<SourceText> definitions,
                    const LiveHosts* live, const WarnOfArchive& warn,
                    std::vector<CheckedFile>& out) {
  CompileInput input{.expressions = {}, .definition_files = std::move(definitions)};
  for (const std::string& text : options.expressions) {
    input.expressions.push_back(SourceText{.name = std::string(kExpression), .text = text});
  }
  if (input.expressions.empty() && input.definition_files.empty()) {
    return complain("nothing to check\n  help: pmjit check FILE, or -e EXPR; - is standard input"),
           false;
  }
  // They define what expressions may name; nobody asks about them.
  const size_t given = input.definition_files.size();
  if (!options.expressions.empty()) {
    std::vector<std::string> paths;
    add_environment_definitions(paths);
    auto files = read_files(paths);
    if (!files) return complain(files.error().text()), false;
    for (SourceText& file : *files) {
      const auto same = std::ranges::find(input.definition_files, file.text, &SourceText::text);
      if (same == input.definition_files.end()) input.definition_files.push_back(std::move(file));
    }
  }
  const auto against = checked_against(options, live, warn);
  if (!against) return complain(against.error().text()), false;
  const CheckReport checked = check_texts(input, against->catalog,
                                          {.dialect = dialect_choice(options.common.dialect),
                                           .equivalent = installed_equivalences(),
                                           .interrupted = against->interrupted});
  std::vector<CheckedFile> found;
  for (const CheckReport::File& file : std::span(checked.files).first(given)) {
    found.push_back(
        {.name = file.name, .kind = CheckedKind::definitions, .count = file.definitions});
  }
  if (!options.expressions.empty()) {
    found.push_back(
        {.name = "", .kind = CheckedKind::expressions, .count = options.expressions.size()});
  }
  add_reports(checked.mistakes, found);
  add_reports(checked.reports, found);
  for (size_t i = 0; i < given; ++i) {
    const std::string& text = input.definition_files[i].text;
    silence(text, definition_lines(text), {.comment = "#", .tell_unused = options.verbose},
            found[i]);
  }
  std::ranges::move(found, std::back_inserter(out));
  return true;
}

// With the definitions of the environment, as `eval` has them.
Result<void> check_reports(const CheckVerbOptions& options, const std::vector<SourceText>& reports,
                           const LiveHosts* live, const WarnOfArchive& warn,
                           std::vector<CheckedFile>& out) {
  if (reports.empty()) return {};
  const auto against = checked_against(options, live, warn);
  if (!against) return fail(against.error());
  std::vector<std::string> paths = options.definition_files;
  add_environment_definitions(paths);
  auto definitions = read_files(paths);
  if (!definitions) return fail(definitions.error());
  const ReportCheck check{.definitions = {.definition_files = *std::move(definitions)},
                          .catalog = against->catalog,
                          .how = {.dialect = dialect_choice(options.common.dialect),
                                  .equivalent = installed_equivalences(),
                                  .interrupted = against->interrupted}};
  for (const SourceText& report : reports) out.push_back(check_report(report, check));
  return {};
}

int status_of(const std::vector<CheckedFile>& files) {
  const auto some = [&](Level level) {
    return std::ranges::any_of(files, [&](const CheckedFile& file) { return file.of(level) > 0; });
  };
  return some(Level::error) ? kExitErrors : some(Level::warning) ? kExitWarnings : kExitOk;
}

// In the order of the command line, expressions last.
void sort_files(const CheckVerbOptions& options, std::vector<CheckedFile>& files) {
  std::vector<std::string> order = options.files;
  std::ranges::copy(options.defining, std::back_inserter(order));
  std::ranges::stable_sort(files, {}, [&](const CheckedFile& file) {
    const std::string_view given = file.name == kCheckedInput ? "-" : std::string_view(file.name);
    return file.name.empty() ? order.end() : std::ranges::find(order, given);
  });
}

// `damaged`: there were warnings of the archive.
void show(const CheckVerbOptions& options, const std::vector<CheckedFile>& files,
          bool damaged = false) {
  if (options.format == "json") return (void)fmt::print("{}", json_of(files, options.differences));
  if (options.format == "sarif") {
    return (void)fmt::print("{}", sarif_of(files, options.differences, PMJIT_VERSION));
  }
  const bool has_metrics = std::ranges::any_of(
      files, [](const CheckedFile& file) { return file.kind != CheckedKind::configuration; });
  const bool alone = has_metrics && options.common.archives.empty() && options.hosts.empty();
  const CheckText text =
      text_of(files, {.differences = options.differences,
                      .verbose = options.verbose,
                      .damaged = damaged,
                      .unchecked = alone ? "-a ARCHIVE checks names and units, too" : ""});
  say(text.findings);
  fmt::print("{}", text.clean);
}

// A folder stands for the files in it of rules, definitions, configurations and reports. Each of
// them is checked by itself.
Result<void> add_checked_files(const std::string& path, std::vector<std::string>& to,
                               std::vector<std::string>& alone) {
  namespace fs = std::filesystem;
  std::error_code unknown;
  if (!fs::is_directory(path, unknown)) return to.push_back(path), Result<void>();
  std::vector<std::string> found;
  PassedOver tests("*.case", "checked", "pmjit test {} runs the tests of rules");
  PassedOver tomls("*.toml", "checked", "pmjit finds no configuration or report of its own there");
  PassedOver folders("", "checked", "name one to check the files in it");
  fs::directory_iterator entry(path, unknown);
  if (unknown) return fail(file_error(path, unknown.value()));
  for (; !unknown && entry != fs::directory_iterator(); entry.increment(unknown)) {
    const std::string name = entry->path().filename().string();
    if (name.starts_with('.')) continue;
    if (entry->is_directory(unknown)) folders.add(entry->path());
    if (!is_file_entry(*entry)) continue;
    const bool is_toml = name.ends_with(".toml"),
               is_own = is_toml && may_be_own_toml(entry->path());
    if (is_own || name.ends_with(".pmie") || name.ends_with(".conf")) {
      found.push_back(entry->path().string());
    } else if (is_toml) {
      tomls.add(entry->path());
    } else if (name.ends_with(".case")) {
      tests.add(entry->path());
    }
  }
  tests.tell(path);
  tomls.tell(path);
  folders.tell(path);
  if (found.empty()) {
    return fail(Error(Fault::not_found,
                      fmt::format("{}: is a folder without files *.pmie, *.conf or *.toml", path))
                    .help("name the files of rules or definitions in it"));
  }
  std::ranges::sort(found);
  std::ranges::copy(found, std::back_inserter(to));
  std::ranges::move(found, std::back_inserter(alone));
  return {};
}

// A pipe is read once: what it holds decides what is done with it.
Result<SourceText> read_checked(const std::string& path, FileKind kind) {
  if (path == "-") {
    return SourceText{.name = std::string(kCheckedInput),
                      .text = {std::istreambuf_iterator<char>(std::cin), {}}};
  }
  auto files = read_files({path}, kind);
  if (!files) return fail(files.error());
  if (begins_with_mark(path)) {
    complain(
        fmt::format("note: {}: begins with a byte order mark; pmjit leaves it out, PCP's "
                    "tools refuse it",
                    path));
  }
  return std::move(files->front());
}

// A pipe has no name that says what it holds; an arrow outside of comments does.
bool holds_arrow(const SourceText& file) {
  if (std::error_code unknown; std::filesystem::is_regular_file(file.name, unknown)) return false;
  std::istringstream in(file.text);
  for (std::string line; std::getline(in, line);) {
    if (!line.starts_with('#') && line.contains("->")) return true;
  }
  return false;
}

bool is_configuration(const std::string& path) {
  return is_daemon_config(path) && !is_report_file(path);
}

int check_one_configuration(const ConfigInput& input, std::vector<CheckedFile>& out) {
  const ConfigCheck checked = problems_of_config(input);
  if (!checked.failure.empty()) complain(checked.failure);
  std::vector<CheckedFile> found = findings_of(checked.problems);
  if (found.empty() && checked.failure.empty()) {
    found.push_back({.name = input.path, .kind = CheckedKind::configuration});
  }
  std::ranges::move(found, std::back_inserter(out));
  return checked.status();
}

// Checks the configurations among several files, and the rules that each names. Takes them out of
// the list.
int check_configurations(CheckVerbOptions& options, std::vector<CheckedFile>& out) {
  int status = kExitOk;
  std::vector<std::string> others;
  for (const std::string& path : options.files) {
    if (!is_configuration(path)) {
      others.push_back(path);
      continue;
    }
    if (auto there = check_user_file(path, FileKind::configurations); !there) {
      complain(there.error().text());
      status = kExitErrors;
      continue;
    }
    status = std::max(status, check_one_configuration(daemon_input(path, options.settings), out));
  }
  options.files = std::move(others);
  return status;
}

// The configuration of a daemon, and the rules that it names.
int check_configuration(const CheckVerbOptions& options, const ConfigInput& input) {
  const bool names_hosts = !options.common.archives.empty() || !options.hosts.empty();
  std::vector<CheckedFile> found;
  const int status = check_one_configuration(input, found);
  show(options, found);
  if (names_hosts) complain("note: -a and -h are not used: the configuration names its hosts");
  return status;
}

struct GivenTexts {
  std::vector<std::vector<SourceText>> rules{};  // the set of those that were named, others alone
  std::vector<SourceText> definitions{}, reports{};
  int unread = kExitOk;        // the exit status for files that cannot be read
  std::optional<int> ended{};  // nothing else is to be checked
};

// Collects the files that cannot be checked. One message names all that have the same fault.
class RefusedFiles {
 public:
  void add(const std::string& path, const Error& error) {
    const std::string said = error.text();
    const std::string why = said.starts_with(path) ? said.substr(path.size()) : said;
    const auto same = std::ranges::find(refused_, why, &Refused::why);
    if (same == refused_.end()) return (void)refused_.emplace_back(path, why, said);
    ++same->others;
  }

  void tell() const {
    for (const Refused& one : refused_) {
      complain(one.others == 0 ? one.said
                               : fmt::format("{} (and {} other{}){}", one.path, one.others,
                                             one.others == 1 ? "" : "s", one.why));
    }
  }

 private:
  struct Refused {
    std::string path, why, said;
    size_t others = 0;
  };
  std::vector<Refused> refused_;
};

// The others are checked where one cannot be read.
GivenTexts read_texts(const CheckVerbOptions& options) {
  GivenTexts out;
  std::vector<SourceText> named;
  RefusedFiles refusals;
  const auto read = [&](const std::string& path, FileKind kind) {
    auto file = read_checked(path, kind);
    if (file) return std::optional(*std::move(file));
    refusals.add(path, file.error());
    out.unread = kExitErrors;
    return std::optional<SourceText>();
  };
  const bool all = options.common.dialect.dialect == "pmie";
  for (const std::string& path : options.files) {
    const bool is_named_so = all || path.ends_with(".pmie");
    auto file = read(path, is_named_so ? FileKind::rules : FileKind::checked);
    if (!file) continue;
    if (path == "-" && file->text.empty()) complain("note: standard input is empty");
    if (holds_report(file->text)) {
      out.reports.push_back(*std::move(file));
      continue;
    }
    if (options.has_one_file() && holds_configuration(file->text)) {
      out.ended =
          check_configuration(options, daemon_input_of(std::move(file->text), options.settings));
      return out;
    }
    const bool is_rules = all || (path == "-" && file->text.contains(';')) ||
                          holds_rules(file->name, file->text) || holds_arrow(*file);
    const bool alone = std::ranges::find(options.alone, path) != options.alone.end();
    if (is_rules && alone) {
      out.rules.push_back({*std::move(file)});
    } else {
      (is_rules ? named : out.definitions).push_back(*std::move(file));
    }
  }
  for (const std::string& path : options.defining) {
    if (auto file = read(path, FileKind::definitions)) out.definitions.push_back(*std::move(file));
  }
  refusals.tell();
  if (!named.empty()) out.rules.insert(out.rules.begin(), std::move(named));
  const bool none = out.rules.empty() && out.definitions.empty() && out.reports.empty() &&
                    options.expressions.empty();
  if (out.unread != kExitOk && none) out.ended = out.unread;
  return out;
}

std::vector<std::string> regular_files(const std::vector<SourceText>& files) {
  std::vector<std::string> out;
  for (const SourceText& file : files) {
    std::error_code error;
    if (std::filesystem::is_regular_file(file.name, error)) out.push_back(file.name);
  }
  return out;
}

// Rules by themselves, the rest as ever.
int check_all(const CheckVerbOptions& options, std::vector<CheckedFile> found, const Clock& clock) {
  const bool one = options.has_one_file() && options.defining.empty();
  if (one && found.empty() && is_configuration(options.files.front())) {
    if (auto there = check_user_file(options.files.front(), FileKind::configurations); !there) {
      return complain(there.error().text()), kExitErrors;
    }
    return check_configuration(options, daemon_input(options.files.front(), options.settings));
  }
  const DialectOptions& dialect = options.common.dialect;
  const bool all = dialect.dialect == "pmie";
  CheckRulesOptions rules{.sets = {},
                          .archives = options.common.archives,
                          .hosts = options.hosts,
                          .settings = options.settings,
                          .dialect = all || dialect.dialect == "strict" ? dialect.dialect : "",
                          .compat = !dialect.compat.empty(),
                          .differences = options.differences,
                          .verbose = options.verbose};
  GivenTexts texts = read_texts(options);
  if (texts.ended) {
    if (!found.empty()) show(options, found);
    return std::max(*texts.ended, status_of(found));
  }
  rules.sets = std::move(texts.rules);
  std::vector<SourceText>& definitions = texts.definitions;
  rules.definition_files = regular_files(definitions);
  if (rules.sets.empty() && !options.settings.empty()) {
    return complain("--set sets macros of rules, but no file of rules is given"), kExitErrors;
  }
  if (all && !options.expressions.empty()) {
    return complain("expressions are not in the dialect pmie\n  help: write a file of rules"),
           kExitErrors;
  }
  std::unique_ptr<LiveHosts> live;
  if (!options.hosts.empty()) {
    auto opened = LiveHosts::open(options.hosts, clock);
    if (!opened) return complain(opened.error().text()), kExitErrors;
    live = *std::move(opened);
    rules.live = live.get();
  }
  std::set<std::string> said;  // of the archives
  rules.warn = [&](const std::string& warning, bool is_said) {
    if (said.insert(warning).second && !is_said) complain("warning: " + warning);
  };
  Progress reading("checking", clock), replaying("replaying", clock);
  rules.progress = [&](double done) { reading.update(done); };
  rules.replay_progress = [&](double done) {
    reading.clear();
    replaying.update(done);
  };
  const auto checked = rules.sets.empty() ? Result<void>() : check_rule_files(rules, found);
  reading.clear();
  replaying.clear();
  if (!checked) return complain(without_end_of_line(checked.error().text())), kExitErrors;
  const bool others = !definitions.empty() || !options.expressions.empty() ||
                      (rules.sets.empty() && texts.reports.empty());
  const bool fine =
      !others || check_texts_of(options, std::move(definitions), live.get(), rules.warn, found);
  int status = fine ? texts.unread : kExitErrors;
  const auto reports = check_reports(options, texts.reports, live.get(), rules.warn, found);
  if (!reports) return complain(reports.error().text()), kExitErrors;
  if (!said.empty()) status = std::max<int>(status, kExitWarnings);
  for (CheckedFile& file : found) sort_findings(file);
  sort_files(options, found);
  if (!found.empty()) show(options, found, !said.empty());
  return std::max(status, status_of(found));
}

int check_given(CheckVerbOptions options, const Clock& clock) {
  end_at_interrupts();
  std::vector<std::string> files;
  for (const std::string& path : options.files) {
    if (auto added = add_checked_files(path, files, options.alone); !added) {
      return complain(added.error().text()), kExitErrors;
    }
  }
  warn_of_definition_paths(options.definition_files);
  for (const std::string& path : options.definition_files) {
    add_definition_paths(path, options.defining);
  }
  std::erase_if(files, [&](const std::string& path) {
    return std::ranges::find(options.defining, path) != options.defining.end();
  });
  options.files = std::move(files);
  const bool one = options.has_one_file() && options.expressions.empty();
  if (one || std::ranges::none_of(options.files, is_configuration)) {
    return check_all(options, {}, clock);
  }
  std::vector<CheckedFile> configurations;
  const int status = check_configurations(options, configurations);
  if (options.files.empty() && options.defining.empty() && options.expressions.empty()) {
    if (!configurations.empty()) show(options, configurations);
    return status;
  }
  return std::max(status, check_all(options, std::move(configurations), clock));
}

}  // namespace

Command check_command(const Clock& clock) {
  auto options = std::make_shared<CheckVerbOptions>();
  return {
      .name = "check",
      .what = "find mistakes in rules, definitions and expressions",
      .options =
          {{.names = "FILE",
            .target = &options->files,
            .what = "rules (NAME.pmie), definitions, a folder, or - for standard input",
            .more =
                "A file holds rules if its name ends in .pmie, or if it begins with // or /*. So "
                "does one with an action. Other files hold definitions. Standard input holds "
                "rules. A folder stands for its files `*.pmie`, `*.conf` and `*.toml`; each is "
                "checked by itself."},
           {.names = "-e,--expression",
            .target = &options->expressions,
            .value = "EXPR",
            .what = "check this expression; may be repeated",
            .daily = true},
           {.names = "-c,--config,--derived",
            .target = &options->definition_files,
            .value = "FILE",
            .what = "definitions that the rules use; as if named beside them"},
           archive_option(options->common),
           host_option(options->hosts),
           dialect_option(options->common.dialect, "dialect of expressions and files", true),
           compat_option(options->common.dialect),
           setting_option(options->settings),
           {.names = "--differences",
            .target = &options->differences,
            .what = "list also where strict and PCP differ: rounding, resets, order, …"},
           {.names = "-v,--verbose",
            .target = &options->verbose,
            .what = "show every place of a problem, not only the first"},
           {.names = "-o,--output",
            .target = &options->format,
            .value = "FORMAT",
            .what = "how to print what was found",
            .choices = {{"text", "for people"},
                        {"json",
                         "one object per line: file, line, column, level, code, message, help"},
                        {"sarif", "SARIF 2.1.0, as code hosts and editors read it"}}}},
      .footer =
          "With -a or -h names, types, units and instances are checked, too. pmjit reads only "
          "the description of metrics of a live host. With an archive it replays the rules, and "
          "says where a warning changes when they fire.\n"
          "Exit status: 0 no problems, 1 warnings, 2 errors.",
      .run = [options, &clock] { return check_given(*options, clock); },
      .examples = {"pmjit check busy.pmie -a web1", "pmjit check rates.conf -a web1",
                   "pmjit check -a web1 -e 'rate(disk.dev.read) > 5'",
                   "pmjit check busy.pmie -h localhost", "pmjit check pmjit.toml"},
      .group = "Work with rules and definitions",
      .also = {"lint", "validate", "verify", "parse"},
      .wrong =
          [options] {
            std::string turned = turned_source(options->files, options->common.archives);
            return turned.empty() ? archive_for_file(options->files) : turned;
          },
  };
}

}  // namespace pmjit
