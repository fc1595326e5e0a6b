// A report that `check` is given: what is wrong with its file, then with its expressions, then with
// its columns over an archive or host.
#include "rules/cmd/report_columns.h"

#include <algorithm>
#include <map>
#include <memory>

#include "rules/reports/report_file.h"

namespace pmjit {

namespace {

// A column whose metric is not there is left out.
void add_diag(Diag diag, const SourceText& shown, CheckedFile& to) {
  if (diag.code == DiagCode::S_NoSuchMetric && diag.severity == Severity::error) {
    diag.severity = Severity::warning;
    diag.helps = {"pmjit eval -p leaves this column out"};
  }
  Diags one;
  one.append(diag);
  add_findings(shown, one, to);
}

void check_expression(const ReportExpr& expr, const NamedReport& report, const ReportCheck& check,
                      CheckedFile& to) {
  CompileInput input = check.definitions;
  input.expressions = {expr.source};
  const CheckReport found = check_texts(input, check.catalog, check.how);
  const SourceText& shown = expr.has_place ? report.file : expr.source;
  for (const auto* reports : {&found.mistakes, &found.reports}) {
    for (const Compilation::Report& one : *reports) {
      if (one.source.text != expr.source.text) continue;  // of a file of definitions
      for (const Diag& diag : one.diags.all()) {
        if (diag.severity != Severity::note) add_diag(diag, shown, to);
      }
    }
  }
}

// Of a column whose expression is right: its unit, and whether it is one metric.
void check_columns(const NamedReport& report, const ReportCheck& check, CheckedFile& to) {
  ConfigProblems problems;
  (void)problems.add_source(report.file);
  const auto compile_one = [&](const CompileInput& input) {
    return compile(input, *check.catalog,
                   {.evaluator = EvaluatorChoice::interpreter,
                    .on_grid = true,
                    .dialect = check.how.dialect,
                    .equivalent = check.how.equivalent});
  };
  const auto columns = columns_over(report, {.definitions = check.definitions,
                                             .host = {},
                                             .compile = compile_one,
                                             .problems = &problems});
  // That metrics are missing has been said.
  if (!columns && problems.all().empty() && to.findings.empty()) {
    to.notes.push_back({.message = columns.error().what(), .help = columns.error().help()});
  }
  for (CheckedFile& file : findings_of(problems)) {
    for (Finding& finding : file.findings) to.findings.push_back(std::move(finding));
  }
}

}  // namespace

std::vector<CheckedFile> findings_of(const ConfigProblems& problems) {
  std::vector<CheckedFile> out;
  std::map<uint32_t, std::shared_ptr<const FoundIn>> found_in;
  for (const ConfigProblem& problem : problems.all()) {
    const SourceText& source = problems.source(problem.place.source);
    auto file = std::ranges::find(out, source.name, &CheckedFile::name);
    if (file == out.end()) {
      file = out.insert(out.end(),
                        CheckedFile{.name = source.name, .kind = CheckedKind::configuration});
    }
    Diags diags;
    Diag& diag = diags.add(DiagCode::P_ConfigLine, problem.place.span, problem.message);
    diag.message = problem.message;
    diag.severity = problem.severity;
    diag.helps = problem.helps;
    if (!problem.detail.empty()) {
      diag.helps.push_back("in that file:\n" +
                           problem.detail.substr(0, problem.detail.find_last_not_of('\n') + 1));
    }
    auto& in = found_in[problem.place.source];
    if (in == nullptr) in = std::make_shared<const FoundIn>(source);
    add_findings(in, diags, *file);
    file->findings.back().code = problem_code_text(problem.code);
  }
  for (CheckedFile& file : out) sort_findings(file);
  return out;
}

CheckedFile check_report(const SourceText& file, const ReportCheck& check) {
  ConfigProblems problems;
  const auto report = read_report(problems.add_source(file), problems);
  std::vector<CheckedFile> found = findings_of(problems);
  CheckedFile out = found.empty() ? CheckedFile{.name = file.name} : std::move(found.front());
  out.kind = CheckedKind::columns;
  out.count = report ? report->exprs.size() : 0;
  if (!report) return out;
  for (const ReportExpr& expr : report->exprs) check_expression(expr, *report, check, out);
  if (check.catalog != nullptr && out.of(Level::error) == 0) check_columns(*report, check, out);
  return out;
}

}  // namespace pmjit
