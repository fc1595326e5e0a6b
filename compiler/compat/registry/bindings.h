// Bindings: the registry's metrics as one context sees them; each is bound when somebody first
// wants to know about it, and stays so. Source: spec derived-metrics.md §9.
//
//   Bindings bindings(registry, recorded, [](const DerivedMetric&, const pcp::BindError&) { … });
//   if (const auto* bound = bindings.bound(metric)) show(bound->desc);
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "compiler/compat/definitions/bind.h"
#include "compiler/compat/registry/registry.h"

namespace pmjit {

class Bindings final : private pcp::BindContext {
 public:
  using Refused = std::function<void(const DerivedMetric&, const pcp::BindError&)>;
  using BindStrict = std::function<std::unique_ptr<StrictMetric>(const DerivedMetric&)>;
  // `recorded`: the metrics that are not derived. Both outlive it. `refused` is told why a metric
  // cannot be bound, once; `bind_strict` binds those of strict files, where there are any.
  Bindings(const Registry& registry, pcp::BindContext& recorded, Refused refused,
           BindStrict bind_strict = {})
      : registry_(registry),
        recorded_(recorded),
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

  void bind(const DerivedMetric& metric, Entry& out);
  void bind_strict(const DerivedMetric& metric, Entry& out);
  [[nodiscard]] OrPmError<Found> find(std::string_view name) override;
  [[nodiscard]] OrPmError<Desc> desc_of(PmId pmid) override;

  const Registry& registry_;
  pcp::BindContext& recorded_;
  Refused refused_;
  BindStrict bind_strict_;
  std::vector<Entry> entries_;  // beside the registry's metrics
  size_t binding_ = 0;          // metrics that are being bound, one for the other
};

}  // namespace pmjit
