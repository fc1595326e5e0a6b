#include "rules/daemon_config/config_problems.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <tuple>
#include <utility>

#include "runtime/base/fill.h"

namespace pmjit {
namespace {

// One round of mending shows so many.
constexpr size_t kShownProblemsMax = 50;

struct ProblemRow {
  std::string_view code, text;
  Severity severity;
};
constexpr auto kProblemRows = std::to_array<ProblemRow>({
#define PROBLEM(name, code, severity, text) {code, text, Severity::severity},
#include "rules/daemon_config/problems.def"
#undef PROBLEM
});

std::string left_out(size_t count, std::string_view what) {
  if (count == 0) return {};
  return fmt::format("\n{} more {}{}\n", count, what, count == 1 ? "" : "s");
}

}  // namespace

std::string_view problem_code_text(ProblemCode code) {
  return kProblemRows.at(static_cast<size_t>(code)).code;
}

ConfigProblem& ConfigProblem::help(std::string text) {
  helps.push_back(std::move(text));
  return *this;
}

uint32_t ConfigProblems::add_source(SourceText source) {
  sources_.push_back(std::move(source));
  return static_cast<uint32_t>(sources_.size() - 1);
}

bool ConfigProblems::has_errors() const {
  return std::ranges::find(problems_, Severity::error, &ConfigProblem::severity) != problems_.end();
}

std::string ConfigProblems::place_text(ConfigPlace place) const {
  const SourceText& text = sources_[place.source];
  const LineColumn at = line_column(text, place.span.begin);
  return fmt::format("{}:{}:{}", text.name, at.line, at.column);
}

std::string ConfigProblems::text() const {
  std::vector<const ConfigProblem*> sorted;
  for (const ConfigProblem& problem : problems_) sorted.push_back(&problem);
  std::ranges::stable_sort(sorted, {}, [](const ConfigProblem* problem) {
    return std::tuple(problem->place.source, problem->place.span.begin);
  });
  std::string out;
  size_t errors = 0, warnings = 0;
  for (const ConfigProblem* problem : sorted) {
    size_t& count = problem->severity == Severity::error ? errors : warnings;
    if (++count > kShownProblemsMax) continue;
    if (!out.empty()) out += '\n';
    out += text_of(*problem);
  }
  out += left_out(errors - std::min(errors, kShownProblemsMax), "error");
  out += left_out(warnings - std::min(warnings, kShownProblemsMax), "warning");
  return out;
}

std::string ConfigProblems::text_of(const ConfigProblem& problem) const {
  const DiagView view{.code = problem_code_text(problem.code),
                      .severity = problem.severity,
                      .span = problem.place.span,
                      .message = problem.message,
                      .helps = problem.helps};
  return render(view, sources_[problem.place.source]) + problem.detail;
}

ConfigProblem& ConfigProblems::add_with(ProblemCode code, ConfigPlace place,
                                        std::vector<std::string> args) {
  const ProblemRow& row = kProblemRows.at(static_cast<size_t>(code));
  return problems_.emplace_back(ConfigProblem{
      .code = code, .severity = row.severity, .place = place, .message = fill(row.text, args)});
}

}  // namespace pmjit
