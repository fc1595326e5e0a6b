// FetchAhead reads the next times of an archive context at once: it gives each metric as a column.
// A fetch does not depend on what is computed from it, so it can come first. GridColumn computes
// the values of interpolation.h in a closed form. FetchAhead ends before the first time at which
// the closed form may differ, and the context continues with interpolation.h.
//
//   auto ahead = FetchAhead::open(recorded, metrics, start, step);
//   while (ahead->load()) { ahead->column(i).rows[ahead->place()] …; ahead->pass(1); }
//
// Metrics must be numbers: a text that changes at the time of a fetch depends on what else is in it
// (spec archives.md §14.6).
#pragma once

#include <array>
#include <memory>
#include <span>
#include <vector>

#include "runtime/archive/recording/archives_source.h"
#include "runtime/client/archive_context/replay_context.h"
#include "runtime/model/column.h"

namespace pmjit {

class FetchAhead {
 public:
  // Null: nothing of these can be fetched ahead. `recorded` outlives it. The first fetch is at
  // `start`; the step is above zero.
  [[nodiscard]] static std::unique_ptr<FetchAhead> open(const ArchivesSource& recorded,
                                                        std::span<const PmId> metrics, Stamp start,
                                                        ReplayStep step);

  // Are the values of the next time there? False: nothing more comes.
  [[nodiscard]] bool load();
  // Where nothing more comes: because the recording has ended. Else nobody knows.
  [[nodiscard]] bool at_end() const { return at_end_; }
  // After load(): the next time is row place() of times() rows of every column.
  [[nodiscard]] size_t place() const { return place_; }
  [[nodiscard]] size_t times() const { return block_.records.size(); }
  [[nodiscard]] const Column& column(size_t metric) const {
    return block_.columns[metrics_[metric].column];
  }
  [[nodiscard]] std::span<const int32_t> instances(const Row& row) const {
    return rosters_.instances(row.roster_id);
  }
  // As interpolation has the time of a row.
  [[nodiscard]] Stamp time(size_t row) const { return asked_[row]; }
  // What a fetch of columns (Fetched::in_columns) has of a metric; its values live until the next
  // load().
  void take(size_t metric, size_t row, const Profile& profile, FetchedSet& out);
  // So many times have been fetched.
  void pass(size_t times);
  // Of the next time.
  [[nodiscard]] Stamp now() const { return now_; }
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
  Stamp now_;
  std::array<Stamp, kRemembered> before_{};  // of the last fetches, by their number
  uint64_t passed_ = 0;
  bool at_end_ = false;
};

}  // namespace pmjit
