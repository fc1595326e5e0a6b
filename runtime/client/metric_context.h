// MetricContext: archives as a PMAPI context has them, derived metrics among the others: names,
// descriptors, texts, fetches. Source: spec pmapi.md §6–§10, derived-metrics.md §8, §12.
//
//   MetricContext context(archives, BadVolumes::pass_over, derived);
//   context.replay().set_mode(ReplayMode::forward, start);
//   context.fetch({&pmid, 1}, everything, fetched);
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "runtime/client/archive_context/replay_context.h"
#include "runtime/client/derived_names.h"
#include "runtime/client/deriver.h"

namespace pmjit {

class MetricContext final : private RecordedMetrics {
 public:
  // `archives` outlives the context.
  MetricContext(const Archives& archives, BadVolumes bad_volumes, DerivedMetrics& derived);

  [[nodiscard]] const Metadata& metadata() const { return archives_.metadata(); }
  [[nodiscard]] ReplayContext& replay() { return replay_; }
  [[nodiscard]] const ReplayContext& replay() const { return replay_; }

  struct Leaf {
    std::string name;  // in full
    PmId pmid;
  };
  // Leaves at or below a name, "" is the root, in the order of a traversal. None: there is no such
  // name.
  [[nodiscard]] std::optional<std::vector<Leaf>> leaves(std::string_view name);
  [[nodiscard]] OrPmError<PmId> look_up_metric(std::string_view name) const;
  [[nodiscard]] std::vector<std::string_view> names(PmId pmid) const;
  [[nodiscard]] OrPmError<Desc> describe_metric(PmId pmid);
  [[nodiscard]] OrPmError<std::string_view> metric_text(TextKind kind, PmId pmid) const;
  [[nodiscard]] bool derived(PmId pmid) const { return !deriver_->name(pmid).empty(); }
  // What a fetch of these reads from the archives; of derived metrics without operands nothing.
  [[nodiscard]] std::vector<PmId> recorded_of(std::span<const PmId> metrics);

  // One value set a metric, in their order. As ReplayContext::fetch; its values live until the next
  // fetch.
  [[nodiscard]] Result<void> fetch(std::span<const PmId> metrics, const Profile& profile,
                                   Fetched& out);

 private:
  [[nodiscard]] OrPmError<PmId> look_up(std::string_view name) const override;
  [[nodiscard]] OrPmError<Desc> describe(PmId pmid) const override;
  [[nodiscard]] OrPmError<int32_t> instance_id(InDomId indom, std::string_view name) const override;
  [[nodiscard]] OrPmError<std::string> instance_name(InDomId indom,
                                                     int32_t instance) const override;
  [[nodiscard]] OrPmError<std::vector<int32_t>> instances(InDomId indom) const override;
  [[nodiscard]] std::vector<Catalog::Instance> instances_ever(InDomId indom) const override;
  bool walk(const std::string& name, std::vector<Leaf>& out);
  [[nodiscard]] Result<void> fetch_recorded(std::span<const PmId> recorded, const Profile& profile);

  const Archives& archives_;
  ReplayContext replay_;
  std::unique_ptr<Deriver> deriver_;
  DerivedNames derived_names_;
  Fetched fetched_;  // operands among the rest
};

}  // namespace pmjit
