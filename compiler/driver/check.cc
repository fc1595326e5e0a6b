#include "compiler/driver/check.h"

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

}  // namespace

CheckReport check_texts(const CompileInput& input, const Catalog* catalog, bool strict_files) {
  const EmptyCatalog nothing;
  CompileOptions options;
  options.strict_files = strict_files;
  ParsedTexts texts = parse_texts(input, catalog ? *catalog : nothing, options);
  if (catalog && texts.names_known) {
    std::vector<uint32_t> all(texts.exprs.size());
    std::iota(all.begin(), all.end(), 0u);
    Sema(*catalog, texts.exprs, std::move(texts.compatible)).check(all);
  }
  CheckReport out;
  out.texts = texts.exprs.size();
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
