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

// The same of another place of a file, with nothing more to say.
bool is_same(const ConfigProblem& one, const ConfigProblem& other) {
  return one.code == other.code && one.message == other.message && one.helps == other.helps &&
         one.detail == other.detail && one.place.source == other.place.source;
}

using SortedProblems = std::span<const ConfigProblem* const>;

bool is_told_before(SortedProblems all, size_t at) {
  return std::ranges::any_of(all.first(at),
                             [&](const ConfigProblem* one) { return is_same(*one, *all[at]); });
}

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
  for (size_t i = 0; i < sorted.size(); ++i) {
    const ConfigProblem* const problem = sorted[i];
    if (is_told_before(sorted, i)) continue;
    size_t& count = problem->severity == Severity::error ? errors : warnings;
    if (++count > kShownProblemsMax) continue;
    if (!out.empty()) out += '\n';
    out += text_of(*problem) + others_text(sorted, i);
  }
  out += left_out(errors - std::min(errors, kShownProblemsMax), "error");
  out += left_out(warnings - std::min(warnings, kShownProblemsMax), "warning");
  return out;
}

std::string ConfigProblems::others_text(std::span<const ConfigProblem* const> all,
                                        size_t at) const {
  constexpr size_t kPlacesMax = 8;
  std::string places;
  size_t count = 0;
  for (const ConfigProblem* other : all.subspan(at + 1)) {
    if (!is_same(*all[at], *other) || ++count > kPlacesMax) continue;
    const SourceText& text = sources_[other->place.source];
    places += fmt::format("{}{}", count == 1 ? "" : ", ",
                          line_column(text, other->place.span.begin).line);
  }
  if (count == 0) return {};
  return fmt::format("and {} more, in line{} {}{}\n", count, count == 1 ? "" : "s", places,
                     count > kPlacesMax ? ", …" : "");
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
