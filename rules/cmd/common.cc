#include "rules/cmd/common.h"

#include <fmt/ranges.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <sstream>

#include "compiler/compat/registry/derive.h"
#include "compiler/sema/names.h"
#include "rules/cmd/colors.h"
#include "rules/cmd/expected_run.h"
#include "rules/cmd/folder_files.h"
#include "rules/cmd/interrupt.h"
#include "rules/cmd/text_file.h"
#include "runtime/archive/recording/folder.h"
#include "runtime/base/near.h"

namespace pmjit {

namespace {

// Words of --jit, and what the same choice is called where evaluators are meant.
const std::map<std::string, EvaluatorChoice>& evaluators() {
  static const std::map<std::string, EvaluatorChoice> kTable = {
      {"auto", EvaluatorChoice::automatic},          {"off", EvaluatorChoice::interpreter},
      {"interpreter", EvaluatorChoice::interpreter}, {"on", EvaluatorChoice::kernels},
      {"kernels", EvaluatorChoice::kernels},
  };
  return kTable;
}

const std::map<std::string, Isa>& isas() {
  static const std::map<std::string, Isa> kTable = {{"native", Isa::native},
                                                    {"sse4.2", Isa::sse42},
                                                    {"avx2", Isa::avx2},
                                                    {"avx512", Isa::avx512}};
  return kTable;
}

const std::map<std::string, std::optional<OptLevel>>& levels() {
  static const std::map<std::string, std::optional<OptLevel>> kTable = {
      {"auto", std::nullopt}, {"O0", OptLevel::O0}, {"O2", OptLevel::O2}};
  return kTable;
}

template <class Table>
std::vector<OptionChoice> keys_of(const Table& table) {
  std::vector<OptionChoice> out;
  for (const auto& [name, value] : table) out.push_back({name});
  return out;
}

}  // namespace

std::optional<std::string_view> if_given(const std::string& text) {
  return text.empty() ? std::nullopt : std::optional<std::string_view>(text);
}

CommandOption archive_option(CommonOptions& options) {
  return {.names = "-a,--archive",
          .target = &options.archives,
          .value = "ARCHIVE",
          .what = "archive, or folder of archives; may be repeated",
          .daily = true,
          .more =
              "An archive is named by its base: web1 for web1.meta, web1.index, web1.0. Archives "
              "of one host follow one another. Commas between names do the same as another "
              "`-a`. A folder or a folio stands for the archives in it. A pattern such as `'web*'` "
              "stands for those that it matches."};
}

CommandOption dialect_option(DialectOptions& options, const std::string& of_what, bool rules) {
  CommandOption out = {.names = "--dialect",
                       .target = &options.dialect,
                       .value = "DIALECT",
                       .what = of_what,
                       .choices = {{"strict"}, {"pcp6"}, {"pcp7"}},
                       .more =
                           "It applies to texts that do not name a dialect. Without it "
                           "expressions are strict, definition files are pcp6, and rules are "
                           "pmie."};
  if (rules) out.choices.push_back({"pmie"});
  return out;
}

CommandOption compat_option(DialectOptions& options) {
  return {.names = "--compat",
          .target = &options.compat,
          .value = "DIALECT",
          .what = "read everything as this version of PCP does",
          .choices = {{"pcp6"}, {"pcp7"}},
          .excludes = {"--dialect"},
          .more =
              "pcp6 is PCP 6.0.3, pcp7 is PCP 7.2.1. pmjit ignores the dialects that files "
              "name."};
}

ExtraUnits extra_units_of(const DialectOptions& options) {
  return options.compat == "pcp6" ? ExtraUnits::ignored : ExtraUnits::known;
}

DialectChoice dialect_choice(const DialectOptions& options) {
  if (const auto compatible = dialect_from_text(options.compat)) {
    return DialectChoice::compatible(*compatible);
  }
  return dialect_from_text(options.dialect);
}

CommandOptions compiler_options(CommonOptions& options) {
  return {
      {.names = "-c,--config,--derived",
       .target = &options.definition_files,
       .value = "FILE",
       .what = "read definitions from FILE; may be repeated",
       .daily = true,
       .more = "A definition is a line `name = expression`."},
      dialect_option(options.dialect, "dialect of expressions and files"),
      compat_option(options.dialect),
      {.names = "--jit,--evaluator",
       .target = &options.evaluator,
       .value = "CHOICE",
       .what = "compile expressions; results do not change",
       .choices = keys_of(evaluators()),
       .more =
           "auto compiles when it saves time. on and kernels always compile, off and interpreter "
           "never do."},
      {.names = "--isa",
       .target = &options.isa,
       .value = "WIDTH",
       .what = "vector instructions of compiled expressions",
       .choices = keys_of(isas())},
      {.names = "--level",
       .target = &options.level,
       .value = "LEVEL",
       .what = "effort of the compiler",
       .choices = keys_of(levels()),
       .more = "O0 compiles fast, O2 compiles well. auto decides by the work of each expression."},
      {.names = "--no-passes",
       .target = &options.no_passes,
       .what = "compile expressions without optimising them"},
  };
}

void say(std::string_view text) {
  const std::string painted = painted_messages(text);
  std::fwrite(painted.data(), 1, painted.size(), stderr);
}

void complain(const std::string& text) { say("pmjit: " + text + "\n"); }

void warn(const std::vector<std::string>& warnings) {
  for (const std::string& warning : warnings) complain("warning: " + warning);
}

void warn_of_left_out(std::span<const LeftOutArchive> left_out, const std::string& names,
                      bool all) {
  constexpr size_t kFew = 3;
  const size_t shown = all ? left_out.size() : std::min(left_out.size(), kFew);
  for (const LeftOutArchive& archive : left_out.first(shown)) {
    complain("warning: left out: " + archive.text());
  }
  const size_t more = left_out.size() - shown;
  if (more == 0) return;
  complain(fmt::format("warning: {} more {} left out; pmjit info -v {} says which, and why", more,
                       more == 1 ? "archive is" : "archives are", names));
}

void end_if_reader_has_gone() {
  pollfd output{.fd = STDOUT_FILENO, .events = 0, .revents = 0};
  if (::poll(&output, 1, 0) != 1 || (output.revents & POLLERR) == 0) return;
  std::signal(SIGPIPE, SIG_DFL);
  (void)std::raise(SIGPIPE);
}

int output_failed(const std::string& text) {
  end_if_reader_has_gone();
  complain(text);
  return kExitErrors;
}

int stop_before_start() {
  complain("interrupted: nothing has been evaluated");
  return kExitSignal + interrupted();
}

int stopped_writing(const Sink& sink) {
  if (!sink.whole()) complain(fmt::format("interrupted: {}", kRowCutShort));
  return kExitSignal + interrupted();
}

Result<std::unique_ptr<ArchivesSource>> open_source(const CommonOptions& options,
                                                    ExtraUnits extra_units) {
  if (options.archives.empty()) {
    return fail(Error(Fault::usage, "no archive given").help("name one with -a ARCHIVE"));
  }
  const std::string names = fmt::format("{}", fmt::join(options.archives, ","));
  std::unique_ptr<Archives> archives;
  auto folder = open_folder(names, {.extra_units = extra_units, .without_bad_index = true});
  std::error_code unknown;
  if (folder && folder->hosts.size() > 1 && std::filesystem::is_directory(names, unknown)) {
    return fail(several_hosts(names, *folder, "this verb reads those of one"));
  }
  if (folder && folder->hosts.size() == 1) {
    warn_of_left_out(folder->left_out, names);
    archives = std::move(folder->hosts.front());
  } else {
    auto opened = Archives::open(names, {.extra_units = extra_units, .without_bad_index = true});
    if (!opened) return fail(opened.error());
    archives = *std::move(opened);
  }
  auto source = std::make_unique<ArchivesSource>(std::move(archives));
  warn(source->warnings());
  return source;
}

Result<OpenedHosts> open_hosts(const CommonOptions& options, ExtraUnits extra_units, bool told) {
  if (options.archives.empty()) {
    return fail(Error(Fault::usage, "no archive given").help("name one with -a ARCHIVE"));
  }
  const std::string names = fmt::format("{}", fmt::join(options.archives, ","));
  auto folder = open_folder(names, {.extra_units = extra_units, .without_bad_index = true});
  if (!folder) return fail(folder.error());
  if (!told) warn_of_left_out(folder->left_out, names);
  OpenedHosts out{.whole = folder->left_out.empty()};
  for (auto& archives : folder->hosts) {
    out.hosts.push_back(std::make_unique<ArchivesSource>(std::move(archives)));
    if (!told) warn(out.hosts.back()->warnings());
  }
  return out;
}

void note_apart(std::span<const std::unique_ptr<ArchivesSource>> hosts) {
  std::vector<const Archives*> recorded;
  for (const auto& source : hosts) recorded.push_back(&source->archives());
  note_apart(recorded);
}

void note_apart(std::span<const Archives* const> hosts) {
  // Of one that is damaged the end is not known: no other is compared with it.
  const auto end_of = [](const Archives* of) { return of->end().value_or(kStampMax); };
  const auto last_start = std::ranges::max_element(hosts, {}, &Archives::start);
  const auto first_end = std::ranges::min_element(hosts, {}, end_of);
  if (last_start == hosts.end() || (*last_start)->start() <= end_of(*first_end)) return;
  complain(fmt::format("note: {} ends before {} begins: the archives do not overlap",
                       (*first_end)->label().host, (*last_start)->label().host));
}

Result<std::vector<SourceText>> read_files(const std::vector<std::string>& paths, FileKind kind) {
  std::vector<SourceText> out;
  for (const std::string& path : paths) {
    auto text = read_user_file(path, kind);
    if (!text) return fail(text.error());
    out.push_back(SourceText{.name = path, .text = *std::move(text)});
  }
  return out;
}

void add_definition_paths(const std::string& path, std::vector<std::string>& to) {
  std::vector<std::string> found{path};
  std::error_code unknown;
  if (std::filesystem::is_directory(path, unknown)) {
    found.clear();
    for (const auto& entry : std::filesystem::directory_iterator(path, unknown)) {
      const std::string name = entry.path().filename().string();
      if (!name.starts_with('.') && is_file_entry(entry)) found.push_back(entry.path().string());
    }
    std::ranges::sort(found);
  }
  for (const std::string& file : found) {
    if (std::ranges::find(to, file) == to.end()) to.push_back(file);
  }
}

namespace {

std::vector<std::string> environment_paths() {
  std::vector<std::string> out;
  const char* const environment = std::getenv("PCP_DERIVED_CONFIG");
  std::istringstream in(environment == nullptr ? "" : environment);
  for (std::string path; std::getline(in, path, ':');) {
    if (!path.empty()) out.push_back(path);
  }
  return out;
}

// True: it is one, or one that cannot be read, and said.
bool warn_of_empty_folder(const std::string& path) {
  std::error_code unknown;
  if (!std::filesystem::is_directory(path, unknown)) return false;
  const std::filesystem::directory_iterator entry(path, unknown);
  if (unknown) return complain("warning: " + file_error(path, unknown.value()).text()), true;
  std::vector<std::string> found;
  add_definition_paths(path, found);
  if (!found.empty()) return false;
  complain(fmt::format("warning: {}: no definition files in this folder", path));
  return true;
}

}  // namespace

void add_environment_definitions(std::vector<std::string>& to) {
  for (const std::string& path : environment_paths()) {
    if (std::error_code unknown; std::filesystem::exists(path, unknown)) {
      add_definition_paths(path, to);
    }
  }
}

void warn_of_definition_paths(const std::vector<std::string>& given) {
  for (const std::string& path : given) warn_of_empty_folder(path);
  for (const std::string& path : environment_paths()) {
    std::error_code unknown;
    if (warn_of_empty_folder(path) || std::filesystem::exists(path, unknown)) continue;
    complain(fmt::format("warning: {}: no such file; $PCP_DERIVED_CONFIG names it", path));
  }
}

// Those of $PCP_DERIVED_CONFIG define what expressions may name; by themselves they ask for
// nothing.
std::vector<std::string> definition_paths(const CommonOptions& options, bool for_expressions) {
  std::vector<std::string> out;
  for (const std::string& path : options.definition_files) add_definition_paths(path, out);
  if (for_expressions) add_environment_definitions(out);
  return out;
}

namespace {

// What the shell makes of -a web1.*: the other files of the archive are arguments.
bool is_archive_file(const std::string& text) {
  const size_t dot = text.rfind('.');
  if (dot == text.npos || dot == 0) return false;
  const std::string base = text.substr(0, dot), kind = text.substr(dot + 1);
  const bool volume = !kind.empty() && kind.find_first_not_of("0123456789") == kind.npos;
  std::error_code unknown;
  return (volume || kind == "index" || kind == "meta") &&
         std::filesystem::exists(base + ".meta", unknown) &&
         std::filesystem::is_regular_file(text, unknown);
}

Error archive_file_error(const std::string& text) {
  return Error(Fault::usage, fmt::format("{} is a file of an archive, not an expression", text))
      .help(fmt::format("write -a {}; the shell turns {}.* into all its files",
                        text.substr(0, text.rfind('.')), text.substr(0, text.rfind('.'))));
}

}  // namespace

std::optional<Error> other_file_error(const std::string& text) {
  std::error_code unknown;
  if (!text.contains('.') || !std::filesystem::is_regular_file(text, unknown)) return {};
  Error error(Fault::usage, fmt::format("{} is a file, not an expression", text));
  if (text.ends_with(".conf"))
    return std::move(error).help(fmt::format("write -c {} to read it", text));
  if (text.ends_with(".pmie")) {
    return std::move(error).help(fmt::format("pmjit run {} -a ARCHIVE replays its rules", text));
  }
  if (text.ends_with(".case"))
    return std::move(error).help(fmt::format("pmjit test {} runs it", text));
  if (text.ends_with(".toml")) {
    return std::move(error).help(
        fmt::format("a report is printed by -p {}{}", text.contains('/') ? "" : "./", text));
  }
  for (const std::string_view end : {".md", ".json", ".csv", ".html", ".svg", ".txt"}) {
    if (text.ends_with(end)) return error;
  }
  return {};
}

Result<CompileInput> compile_input(const CommonOptions& options,
                                   const std::vector<std::string>& expressions) {
  warn_of_definition_paths(options.definition_files);
  auto files = read_files(definition_paths(options, !expressions.empty()));
  if (!files) return fail(files.error());
  CompileInput input{.expressions = {}, .definition_files = std::move(*files)};
  for (const std::string& text : expressions) {
    if (is_archive_file(text)) return fail(archive_file_error(text));
    input.expressions.push_back(SourceText{.name = "", .text = text});
  }
  if (input.expressions.empty() && input.definition_files.empty()) {
    return fail(Error(Fault::usage, "no expression given")
                    .help("for instance disk.dev, 'rate(disk.all.read)' or all; or -c FILE for its "
                          "definitions"));
  }
  return input;
}

CompileOptions compile_options(const CommonOptions& options) {
  CompileOptions out;
  out.evaluator = evaluators().at(options.evaluator);
  out.isa = isas().at(options.isa);
  out.level = levels().at(options.level);
  out.passes = !options.no_passes;
  out.counter_wrap = std::getenv("PCP_COUNTER_WRAP") != nullptr;
  out.dialect = dialect_choice(options.dialect);
  out.equivalent = installed_equivalences();
  return out;
}

CompileOptions compile_options(const CommonOptions& options, const Recording& source) {
  CompileOptions out = compile_options(options);
  out.expected = expected_work(source, {});
  return out;
}

namespace {

// "did you mean sda?" of instances of the results, or nothing.
std::string near_instances(const std::string& name, std::span<const ResultInfo> infos,
                           const Catalog& catalog) {
  std::vector<std::string> names;
  for (const ResultInfo& info : infos) {
    if (info.domain == kNullId) continue;
    for (const Catalog::Instance& instance : catalog.instances(info.domain)) {
      names.emplace_back(instance.name);
    }
  }
  std::ranges::sort(names);
  const auto twice = std::ranges::unique(names);
  names.erase(twice.begin(), twice.end());
  const std::string near = near_names_text(near_names(name, names));
  if (!near.empty() || names.empty()) return near;
  constexpr size_t kNamed = 5;
  const size_t shown = std::min(names.size(), kNamed);
  const std::string more =
      names.size() > shown ? fmt::format(" and {} more", names.size() - shown) : "";
  return fmt::format("the instances are {}{}", fmt::join(std::span(names).first(shown), ", "),
                     more);
}

// -i '*', -i 'sd.*'; "": it is no pattern.
std::string pattern_meant(const std::string& name) {
  if (name == "*" || name == "all") return "leave out -i to see all";
  if (name.find_first_of("*?^$|") == name.npos) return "";
  const std::string begin = name.substr(name.starts_with('^') ? 1 : 0);
  return fmt::format("-i takes whole names; a pattern is written 'matchinst(/^{}/, METRIC)'",
                     begin.substr(0, begin.find_first_of(".*?$|[(")));
}

}  // namespace

Result<std::vector<std::string>> resolve_instances(const std::vector<std::string>& wanted,
                                                   std::span<const ResultInfo> infos,
                                                   const Catalog& catalog) {
  std::vector<std::string> out;
  if (wanted.empty()) {
    return fail(Error(Fault::usage, "-i names no instance").help("leave out -i for all of them"));
  }
  for (const std::string& name : wanted) {
    std::optional<InstanceMatch> best;
    for (const ResultInfo& info : infos) {
      if (info.domain == kNullId) continue;
      std::vector<InDomId> domains = info.met;
      domains.insert(domains.begin(), info.domain);
      InstanceMatch match = match_instance(catalog, domains, name);
      const bool found = match.how == InstanceMatch::How::found;
      if (found && std::ranges::find(out, match.name) == out.end()) out.push_back(match.name);
      if (!best || found) best = std::move(match);
    }
    if (!best) {
      return fail(
          Error(Fault::usage, "none of the expressions has instances").help("leave out -i"));
    }
    if (best->how != InstanceMatch::How::found) {
      Error error(Fault::not_found, "no instance " + name);
      if (best->name.empty()) {
        const std::string near = near_instances(name, infos, catalog);
        const std::string pattern = pattern_meant(name);
        if (!pattern.empty()) return fail(std::move(error).help(pattern));
        return fail(std::move(error).help(near.empty() ? "leave out -i to see all" : near));
      }
      return fail(std::move(error).help("write the full name: " + best->name));
    }
  }
  return out;
}

bool report(const Compilation& compilation) {
  say(compilation.rendered());
  for (const std::string& note : compilation.notes) complain("note: " + note);
  if (!compilation.failure.empty()) complain(compilation.failure);
  return compilation.ok();
}

}  // namespace pmjit
