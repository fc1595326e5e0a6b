// The derived metrics of one context: each is bound when somebody first wants to know about it.
// Source: spec derived-metrics.md §8, §9, §12. Private to compiler/compat/registry.
#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "compiler/compat/definitions/bind.h"
#include "compiler/compat/definitions/columns.h"
#include "compiler/compat/definitions/evaluate.h"
#include "compiler/compat/registry/registry.h"
#include "runtime/client/context.h"
#include "runtime/client/deriver.h"

namespace pmjit {

// OwnMetrics: those of one context alone. Source: spec derived-metrics.md §7.2, §8.1.
class OwnMetrics {
 public:
  // In the order of their definition, with those that were removed; addresses stay.
  [[nodiscard]] const std::deque<DerivedMetric>& all() const { return metrics_; }
  [[nodiscard]] size_t count() const { return by_name_.size(); }
  [[nodiscard]] const DerivedMetric* find(std::string_view name) const;
  // Which of all() an identifier is; none: it is of no such metric.
  [[nodiscard]] std::optional<size_t> number(PmId pmid) const;
  void add(DerivedMetric metric);
  bool remove(std::string_view name);
  [[nodiscard]] DerivedMetric* find_to_change(std::string_view name);

 private:
  std::deque<DerivedMetric> metrics_;
  std::unordered_map<std::string_view, size_t> by_name_;  // views into metrics_
  std::unordered_map<PmId, size_t> by_pmid_;
};

// Bindings: the registry's metrics as one context sees them; each is bound when somebody first
// wants to know about it, and stays so. Source: spec derived-metrics.md §9.
//
//   Bindings bindings(registry, recorded, [](const DerivedMetric&, const pcp::BindError&) { … });
//   if (const auto* bound = bindings.bound(metric)) show(bound->desc);
class Bindings final : private pcp::BindContext {
 public:
  using Refused = std::function<void(const DerivedMetric&, const pcp::BindError&)>;
  using BindStrict = std::function<std::unique_ptr<StrictMetric>(const DerivedMetric&)>;
  // `recorded`: the metrics that are not derived. Both outlive it. `refused` gets the reason, once,
  // where a metric cannot be bound; `bind_strict` binds those of strict files, where there are any.
  // `own`: the metrics of this context alone; null: there are none.
  Bindings(const Registry& registry, pcp::BindContext& recorded, Refused refused,
           BindStrict bind_strict = {}, const OwnMetrics* own = nullptr)
      : registry_(registry),
        recorded_(recorded),
        own_(own),
        refused_(std::move(refused)),
        bind_strict_(std::move(bind_strict)) {}

  struct Bound {
    Desc desc;
    std::shared_ptr<const pcp::PcpTree> tree;  // none: never has values, or strict
    std::unique_ptr<StrictMetric> strict;
  };
  // Null: it cannot be bound.
  Bound* bound(const DerivedMetric& metric);

 private:
  enum class State : uint8_t { unbound, binding, bound, invalid };
  struct Entry {
    State state = State::unbound;
    Bound bound;
  };

  [[nodiscard]] Entry& entry_of(const DerivedMetric& metric);
  void bind(const DerivedMetric& metric, Entry& out);
  void bind_strict(const DerivedMetric& metric, Entry& out);
  [[nodiscard]] OrPmError<Found> find(std::string_view name) override;
  [[nodiscard]] OrPmError<Desc> desc_of(PmId pmid) override;

  const Registry& registry_;
  pcp::BindContext& recorded_;
  const OwnMetrics* own_;
  Refused refused_;
  BindStrict bind_strict_;
  std::vector<Entry> entries_;     // beside the registry's metrics
  std::deque<Entry> own_entries_;  // beside own_; entries stay where they are while others come
  size_t binding_ = 0;             // metrics that are being bound, one for the other
};

class ContextDeriver final : public Deriver, private pcp::BindContext, private pcp::Domains {
 public:
  // All of them outlive it. `strict`: null where there can be no strict definitions.
  ContextDeriver(const Registry& registry, Context& recorded, StrictFiles* strict,
                 const StrictFiles::Sink& say)
      : registry_(registry),
        recorded_(recorded),
        limit_(registry.limit),
        bindings_(
            registry, *this,
            [this, &say](const DerivedMetric& metric, const pcp::BindError& wrong) {
              if (own_.number(metric.pmid)) {
                own_refusal_ = wrong.message;
              } else if (!wrong.message.empty()) {
                say(refusal(metric, wrong));
              }
            },
            [this, &say](const DerivedMetric& metric) { return strict_->bind(metric.name, say); },
            &own_),
        strict_(strict == nullptr ? nullptr
                                  : strict->attach(recorded, registry.equivalent_domains)) {}

  [[nodiscard]] std::optional<DefinitionRefusal> define(std::string_view name,
                                                        std::string_view expression) override;
  bool remove(std::string_view name) override { return own_.remove(name); }
  [[nodiscard]] OrPmError<void> add_text(std::string_view name, TextKind kind,
                                         std::string_view text) override;
  [[nodiscard]] int limit() const override { return limit_; }
  void set_limit(int limit) override { limit_ = limit; }
  [[nodiscard]] size_t count() const override {
    const size_t removed = own_.all().size() - own_.count();
    return registry_.changes() + own_.all().size() + removed;
  }
  [[nodiscard]] std::vector<Metric> metrics() const override;
  [[nodiscard]] bool lists_unusable() const override {
    return registry_.dialect() == Dialect::pcp6;
  }
  [[nodiscard]] OrPmError<PmId> look_up(std::string_view name) const override;
  [[nodiscard]] std::string_view name(PmId pmid) const override;
  [[nodiscard]] OrPmError<Desc> describe(PmId pmid) override;
  [[nodiscard]] OrPmError<std::string_view> one_line(PmId pmid) const override;
  [[nodiscard]] OrPmError<std::string_view> help(PmId pmid) const override;
  [[nodiscard]] std::span<const PmId> operands(PmId pmid) override;
  void begin_fetch() override {
    blocks_used_ = 0;
    ++fetches_;
  }
  void evaluate(PmId pmid, const Fetched& fetched, FetchedSet& out) override;
  // Strict ones are evaluated together.
  [[nodiscard]] bool goes_ahead(PmId pmid) override;
  [[nodiscard]] bool evaluate_columns(PmId pmid, std::span<const Stamp> stamps,
                                      std::span<const SetColumn> columns, MadeColumn& out) override;

 private:
  static std::string refusal(const DerivedMetric& metric, const pcp::BindError& wrong);
  // Null: it is none.
  [[nodiscard]] const DerivedMetric* metric_of(PmId pmid) const;
  // Null: it is none, or cannot be bound.
  Bindings::Bound* bound(PmId pmid);

  [[nodiscard]] OrPmError<Found> find(std::string_view name) override;
  [[nodiscard]] OrPmError<Desc> desc_of(PmId pmid) override;
  [[nodiscard]] OrPmError<int32_t> instance_id(InDomId indom, std::string_view name) override;
  [[nodiscard]] OrPmError<std::string> instance_name(InDomId indom, int32_t instance) override;
  [[nodiscard]] OrPmError<std::vector<int32_t>> instances(InDomId indom) override;

  const Registry& registry_;
  Context& recorded_;
  OwnMetrics own_;
  std::string own_refusal_;  // of the last one that could not be bound
  bool own_in_pattern_ = false;
  int limit_;
  Bindings bindings_;
  std::unique_ptr<StrictContext> strict_;
  struct Evaluation {
    explicit Evaluation(std::shared_ptr<const pcp::PcpTree> tree) : one(std::move(tree)) {}
    pcp::PcpEvaluation one;
    pcp::PcpColumns many{one};
  };
  Evaluation& evaluation(PmId pmid, const Bindings::Bound& of);

  // Beside the registry's metrics, of those that have been asked for.
  std::vector<std::unique_ptr<Evaluation>> evaluations_;
  std::unordered_map<PmId, std::unique_ptr<Evaluation>> own_evaluations_;
  // What the values of a fetch stand in, a set behind the other; kept for the next one.
  std::deque<std::vector<uint64_t>> blocks_;
  size_t blocks_used_ = 0;
  uint64_t fetches_ = 0;
};

}  // namespace pmjit
