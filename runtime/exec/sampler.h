// Native sampling: which recorded value sets are evaluated together (spec dialects.md §13.1,
// §13.2).
//
// Records of a source arrive in blocks; the sampler cuts them into groups and gives them out in
// waves. A wave holds complete groups only: whether the last one of a block is complete says the
// next block, so there are two; a group that goes on there waits, copied. All other values stay
// where the source decoded them.
//
//   auto feed = Sampler::open(recording, {.metrics = wanted_by(program)}, rosters, true);
//   Wave wave;
//   while (true) { auto next = (*feed)->next(wave); if (!next || *next == Feed::Next::end) break; …
//   }
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "runtime/base/clock.h"
#include "runtime/base/result.h"
#include "runtime/base/warnings.h"
#include "runtime/exec/update_classes.h"
#include "runtime/model/feed.h"

namespace pmjit {

struct SamplerOptions {
  // Of operand i: whose it is. Empty: there is one source.
  std::vector<uint32_t> source_of{};
  uint32_t sources = 1;
  // Records are as they were recorded, so those of different stamps may be of one group or tick.
  bool joined = true;
  const Clock* clock = nullptr;  // for FeedStats::source_s; null: it stays 0
};

class Sampler final : public Feed {
 public:
  // The feed outlives neither.
  [[nodiscard]] static Result<std::unique_ptr<Feed>> open(const Recording& recording,
                                                          const FetchPlan& plan, Rosters& rosters,
                                                          const SamplerOptions& options);

  // discrete[i]: operand i (column i of the cursor's blocks) has no age limit.
  Sampler(std::unique_ptr<Cursor> cursor, const std::vector<bool>& discrete,
          const SamplerOptions& options = {});

  // What `wave` held goes. An error comes after every complete group before the damage.
  [[nodiscard]] Result<Next> next(Wave& wave) override;

  // Those of records that are not in a wave yet.
  void keep_rosters(Rosters& rosters) const override;

  [[nodiscard]] double done() const override { return cursor_->done(); }
  [[nodiscard]] FeedStats stats() const override { return stats_; }
  [[nodiscard]] std::vector<std::string> take_warnings() override { return warnings_.take(); }

 private:
  // What the open group and the wave have of a class of operands.
  struct Logged {
    bool in_group = false;
    Stamp stamp{};  // of its observations
    AgeLimit limit{};
    uint32_t row = 0;  // in the columns of the block, or kCopied
  };
  // Rows of the block that are in closed groups.
  struct Kept {
    uint32_t row, group;
  };
  struct ClassRows {
    Logged open{};          // in the open group
    uint32_t next_row = 0;  // of the columns of the block
    std::vector<Kept> kept{};
    std::vector<AgeLimit> limits{};  // of each row of the wave
  };
  static constexpr uint32_t kCopied = UINT32_MAX;

  bool advance();
  bool look_ahead();
  void take_records(Wave& wave);  // cuts the rest of the block into groups
  bool is_whole();
  void regroup();
  void find_carried(uint32_t record);
  void start_segment(uint32_t source);
  [[nodiscard]] bool group_has(uint32_t source) const;
  void warn_time_goes_back(const Record& record);
  [[nodiscard]] bool within_tolerance(const Record& record) const;
  [[nodiscard]] bool meets_other_row(const Logged& logged, const Record& record) const;
  [[nodiscard]] bool joins(const Record& record) const;
  void open_group(const Record& record);
  void add_record(const Record& record);
  void close_group(Wave& wave);
  void copy_open_row(uint32_t of);
  void finish_round(Wave& wave);
  void give_rows(uint32_t operand, const ClassRows& rows, bool as_they_are, Column& out);
  void select_rows(const ClassRows& rows, RowList& out);
  void take_back(Wave& wave);

  std::unique_ptr<Cursor> cursor_;
  const Clock* clock_;
  bool joined_;
  Nanos tolerance_max_;
  Block block_, ahead_;  // the one at hand, and the one behind it
  bool has_ahead_ = false;
  uint32_t record_ = 0;            // next record of block_
  UpdateClasses classes_;          // of operands, as block_ has them
  std::vector<ClassRows> rows_;    // of each class
  std::vector<uint32_t> carried_;  // classes of the record at hand

  bool open_ = false;  // is there an open group?
  Group group_;
  Stamp first_;  // of its first record
  Nanos tolerance_ = 0;
  std::vector<Column> copied_;  // of each operand: values of the open group from earlier blocks
  RowList selected_from_, selected_;  // what select_rows() made last
  std::vector<Column*>
      lent_;  // of each operand: where the memory of the last wave's column is from
  // Of each source: its last stamp, and how often it was interrupted.
  std::vector<uint32_t> source_of_;
  std::vector<Stamp> last_;
  std::vector<uint64_t> segments_;
  uint64_t segment_ = 0;  // the sum
  bool ended_ = false;
  std::optional<Error> failed_;
  FeedStats stats_;
  Warnings warnings_;
};

}  // namespace pmjit
