#include "compiler/driver/check.h"

#include <fmt/format.h>

#include <numeric>

#include "compiler/driver/texts.h"

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

// What another archive may well have is a warning.
void report_unusable(const CompatibleMetrics& metrics, CheckReport& out) {
  for (const CompatibleMetric& metric : metrics.all()) {
    if (metric.why_not.empty() || metric.place.empty()) continue;  // or told where it is used
    const bool warning = metric.elsewhere || metric.body != nullptr;
    (warning ? out.warnings : out.errors) += 1;
    out.rendered += fmt::format("[{}] {}: derived metric {}: {}\n", metric.place,
                                warning ? "Warning" : "Error", metric.name, metric.why_not);
  }
}

}  // namespace

CheckReport check_texts(const CompileInput& input, const Catalog* catalog,
                        std::optional<Dialect> dialect) {
  const EmptyCatalog nothing;
  CompileOptions options;
  options.dialect = dialect;
  ParsedTexts texts = parse_texts(input, catalog ? *catalog : nothing, options);
  if (catalog && texts.names_known) {
    std::vector<uint32_t> all(texts.exprs.size());
    std::iota(all.begin(), all.end(), 0u);
    Sema(*catalog, texts.exprs, texts.compatible).check(all);
  }
  CheckReport out;
  out.texts = texts.strict_definitions + texts.compatible_definitions;
  if (!input.expressions.empty()) out.texts += texts.exprs.size() - texts.strict_definitions;
  for (const std::string& mistake : texts.mistakes) {
    const bool warning = mistake.find("] Warning: ") != std::string::npos;
    (warning ? out.warnings : out.errors) += 1;
    out.rendered += mistake + "\n";
  }
  if (catalog) report_unusable(texts.compatible, out);
  for (const Compilation::Report& report : texts.reports) {
    out.rendered += render_all(report.diags, report.source);
    for (const Diag& diag : report.diags.all()) {
      const Severity severity = diag_severity(diag.code);
      out.errors += severity == Severity::error ? 1 : 0;
      out.warnings += severity == Severity::warning ? 1 : 0;
    }
  }
  return out;
}

}  // namespace pmjit
