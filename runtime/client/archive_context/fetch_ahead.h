// FetchAhead reads the next times of an archive context at once: it gives each metric as a column.
// A fetch does not depend on what is computed from it, so it can come first. GridColumn computes
// the values of interpolation.h in a closed form. FetchAhead ends before the first time at which
// the closed form may differ, and the context continues with interpolation.h.
//
//   auto ahead = FetchAhead::open({recorded, recorded}, metrics, start, step);
//   while (ahead->load()) { ahead->column(i).rows[ahead->place()] …; ahead->pass(1); }
//
// Metrics must be numbers: a text that changes at the time of a fetch depends on what else is in it
// (spec archives.md §14.6).
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "runtime/archive/recording/archives_source.h"
#include "runtime/client/ahead_times.h"
#include "runtime/client/archive_context/replay_context.h"
#include "runtime/model/column.h"

namespace pmjit {

class FetchAhead final : public AheadTimes {
 public:
  // Archives, and what gives their records, in its own way, as by several threads. Both outlive the
  // FetchAhead.
  struct From {
    const ArchivesSource& recorded;
    const Recording& reader;
  };
  // Null: nothing of these can be fetched ahead. The first fetch is at `start`; the step is above
  // zero.
  [[nodiscard]] static std::unique_ptr<FetchAhead> open(const From& from,
                                                        std::span<const PmId> metrics, Stamp start,
                                                        ReplayStep step);

  [[nodiscard]] bool load() override;
  // Where nothing more comes: because the recording has ended. Else nobody knows.
  [[nodiscard]] bool at_end() const { return at_end_; }
  [[nodiscard]] size_t place() const override { return place_; }
  [[nodiscard]] size_t times() const override { return block_.records.size(); }
  [[nodiscard]] const Column& column(size_t metric) const override {
    return block_.columns[metrics_[metric].column];
  }
  [[nodiscard]] std::span<const int32_t> instances(size_t, const Row& row) const override {
    return rosters_.instances(row.roster_id);
  }
  [[nodiscard]] Stamp time(size_t row) const override { return asked_[row]; }
  void take(size_t metric, size_t row, const Profile& profile, FetchedSet& out) override;
  void pass(size_t times) override;
  void look_at(std::optional<size_t> row) override { looked_at_ = row; }
  // The time of the row that is looked at.
  [[nodiscard]] std::optional<Stamp> looked_at() const {
    if (!looked_at_) return std::nullopt;
    return time(*looked_at_);
  }
  // Of the next time.
  [[nodiscard]] Stamp now() const { return looked_at_ ? step_on(time(*looked_at_), step_) : now_; }
  [[nodiscard]] uint64_t passed() const { return passed_; }
  // Of the fetch so many before, at most kRemembered.
  static constexpr uint64_t kRemembered = 4;
  [[nodiscard]] Stamp before_now(uint64_t fetches) const {
    return before_[(passed_ - fetches) % kRemembered];
  }

 private:
  struct Member {
    PmId pmid = kNullId;
    Desc desc{};
    size_t column = 0;
    // What take() makes of a column that is not as it is wanted.
    std::vector<uint64_t> numbers{};
    std::vector<int32_t> instances{};
  };

  FetchAhead(const ArchivesSource& recorded, Stamp start, ReplayStep step)
      : recorded_(recorded), step_(step), bounds_(recorded.archives()), now_(start) {}
  void find_times();

  const ArchivesSource& recorded_;
  ReplayStep step_;
  std::vector<Member> metrics_;  // a metric may be wanted twice, and has one column
  Rosters rosters_;              // before the cursor, which uses them
  std::unique_ptr<Cursor> cursor_;
  AskedBounds bounds_;
  Block block_;
  std::vector<Stamp> asked_;  // of each row
  size_t place_ = 0;
  std::optional<size_t> looked_at_;
  Stamp now_;
  std::array<Stamp, kRemembered> before_{};  // of the last fetches, by their number
  uint64_t passed_ = 0;
  bool at_end_ = false;
};

}  // namespace pmjit
