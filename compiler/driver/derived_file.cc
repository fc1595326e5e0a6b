#include "compiler/driver/derived_file.h"

#include <fmt/format.h>

#include "compiler/ast/ast.h"
#include "compiler/derive/config_file.h"
#include "compiler/pcp/bind.h"
#include "compiler/pcp/set_expression.h"

namespace pmjit {

namespace {

// The catalog's metrics; a derived one among the operands never has values (pcp6), or is refused.
class CatalogNames final : public pcp::Names {
 public:
  CatalogNames(const Catalog& catalog, const Registry& registry)
      : catalog_(catalog), registry_(registry) {}

  OrPmError<Found> find(std::string_view name) override {
    if (const auto desc = catalog_.describe(name)) {
      descs_.insert_or_assign(desc->pmid, *desc);
      names_.insert_or_assign(desc->pmid, std::string(name));
      return Found{desc->pmid, false};
    }
    const DerivedMetric* metric = registry_.find(name);
    if (metric == nullptr) return pm_fail(pm_err::E_NAME);
    return Found{metric->pmid, true};
  }
  OrPmError<Desc> desc_of(PmId pmid) override {
    const auto found = descs_.find(pmid);
    if (found == descs_.end()) return pm_fail(pm_err::E_BADDERIVE);
    return found->second;
  }
  void keep(PmId pmid, const Desc& desc) { descs_.insert_or_assign(pmid, desc); }
  [[nodiscard]] Operand operand(PmId pmid) const { return {names_.at(pmid), descs_.at(pmid)}; }

 private:
  const Catalog& catalog_;
  const Registry& registry_;
  std::unordered_map<PmId, Desc> descs_;
  std::unordered_map<PmId, std::string> names_;
};

}  // namespace

DerivedFile read_derived_file(const SourceText& file, Dialect dialect, const Catalog& catalog) {
  DerivedFile out;
  const std::function<void(std::string_view)> say = [&](std::string_view text) {
    out.messages.emplace_back(text.substr(0, text.find_last_not_of('\n') + 1));
  };
  Registry registry(dialect);
  Controls controls(registry, say);
  (void)ConfigFile(file.name, file.text, registry, controls, say).read();
  CatalogNames names(catalog, registry);
  for (const DerivedMetric& metric : registry.metrics()) {
    if (metric.expression == nullptr || catalog.describe(metric.name)) continue;
    auto tree =
        pcp::bind(*metric.expression, names,
                  {.dialect = dialect, .missing_are_novalue = registry.missing_are_novalue});
    if (!tree) {
      const pcp::BindError& wrong = tree.error();
      say(wrong.message.empty()
              ? fmt::format("derived metric {}: a metric in it is not there\n", metric.name)
              : fmt::format("Semantic error: derived metric {}: {}: {}\n", metric.name, wrong.what,
                            wrong.message));
      continue;
    }
    CompatibleMetric made{.name = metric.name,
                          .dialect = std::string(dialect_text(dialect)),
                          .text = print(*metric.expression),
                          .desc = tree->desc()};
    names.keep(metric.pmid, made.desc);
    for (const PmId operand : tree->operands) made.operands.push_back(names.operand(operand));
    made.body = pcp::set_expression(std::make_shared<const pcp::Tree>(*std::move(tree)));
    out.metrics.push_back(std::move(made));
  }
  return out;
}

}  // namespace pmjit
