#include "compiler/driver/check.h"

#include <fmt/format.h>

#include "compiler/driver/parsed_texts.h"
#include "compiler/sema/repeated.h"

namespace pmjit {

namespace {

// No metrics at all: parsing asks a catalog only for subtrees.
class EmptyCatalog final : public Catalog {
 public:
  Result<Desc> describe(std::string_view metric) const override {
    return fail(Error(Fault::not_found, "no archive given").at("metric", metric));
  }
  std::vector<std::string> leaves(std::string_view) const override { return {}; }
  std::optional<std::string> instance_name(InDomId, int32_t, Stamp) const override { return {}; }
  std::vector<Instance> instances(InDomId) const override { return {}; }
};

// What another archive may well have is a warning. That it has a recorded metric's name, or never
// has values, is told as a difference (D31, D88).
void report_unusable(const CompatibleMetrics& metrics, const Catalog& catalog, CheckReport& out) {
  for (const CompatibleMetric& metric : metrics.all()) {
    if (metric.body != nullptr || metric.place.empty()) continue;  // or told where it is used
    if (catalog.describe(metric.name)) continue;
    (metric.elsewhere ? out.warnings : out.errors) += 1;
    out.rendered +=
        fmt::format("[{}] {}: derived metric {}: {}\n", metric.place,
                    metric.elsewhere ? "Warning" : "Error", metric.name, metric.why_not);
  }
}

// By libpcp: what strict would say of it is told as differences.
bool taken_as_typed(const ParsedTexts& texts, const NamedExpr& expr) {
  if (expr.ast == nullptr || !expr.name.empty()) return false;
  const CompatibleMetric* metric = texts.compatible.find(expr.ast->exprs[expr.ast->root].text);
  return metric != nullptr && metric->place.empty() && metric->body != nullptr;
}

}  // namespace

CheckReport check_texts(const CompileInput& input, const Catalog* catalog,
                        const CheckOptions& how) {
  const EmptyCatalog nothing;
  CompileOptions options;
  options.dialect = how.dialect;
  options.equivalent = how.equivalent;
  ParsedTexts texts = parse_texts(input, catalog ? *catalog : nothing, options);
  texts.interrupted = how.interrupted;
  refuse_repeated(texts.exprs, texts.compatible);
  if (catalog && texts.names_known) {
    std::vector<uint32_t> checked;
    for (uint32_t i = 0; i < texts.exprs.size(); ++i) {
      if (!taken_as_typed(texts, texts.exprs[i])) checked.push_back(i);
    }
    Sema(*catalog, texts.exprs, texts.compatible, options.equivalent).check(checked);
  }
  CheckReport out;
  out.texts = texts.strict_definitions + texts.compatible_definitions;
  if (!input.expressions.empty()) out.texts += texts.exprs.size() - texts.strict_definitions;
  for (const std::string& mistake : texts.mistakes) {
    const bool warning = mistake.find("] Warning: ") != std::string::npos;
    (warning ? out.warnings : out.errors) += 1;
    out.rendered += mistake + "\n";
  }
  if (catalog) report_unusable(texts.compatible, *catalog, out);
  out.reports = std::move(texts.reports);
  for (auto& report : find_differences(texts, catalog)) out.reports.push_back(std::move(report));
  for (const Compilation::Report& report : out.reports) {
    if (!out.rendered.empty() && !report.diags.empty()) out.rendered += '\n';
    out.rendered += render_all(report.diags, report.source);
    for (const Diag& diag : report.diags.all()) {
      out.errors += diag.severity == Severity::error ? 1 : 0;
      out.warnings += diag.severity == Severity::warning ? 1 : 0;
    }
  }
  return out;
}

}  // namespace pmjit
