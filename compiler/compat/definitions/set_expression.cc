#include "compiler/compat/definitions/set_expression.h"

#include <optional>
#include <utility>

#include "compiler/compat/definitions/columns.h"
#include "compiler/compat/definitions/evaluate.h"
#include "runtime/base/near.h"

namespace pmjit::pcp {

namespace {

// The instances of a catalog: what a fetch brought is named as it was then, and a name is looked up
// where the context stands by now.
class CatalogDomains final : public Domains {
 public:
  CatalogDomains(const Catalog& catalog, Stamp when, Stamp next)
      : catalog_(catalog), when_(when), next_(next) {}

  // In full, else by the first word.
  OrPmError<int32_t> instance_id(InDomId indom, std::string_view name) override {
    std::optional<int32_t> by_word;
    for (const Catalog::Instance& instance : catalog_.instances(indom)) {
      const auto known = catalog_.instance_name(indom, instance.id, next_);
      if (!known) continue;
      if (*known == name) return instance.id;
      if (!by_word && matches_first_word(*known, name)) by_word = instance.id;
    }
    if (!by_word) return pm_fail(pm_err::E_INST_LOG);
    return *by_word;
  }
  OrPmError<std::string> instance_name(InDomId indom, int32_t instance) override {
    auto name = catalog_.instance_name(indom, instance, when_);
    if (!name) return pm_fail(pm_err::E_INST_LOG);
    return *std::move(name);
  }
  OrPmError<std::vector<int32_t>> instances(InDomId indom) override {
    std::vector<int32_t> out;
    for (const Catalog::Instance& instance : catalog_.instances(indom)) out.push_back(instance.id);
    return out;
  }

 private:
  const Catalog& catalog_;
  Stamp when_, next_;
};

class TreeEvaluation final : public SetEvaluation {
 public:
  explicit TreeEvaluation(std::shared_ptr<const PcpTree> tree) : evaluation_(std::move(tree)) {}

  void run(Stamp stamp, Stamp next, std::span<const FetchedSet> sets, const Catalog& catalog,
           FetchedSet& out) override {
    CatalogDomains domains(catalog, stamp, next);
    put_values(evaluation_.run({.stamp = stamp, .sets = sets, .domains = domains}),
               evaluation_.tree().desc(), blocks_, out);
  }

  bool run_columns(std::span<const Stamp> stamps, std::span<const SetColumn> columns,
                   MadeColumn& out) override {
    if (!columns_.run({.stamps = stamps, .operands = columns})) return false;
    out = {.instances = columns_.instances(), .values = columns_.values().data()};
    return true;
  }

 private:
  PcpEvaluation evaluation_;
  PcpColumns columns_{evaluation_};
  std::vector<uint64_t> blocks_;
};

class TreeExpression final : public SetExpression {
 public:
  explicit TreeExpression(std::shared_ptr<const PcpTree> tree) : tree_(std::move(tree)) {}
  std::unique_ptr<SetEvaluation> start() const override {
    return std::make_unique<TreeEvaluation>(tree_);
  }
  std::string_view why_one_by_one() const override { return pcp::why_one_by_one(*tree_); }
  const PcpTree& tree() const { return *tree_; }

 private:
  std::shared_ptr<const PcpTree> tree_;
};

}  // namespace

std::shared_ptr<const SetExpression> set_expression(std::shared_ptr<const PcpTree> tree) {
  return std::make_shared<TreeExpression>(std::move(tree));
}

const PcpTree* tree_of(const SetExpression& expression) {
  const auto* ours = dynamic_cast<const TreeExpression*>(&expression);
  return ours == nullptr ? nullptr : &ours->tree();
}

}  // namespace pmjit::pcp
