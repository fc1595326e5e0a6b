#include "tests/lib/outcome.h"

#include <fmt/format.h>

#include <algorithm>

namespace pmjit::cases {
namespace {

constexpr size_t kCoveredMax = 60;  // bytes of the text that a diagnostic points at

}  // namespace

std::string diag_lines(const Diags& diags, const SourceText& source) {
  std::string out;
  for (const Diag& diag : diags.all()) {
    const LineColumn at = line_column(source, diag.span.begin);
    const uint32_t begin =
        std::min<uint32_t>(diag.span.begin, static_cast<uint32_t>(source.text.size()));
    std::string covered = source.text.substr(begin, diag.span.end - diag.span.begin);
    std::ranges::replace(covered, '\n', ' ');
    if (covered.size() > kCoveredMax) covered = covered.substr(0, kCoveredMax) + "…";
    out += fmt::format("{} {}:{} \"{}\"\n", diag_code_text(diag.code), at.line, at.column, covered);
  }
  return out;
}

bool same_diag(const std::string& expected, const std::string& actual) {
  if (!actual.starts_with(expected)) return false;
  return actual.size() == expected.size() || actual[expected.size()] == ' ';
}

void add_report(const Diags& diags, const SourceText& source, Outcome& outcome) {
  outcome.texts["diag"] += diag_lines(diags, source);
  std::string& message = outcome.texts["message"];
  if (!message.empty() && !diags.empty()) message += '\n';
  message += render_all(diags, source);
  outcome.errors = outcome.errors || diags.has_errors();
}

void add_compilation(Outcome& outcome, const Compilation& compilation) {
  std::string diags;
  for (const Compilation::Report& report : compilation.reports) {
    diags += diag_lines(report.diags, report.source);
    outcome.errors = outcome.errors || report.diags.has_errors();
  }
  const Dumps& dumps = compilation.dumps;
  outcome.texts["diag"] = diags;
  outcome.texts["message"] = compilation.rendered();
  outcome.texts["ast"] = dumps.ast;
  outcome.texts["types"] = dumps.types;
  outcome.texts["ir"] = dumps.ir;
  outcome.texts["ir-opt"] = dumps.ir_opt;
  outcome.texts["plan"] = dumps.plan;
  for (const char* stage : {"message", "ast", "types", "ir", "ir-opt", "plan"}) {
    outcome.dump += fmt::format("--- {}\n{}", stage, outcome.texts[stage]);
  }
}

}  // namespace pmjit::cases
