// pmjit test FILE…: users' tests of rules.

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "rules/cmd/colors.h"
#include "rules/cmd/common.h"
#include "rules/cmd/file_contents.h"
#include "rules/cmd/folder_files.h"
#include "rules/cmd/interrupt.h"
#include "rules/cmd/rule_session.h"
#include "rules/cmd/text_file.h"
#include "rules/cmd/verbs.h"
#include "rules/strict/definitions.h"
#include "rules/testing/compare.h"
#include "rules/testing/reports.h"
#include "rules/testing/test_file.h"
#include "runtime/base/file.h"
#include "runtime/base/near.h"
#include "runtime/base/result.h"
#include "runtime/report/sink/sink.h"

namespace pmjit {

namespace fs = std::filesystem;

namespace {

// A file that is a test of rules, or may be one.
struct TestText {
  std::string path, text;
};
struct FoundTests {
  std::vector<TestText> tests{};
  bool all_read = true;
};

std::unexpected<Error> cannot_read(const std::string& path, const std::error_code& why) {
  return fail(file_error(path, why.value()));
}

Result<std::vector<std::string>> cases_in(const std::string& folder) {
  std::vector<std::string> out;
  std::error_code why;
  auto entry = fs::recursive_directory_iterator(folder, why);
  for (; !why && entry != fs::recursive_directory_iterator(); entry.increment(why)) {
    if (entry->path().extension() != ".case" || !is_file_entry(*entry)) continue;
    out.push_back(entry->path().string());
  }
  if (why) return cannot_read(folder, why);
  std::ranges::sort(out);
  return out;
}

// The others are run where one cannot be read, which is said.
Result<FoundTests> tests_in(const std::string& folder) {
  const auto paths = cases_in(folder);
  if (!paths) return fail(paths.error());
  FoundTests out;
  PassedOver others("*.case", "run", "no line `#: run: rules` says that it tests rules");
  for (const std::string& path : *paths) {
    auto text = read_user_file(path, FileKind::tests);
    if (text && is_rule_test(*text)) {
      out.tests.push_back({.path = path, .text = *std::move(text)});
    } else if (text && !is_meant_for_rule_test(*text)) {
      others.add(path);
    } else {
      complain((text ? no_rule_test(path, *text) : text.error()).text());
      out.all_read = false;
    }
  }
  others.tell(folder);
  if (out.tests.empty() && out.all_read) {
    return fail(Error(Fault::not_found, "no tests of rules in it")
                    .help("a test is a file NAME.case with a line `#: run: rules`")
                    .at("folder", folder));
  }
  return out;
}

Result<FoundTests> tests_at(const std::string& path) {
  std::error_code why;
  const auto status = fs::status(path, why);
  if (!fs::exists(status)) {
    return cannot_read(path,
                       why ? why : std::make_error_code(std::errc::no_such_file_or_directory));
  }
  if (fs::is_directory(status)) return tests_in(path);
  auto text = read_user_file(path, FileKind::tests);
  if (!text) return fail(text.error());
  if (!is_rule_test(*text)) return fail(no_rule_test(path, *text));
  return FoundTests{.tests = {{.path = path, .text = *std::move(text)}}};
}

// Those named, and of the folders named and those in them the files *.case that say
// `#: run: rules`, by their names. None twice.
Result<FoundTests> find_rule_tests(const std::vector<std::string>& paths) {
  FoundTests out;
  std::set<std::string> taken;
  for (const std::string& path : paths) {
    auto found = tests_at(path);
    if (!found) return fail(found.error());
    out.all_read = out.all_read && found->all_read;
    for (TestText& test : found->tests) {
      if (taken.insert(fs::path(test.path).lexically_normal()).second) {
        out.tests.push_back(std::move(test));
      }
    }
  }
  return out;
}

struct TestVerbOptions {
  std::vector<std::string> paths, settings, definition_files;
  std::string only, format = "text";
  bool update = false, coverage = false;
};

// A word of a command line for the shell.
std::string shell_word(const std::string& word) {
  const auto plain = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 ||
           std::string_view("/._-+").contains(c);
  };
  if (!word.empty() && std::ranges::all_of(word, plain)) return word;
  std::string out = "'";
  for (const char c : word) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

// The tests of all files, one after the other.
class TestSession {
 public:
  TestSession(const TestVerbOptions& options, pmie::Settings settings, Definitions definitions)
      : options_(options), settings_(std::move(settings)), definitions_(std::move(definitions)) {}

  void run(const TestText& at) {
    const auto file = read_rule_tests(at.path, at.text);
    if (!file) return cannot_run({.file = at.path}, file.error());
    std::vector<RuleTestOutcome> outcomes;
    for (const RuleTest& test : file->tests) {
      names_.push_back(test.name);
      if (!options_.only.empty() && test.name != options_.only) continue;
      if (interrupted() != 0) return;
      run(*file, test, outcomes);
    }
    if (options_.update && outcomes.size() == file->tests.size()) {
      update(at, updated(*file, at.text, outcomes));
    }
    for (RuleTestOutcome& outcome : outcomes) outcomes_.push_back(std::move(outcome));
  }

  [[nodiscard]] RuleTestReport take_report() {
    if (options_.coverage) report_.coverage = coverage_of(outcomes_);
    return std::move(report_);
  }
  // Macros of all rules.
  [[nodiscard]] const pmie::MacroNames& macros() const { return macros_; }
  // Of all tests in the files.
  [[nodiscard]] const std::vector<std::string>& names() const { return names_; }
  // Files that --update has written.
  [[nodiscard]] const std::vector<std::string>& written() const { return written_; }

 private:
  void run(const RuleTestFile& file, const RuleTest& test, std::vector<RuleTestOutcome>& outcomes) {
    RuleTestResult result{.file = file.file.path,
                          .name = test.name,
                          .line = test.line,
                          .alone = "pmjit test " + shell_word(file.file.path)};
    for (const std::string& setting : options_.settings) {
      result.alone += " --set " + shell_word(setting);
    }
    for (const std::string& path : options_.definition_files) {
      result.alone += " -c " + shell_word(path);
    }
    if (!file.one) result.alone += " --only " + shell_word(test.name);
    auto outcome = run_rule_test(file, test,
                                 {.derived = definitions_.metrics(),
                                  .settings = settings_,
                                  .definitions = definitions_.texts(),
                                  .stop = [] { return interrupted() != 0; }});
    if (!outcome) return cannot_run(std::move(result), outcome.error());
    macros_.insert(outcome->macros.begin(), outcome->macros.end());
    auto faults =
        options_.update ? Result<std::vector<std::string>>() : compare(file, test, *outcome);
    outcomes.push_back(*std::move(outcome));
    if (!faults) return cannot_run(std::move(result), faults.error());
    if (!faults->empty()) result.verdict = TestVerdict::failed;
    result.faults = *std::move(faults);
    report_.results.push_back(std::move(result));
  }

  void cannot_run(RuleTestResult result, const Error& error) {
    result.verdict = TestVerdict::not_run;
    result.faults = {error.at("file", result.file).text() + "\n"};
    if (result.alone.empty()) result.alone = "pmjit test " + shell_word(result.file);
    report_.results.push_back(std::move(result));
  }

  void update(const TestText& at, const std::string& text) {
    if (text == at.text) return;
    if (const int err = write_whole_file(at.path, text); err != 0) {
      cannot_run({.file = at.path},
                 Error(Fault::io, fmt::format("cannot rewrite it: {}", whole_file_text(err)))
                     .help("it is as it was"));
      return;
    }
    written_.push_back(at.path);
  }

  const TestVerbOptions& options_;
  pmie::Settings settings_;
  pmie::MacroNames macros_;
  Definitions definitions_;
  RuleTestReport report_;
  std::vector<RuleTestOutcome> outcomes_;
  std::vector<std::string> names_, written_;
};

const TestFormat& format_of(const std::string& name) {
  return *std::ranges::find(test_formats(), name, &TestFormat::name);
}

std::string output_of(const TestVerbOptions& options, const RuleTestReport& report,
                      const TestSession& session) {
  if (!options.update) return format_of(options.format).write(report);
  std::string out;
  for (const std::string& path : session.written()) out += fmt::format("written: {}\n", path);
  if (out.empty()) out = "written: none\n";
  return report.count(TestVerdict::not_run) == 0 ? out : out + text_report(report);
}

Error no_such_test(const std::string& wanted, const std::vector<std::string>& names) {
  const auto near = near_names(wanted, names);
  const std::string help = near.empty()
                               ? "the tests are " + first_few_text(names)
                               : fmt::format("did you mean --only {}?", shell_word(near.front()));
  return Error(Fault::not_found, fmt::format("no test has the name {}", wanted))
      .help(names.empty() ? "" : help);
}

int test_rules(const TestVerbOptions& options) {
  auto settings = pmie::parse_settings(options.settings);
  if (!settings) return complain(settings.error().at("option", "--set").text()), kExitErrors;
  const auto files = find_rule_tests(options.paths);
  if (!files) return complain(files.error().text()), kExitErrors;
  if (files->tests.empty()) return kExitErrors;
  if (auto fine = check_definition_files(options.definition_files); !fine) {
    return complain(fine.error().text()), kExitErrors;
  }
  auto definitions = load_definitions(options.definition_files);
  if (!definitions) return complain(definitions.error().text()), kExitErrors;
  catch_interrupts();
  TestSession session(options, *std::move(settings), *std::move(definitions));
  for (const TestText& file : files->tests) session.run(file);
  if (interrupted() != 0) return kExitSignal + interrupted();
  const RuleTestReport report = session.take_report();
  if (report.results.empty()) {
    return complain(no_such_test(options.only, session.names()).text()), kExitErrors;
  }
  // A test that could not be run has not told of its macros.
  const bool all_ran = report.count(TestVerdict::not_run) == 0;
  if (auto known = check_settings(options.settings, session.macros()); all_ran && !known) {
    return complain(known.error().text()), kExitErrors;
  }
  Sink sink(STDOUT_FILENO);
  const std::string output = output_of(options, report, session);
  sink.put(options.format == "text" ? painted_results(output) : output);
  if (const auto written = sink.flush(); !written) return output_failed(written.error().text());
  if (!all_ran || !files->all_read) return kExitErrors;
  return report.count(TestVerdict::failed) != 0 ? kExitWarnings : kExitOk;
}

}  // namespace

Command test_command() {
  auto options = std::make_shared<TestVerbOptions>();
  return {
      .name = "test",
      .what = "run tests of rules over hand-written samples",
      .options = {{.names = "FILE",
                   .target = &options->paths,
                   .what = "test files, or folders of test files NAME.case",
                   .required = true,
                   .more = "A test has a line `#: run: rules`."},
                  {.names = "--only",
                   .target = &options->only,
                   .value = "NAME",
                   .what = "run the test of this name alone",
                   .daily = true},
                  {.names = "-o,--output",
                   .target = &options->format,
                   .value = "FORMAT",
                   .what = "output format, see below",
                   .choices = choices_of(test_formats()),
                   .daily = true},
                  {.names = "--coverage",
                   .target = &options->coverage,
                   .what = "list rules that no test makes fire or stay silent",
                   .daily = true},
                  {.names = "--update",
                   .target = &options->update,
                   .what = "write the results into the tests as expected",
                   .excludes = {"--only", "--set", "--output", "--coverage"},
                   .daily = true,
                   .more = "pmjit writes the sections `expect …` that the tests have."},
                  setting_option(options->settings),
                  definitions_option(options->definition_files)},
      .footer =
          "A test of the rule `busy`, in disk.case. Of a rule in a file, `#: rules: busy.pmie` "
          "takes "
          "the place of `--- rules`.\n"
          "  # report a busy disk\n"
          "  #: run: rules\n"
          "  --- rules\n"
          "  busy = some_inst disk.read > 50 count/sec -> print \"busy\";\n"
          "  --- metrics\n"
          "  disk.read  u64 counter count  indom=disk[sda sdb]\n"
          "  --- samples every 10s\n"
          "  disk.read[sda]  0+1000x3\n"
          "  disk.read[sdb]  0 0 0 0\n"
          "  --- expect transitions\n"
          "  t=0s busy unknown\n"
          "  t=10s busy true [sda]\n"
          "Exit status: 0 all pass, 1 some fail, 2 some cannot be run.",
      .run = [options] { return test_rules(*options); },
      .examples = {"pmjit test disk.case", "pmjit test --coverage busy.case",
                   "pmjit test -o junit disk.case"},
      .group = "Work with rules and definitions",
      .also = {"unittest", "selftest"},
  };
}

}  // namespace pmjit
