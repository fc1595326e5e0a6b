// ArchiveContext: archives as one kind of PMAPI context. What only archives have (a mode, a place,
// records as they were recorded, metadata with all their times) is behind replay() and metadata().
// Source: spec pmapi.md §6 to §10, archives.md §11 to §14.
//
//   ArchiveContext context(*archives, BadVolumes::pass_over);
//   context.replay().set_mode(ReplayMode::interpolated, start, {.sec = 10});
//   while (context.fetch(pmids, profile, fetched)) print(fetched);         until PM_ERR_EOL
#pragma once

#include <optional>
#include <span>

#include "runtime/client/archive_context/replay_context.h"
#include "runtime/client/archive_context/served_ahead.h"
#include "runtime/client/context.h"

namespace pmjit {

class ArchiveContext final : public Context {
 public:
  // `archives` outlives the context.
  ArchiveContext(const Archives& archives, BadVolumes bad_volumes)
      : archives_(archives), replay_(archives, bad_volumes) {}

  [[nodiscard]] const Metadata& metadata() const { return archives_.metadata(); }
  [[nodiscard]] ReplayContext& replay() { return replay_; }
  // From now on interpolated fetches are made many at once, while they are of the same metrics;
  // what they bring is the same. `from` is of these archives.
  void read_ahead(const FetchAhead::From& from) { ahead_.emplace(from); }
  [[nodiscard]] const ReplayContext& replay() const { return replay_; }
  // For a help text that is missing or empty; not with PM_TEXT_DIRECT.
  void let_one_line_stand_in(bool does) { one_line_stands_in_ = does; }

  [[nodiscard]] std::vector<OrPmError<PmId>> look_up_names(
      std::span<const std::string_view> names) override;
  [[nodiscard]] OrPmError<std::vector<std::string>> names(PmId pmid) override;
  [[nodiscard]] OrPmError<std::vector<Child>> children(std::string_view name) override;
  [[nodiscard]] OrPmError<std::vector<Leaf>> leaves(std::string_view name) override;
  [[nodiscard]] std::vector<OrPmError<Desc>> describe_metrics(
      std::span<const PmId> metrics) override;
  [[nodiscard]] OrPmError<std::string> metric_text(TextKind kind, PmId pmid) override;
  [[nodiscard]] OrPmError<std::string> indom_text(TextKind kind, InDomId indom) override;
  [[nodiscard]] OrPmError<std::vector<Instance>> instances(InDomId indom) override;
  [[nodiscard]] OrPmError<int32_t> instance_id(InDomId indom, std::string_view name) override;
  [[nodiscard]] OrPmError<std::string> instance_name(InDomId indom, int32_t instance) override;
  [[nodiscard]] OrPmError<std::vector<Instance>> instances_ever(InDomId indom) override;
  [[nodiscard]] Result<void> fetch(std::span<const PmId> metrics, const Profile& profile,
                                   Fetched& out) override;
  [[nodiscard]] AheadTimes* ahead(std::span<const PmId> metrics) override {
    return ahead_ ? ahead_->of(metrics) : nullptr;
  }
  // The next record that is no mark, or the next time of the grid.
  [[nodiscard]] Result<void> fetch_stamp(Fetched& out) override;
  [[nodiscard]] int unknown_metric_status() const override;
  // Refused: PM_ERR_NOTHOST.
  [[nodiscard]] OrPmError<void> store(std::span<const FetchedSet> sets) override;

 private:
  [[nodiscard]] OrPmError<std::string> text(TextKind kind, TextOf of, uint32_t ident) const;
  [[nodiscard]] Stamp now() const;

  const Archives& archives_;
  ReplayContext replay_;
  bool one_line_stands_in_ = true;
  std::optional<ServedAhead> ahead_;
  Stamp fetched_at_{};
};

}  // namespace pmjit
