// case_runner [--dump=all] [--update] FILE…: cases, every cell of the matrix of each. Exit 0: all
// are as expected.
//
// --dump=all prints every stage's text. --update writes the `expect` sections that the case has
// with what came out (tests/update calls it; never in continuous integration).

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <span>
#include <string>
#include <vector>

#include "runtime/base/bytes.h"
#include "runtime/testing/case_file.h"
#include "tests/lib/expressions.h"
#include "tests/lib/memory_source.h"
#include "tests/lib/outcome.h"
#include "tests/lib/run_eval.h"
#include "tests/lib/run_rule_check.h"
#include "tests/lib/run_text.h"
#include "tests/lib/run_wire.h"

namespace pmjit::cases {
namespace {

constexpr std::string_view kExpect = "expect ";

struct Arguments {
  std::string program;
  std::vector<std::string> paths;
  bool dump = false, update = false;
};

Outcome run(const CaseFile& file, const Arguments& arguments) {
  const std::string kind = file.tag("run", "");
  if (kind == "syntax") return run_syntax(file);
  if (kind == "ir") return run_ir(file);
  if (kind == "wire") return run_wire(file);
  if (kind == "check") return has_rules(file) ? run_rule_check(file) : run_check(file);
  const auto recordings = read_recordings_of(file);
  if (!recordings) return {.faults = {recordings.error().text()}};
  if (kind == "sema") return run_sema(file, memory_carrier(*recordings));
  if (kind != "eval") return {.faults = {fmt::format("no such run: {}", kind)}};
  const Section* expected = file.find("expect result");
  return run_eval(file, *recordings,
                  expected != nullptr && !arguments.update ? &expected->body : nullptr);
}

// `expect result` has been compared by every cell of the matrix, if there were any.
void compare_section(const Section& section, Outcome& outcome) {
  const std::string name = section.title.substr(kExpect.size());
  const auto actual = outcome.texts.find(name);
  if (actual == outcome.texts.end()) {
    outcome.faults.push_back(fmt::format("this run has nothing for `{}`", section.title));
    return;
  }
  if (name == "result") return;
  const std::string found = name == "diag" ? diff(split_lines(expand(section.body)),
                                                  split_lines(actual->second), same_diag)
                                           : diff_text(section.body, actual->second);
  if (!found.empty()) {
    outcome.faults.push_back(fmt::format("{} differs:\n{}", section.title, found));
  }
}

void compare(const CaseFile& file, Outcome& outcome) {
  bool expects = false;
  for (const Section& section : file.sections) {
    if (!section.title.starts_with(kExpect)) continue;
    expects = true;
    compare_section(section, outcome);
  }
  if (!expects) outcome.faults.push_back("the case expects nothing: add a section `expect …`");
  if (outcome.errors != file.must_fail()) {
    outcome.faults.push_back(outcome.errors
                                 ? "there are errors, and the name does not start with fail_:\n" +
                                       outcome.texts["message"]
                                 : "the name starts with fail_, and there are no errors");
  }
}

bool write_expectations(CaseFile file, const Outcome& outcome) {
  for (Section& section : file.sections) {
    if (!section.title.starts_with(kExpect)) continue;
    const auto actual = outcome.texts.find(section.title.substr(kExpect.size()));
    if (actual != outcome.texts.end()) section.body = actual->second;
  }
  std::ofstream out(file.path, std::ios::binary | std::ios::trunc);
  out << write_case(file);
  return out.good();
}

int report(const CaseFile& file, const Arguments& arguments, const Outcome& outcome) {
  if (outcome.faults.empty()) return 0;
  fmt::print("FAILED {}: {}\n", file.path, file.sentence);
  for (const std::string& fault : outcome.faults) fmt::print("{}\n", fault);
  fmt::print("run it alone: {} --dump=all {}\n", arguments.program, file.path);
  return 1;
}

void dump(const Outcome& outcome) {
  fmt::print("{}", outcome.dump);
  const auto result = outcome.texts.find("result");
  if (result != outcome.texts.end()) fmt::print("--- result\n{}", result->second);
}

int run_case(const std::string& path, const Arguments& arguments) {
  auto text = read_text_file(path);
  if (!text) {
    fmt::print("{}\n", text.error().text());
    return 2;
  }
  auto file = parse_case(path, *text);
  if (!file) {
    fmt::print("{}: {}\n", path, file.error().text());
    return 2;
  }
  Outcome outcome = run(*file, arguments);
  if (arguments.dump) dump(outcome);
  if (!arguments.update) compare(*file, outcome);
  const int status = report(*file, arguments, outcome);
  if (status == 0 && arguments.update && !write_expectations(*file, outcome)) return 2;
  return status;
}

}  // namespace
}  // namespace pmjit::cases

int main(int argc, char** argv) {
  pmjit::cases::Arguments arguments{.program = argv[0]};
  for (const std::string_view argument : std::span(argv, static_cast<size_t>(argc)).subspan(1)) {
    if (argument == "--dump=all")
      arguments.dump = true;
    else if (argument == "--update")
      arguments.update = true;
    else
      arguments.paths.emplace_back(argument);
  }
  if (arguments.paths.empty()) {
    fmt::print(stderr, "usage: {} [--dump=all] [--update] FILE...\n", arguments.program);
    return 2;
  }
  // Generated code is invisible to the sanitizers: buffers end where an unmapped page begins.
  pmjit::Buffer::use_guard_pages(true);
  int worst = 0;
  for (const std::string& path : arguments.paths) {
    worst = std::max(worst, pmjit::cases::run_case(path, arguments));
  }
  return worst;
}
