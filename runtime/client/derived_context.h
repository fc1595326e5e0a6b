// DerivedContext: any context with derived metrics among its own. Source: spec derived-metrics.md
// §8, §12.
//
//   auto archive = std::make_unique<ArchiveContext>(archives, BadVolumes::pass_over);
//   archive->replay().set_mode(ReplayMode::forward, start);
//   DerivedContext context(std::move(archive), derived);
//   context.fetch({&pmid, 1}, {}, fetched);
//
// A metric of the source hides a derived one of its name.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "runtime/client/context.h"
#include "runtime/client/derived_ahead.h"
#include "runtime/client/deriver.h"

namespace pmjit {

// DerivedNames: what derived metrics add to a name space: the next level below a name. Source: spec
// derived-metrics.md §8.2, §8.3.
class DerivedNames {
 public:
  // In the order of registration. Below a metric nothing is listed; nor is a name of more than
  // limits::kNestingMax parts.
  void add(std::string_view name);
  // None: there is nothing at or below the name. Empty: it is a metric.
  [[nodiscard]] std::optional<std::span<const std::string>> children(std::string_view name) const;

 private:
  struct Node {
    bool metric = false;
    std::vector<std::string> children;
  };
  struct Hash {
    using is_transparent = void;
    size_t operator()(std::string_view text) const { return std::hash<std::string_view>{}(text); }
  };
  std::unordered_map<std::string, Node, Hash, std::equal_to<>> nodes_;
};

class DerivedContext final : public Context {
 public:
  // `derived` is used now only; what it attaches sees definitions that are loaded later, too.
  DerivedContext(std::unique_ptr<Context> source, DerivedMetrics& derived);

  // Those of this context, and what can be done to them.
  [[nodiscard]] Deriver& deriver() { return *deriver_; }
  // All of them anew: unbound, without history and without those of this context alone.
  void derive_anew(DerivedMetrics& derived);

  [[nodiscard]] bool derived(PmId pmid) const { return !deriver_->name(pmid).empty(); }
  // What a fetch of these reads from the source; of derived metrics without operands nothing.
  [[nodiscard]] std::vector<PmId> recorded_of(std::span<const PmId> metrics);

  [[nodiscard]] std::vector<OrPmError<PmId>> look_up_names(
      std::span<const std::string_view> names) override;
  [[nodiscard]] OrPmError<std::vector<std::string>> names(PmId pmid) override;
  [[nodiscard]] OrPmError<std::vector<Child>> children(std::string_view name) override;
  [[nodiscard]] OrPmError<std::vector<Leaf>> leaves(std::string_view name) override;
  [[nodiscard]] std::vector<OrPmError<Desc>> describe_metrics(
      std::span<const PmId> metrics) override;
  [[nodiscard]] OrPmError<std::string> metric_text(TextKind kind, PmId pmid) override;
  [[nodiscard]] OrPmError<std::string> indom_text(TextKind kind, InDomId indom) override {
    return source_->indom_text(kind, indom);
  }
  [[nodiscard]] OrPmError<std::vector<Instance>> instances(InDomId indom) override {
    return source_->instances(indom);
  }
  [[nodiscard]] OrPmError<int32_t> instance_id(InDomId indom, std::string_view name) override {
    return source_->instance_id(indom, name);
  }
  [[nodiscard]] OrPmError<std::string> instance_name(InDomId indom, int32_t instance) override {
    return source_->instance_name(indom, instance);
  }
  [[nodiscard]] OrPmError<std::vector<Instance>> instances_ever(InDomId indom) override {
    return source_->instances_ever(indom);
  }
  // Operands are fetched with the others, each once. Where that fails no history moves.
  [[nodiscard]] Result<void> fetch(std::span<const PmId> metrics, const Profile& profile,
                                   Fetched& out) override;
  void begin_fetch(std::span<const PmId> metrics, const Profile& profile) override;
  [[nodiscard]] AheadTimes* ahead(std::span<const PmId> metrics) override;
  [[nodiscard]] bool settled() override { return source_->settled(); }
  [[nodiscard]] Result<void> fetch_stamp(Fetched& out) override {
    return source_->fetch_stamp(out);
  }
  [[nodiscard]] int unknown_metric_status() const override {
    return source_->unknown_metric_status();
  }
  // The source refuses derived metrics itself.
  [[nodiscard]] OrPmError<void> store(std::span<const FetchedSet> sets) override {
    return source_->store(sets);
  }

 private:
  [[nodiscard]] OrPmError<std::vector<Child>> merged_children(std::string_view name);
  [[nodiscard]] OrPmError<std::vector<Leaf>> leaves_at_once(std::string_view name);
  [[nodiscard]] OrPmError<bool> walk(const std::string& name, std::vector<Leaf>& out);
  [[nodiscard]] OrPmError<bool> take_name(const std::string& name, std::vector<Leaf>& out,
                                          std::vector<std::string>& left);
  void take_nameless(std::vector<Leaf>& out);
  void answer(std::span<const PmId> metrics, Fetched& out);
  [[nodiscard]] bool serves_ahead(std::span<const PmId> metrics, const Profile& profile,
                                  Fetched& out);
  void spread_operands(std::span<const PmId> metrics);
  [[nodiscard]] std::optional<DerivedAhead::Wanted> wanted_ahead(std::span<const PmId> metrics);

  // The names of all metrics that are defined by now.
  [[nodiscard]] const DerivedNames& derived_names();

  std::unique_ptr<Context> source_;
  std::unique_ptr<Deriver> deriver_;
  DerivedNames derived_names_;
  size_t names_known_ = 0;               // of deriver_, in derived_names_
  Fetched fetched_;                      // operands among the rest
  Arena arena_;                          // of their values
  Profile profile_;                      // of the last fetch
  std::unique_ptr<DerivedAhead> ahead_;  // of the metrics of the last fetches
};

}  // namespace pmjit
