// ReplayContext: archives as a PMAPI archive context reads them: a mode, a current time, and
// fetches that move it. Source: spec archives.md §11–§14, pmapi.md §10.
//
//   ReplayContext context(*archives, BadVolumes::refuse);
//   context.set_mode(ReplayMode::interpolated, start, {1, 0});
//   while (context.fetch(pmids, profile, result)) print(result);       until PM_ERR_EOL
//
// Blocks of a result's values live until the next fetch.
#pragma once

#include <optional>
#include <span>

#include "runtime/client/archive_context/interpolation.h"
#include "runtime/client/context.h"

namespace pmjit {

enum class ReplayMode : uint8_t { interpolated = 1, forward = 2, backward = 3 };  // PM_MODE_*

// From one interpolated fetch to the next; of a negative step both fields are, or either.
struct ReplayStep {
  int64_t sec = 0;
  int32_t nsec = 0;
};
[[nodiscard]] inline Nanos nanos(ReplayStep step) { return nanos(Stamp{step.sec, step.nsec}); }
// Of a step that is not negative.
[[nodiscard]] inline ReplayStep replay_step(Nanos step) {
  const Stamp stamp = stamp_from_nanos(step);
  return {.sec = stamp.sec, .nsec = stamp.nsec};
}

// The next time. The reference carries into the seconds only what is above a whole one (spec §14).
[[nodiscard]] Stamp step_on(Stamp now, ReplayStep step);

class ReplayContext {
 public:
  // `archives` outlives the context.
  ReplayContext(const Archives& archives, BadVolumes bad_volumes);

  [[nodiscard]] const Archives& archives() const { return archives_; }
  [[nodiscard]] ReplayMode mode() const { return mode_; }
  [[nodiscard]] Stamp now() const { return now_; }
  // Has a record of now() been read since the mode was set? The next fetch goes on behind it.
  [[nodiscard]] bool has_read() const { return !lost_; }
  [[nodiscard]] ReplayStep step() const { return step_; }
  [[nodiscard]] BadVolumes bad_volumes() const { return bad_volumes_; }
  // `when` none: the time stays. `step` counts for interpolation only; its sign is the direction,
  // and zero stays where it is.
  void set_mode(ReplayMode mode, std::optional<Stamp> when, ReplayStep step = {});
  // libpcp's values between observations, or exact ones; before the first fetch. Exact ones do not
  // reach over `marks`, which outlive it.
  void set_between(Between between, Marks* marks = nullptr) {
    interpolation_.set_between(between, marks);
  }

  // Contexts over the same archives share `notes`, in one thread. Each fetches only metrics that
  // are noted. The notes outlive them all.
  void share(RecordNotes& notes) { reader_.share(notes); }
  // Metrics of records that are not described go there. It outlives the context.
  void watch(UndescribedMetrics& undescribed) { reader_.watch(undescribed); }

  // One value set a metric, in their order. PM_ERR_EOL: nothing more; a growing archive may have
  // more later.
  [[nodiscard]] Result<void> fetch(std::span<const PmId> metrics, const Profile& profile,
                                   Fetched& out);
  // The next record as it was recorded, marks (no value sets) too. Not for interpolation. With
  // `values_of` the sets of other metrics come without their values.
  [[nodiscard]] Result<void> fetch_record(Fetched& out, std::optional<PmId> values_of = {});
  [[nodiscard]] uint64_t bytes_read() const { return reader_.bytes_read(); }
  // The next fetch opens them again. A caller with many contexts saves file descriptors.
  void close_files() { reader_.close_files(); }

 private:
  [[nodiscard]] Result<void> find_place();
  [[nodiscard]] Result<void> read_on();
  bool take_sets(std::span<const PmId> metrics, const Profile& profile, Fetched& out);

  const Archives& archives_;
  BadVolumes bad_volumes_;
  RecordReader reader_;
  Interpolation interpolation_;
  Arena arena_;
  ReplayMode mode_ = ReplayMode::forward;
  Stamp now_;
  ReplayStep step_{};
  bool lost_ = true;
};

}  // namespace pmjit
