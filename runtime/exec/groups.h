// Native sampling: which recorded value sets are evaluated together (spec dialects.md §13.1,
// §13.2).
//
// Records of a source arrive in blocks; the sampler cuts them into groups and gives them out in
// rounds. A round holds complete groups only: whether the last one of a block is complete says the
// next block, so there are two; a group that goes on there waits, copied. All other values stay
// where the source decoded them.
//
//   Sampler sampler(cursor, discrete);
//   Round round;
//   while (true) { auto more = sampler.next(round); if (!more || !*more) break; … }
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "runtime/base/result.h"
#include "runtime/exec/intervals.h"
#include "runtime/model/recording.h"

namespace pmjit {

struct Group {
  Stamp t;               // of its last record: the evaluation time
  uint64_t segment = 0;  // counts marks: nothing crosses from one segment to the next
};

// The observations of one operand in this round. column.rows[i].record is the group; limits[i] the
// age limit of that observation.
struct Observations {
  Column column;
  std::vector<AgeLimit> limits;
};

struct Round {
  std::vector<Group> groups;
  std::vector<Observations> operands;
};

class Sampler {
 public:
  // discrete[i]: operand i (column i of the cursor's blocks) has no age limit. `joined`: records of
  // different stamps may be of one group.
  Sampler(std::unique_ptr<Cursor> cursor, std::vector<bool> discrete, bool joined = true);

  // What `round` held goes. False: the end. An error comes after every complete group before the
  // damage.
  [[nodiscard]] Result<bool> next(Round& round);

  // Those of records that are not in a round yet.
  void keep_rosters(Rosters& rosters) const;

  [[nodiscard]] double done() const { return cursor_->done(); }
  [[nodiscard]] uint64_t bytes() const { return bytes_; }
  [[nodiscard]] uint64_t records() const { return records_; }
  [[nodiscard]] uint64_t values() const { return values_; }
  [[nodiscard]] double source_s() const { return source_s_; }
  [[nodiscard]] const std::vector<std::string>& warnings() const { return warnings_; }

 private:
  // An observation of the open group: a row of the block, or of the copied part of the group.
  struct Member {
    bool in_group = false;
    Stamp stamp;
    AgeLimit limit;
    uint32_t row = 0;  // in the column of the block, or kCopied
  };
  static constexpr uint32_t kCopied = UINT32_MAX;

  bool advance();
  bool look_ahead();
  void take_records(Round& round);  // cuts the rest of the block into groups
  bool is_whole();
  void find_carried(const Block& block, uint32_t record);
  void start_segment();
  void warn_time_goes_back(Stamp now);
  bool joins(const Record& record) const;
  void open_group(const Record& record);
  void add_record(const Record& record);
  void close_group(Round& round);
  void copy_open_group();
  void finish_round(Round& round);
  void take_back(Round& round);

  std::unique_ptr<Cursor> cursor_;
  std::vector<bool> discrete_;
  Nanos tolerance_max_;
  Block block_, ahead_;  // the one at hand, and the one behind it
  bool has_ahead_ = false;
  uint32_t record_ = 0;             // next record of block_
  std::vector<uint32_t> next_row_;  // of each column of block_
  std::vector<uint32_t> carried_;   // operands of the record at hand

  bool open_ = false;  // is there an open group?
  Group group_;
  Stamp first_;  // of its first record
  Nanos tolerance_ = 0;
  std::vector<Member> members_;
  std::vector<Column> copied_;  // values of the open group from earlier blocks

  std::vector<Intervals> intervals_;  // logging interval of each operand in this segment
  std::vector<std::vector<uint32_t>>
      kept_;  // rows of the block that are in closed groups, by operand
  std::vector<std::vector<AgeLimit>> limits_;
  std::vector<Column*>
      lent_;  // of each operand: where the memory of the last round's column is from
  Stamp last_ = kStampMin;
  uint64_t segment_ = 0;
  bool ended_ = false;
  std::optional<Error> failed_;
  uint64_t bytes_ = 0, records_ = 0, values_ = 0;
  double source_s_ = 0;
  std::vector<std::string> warnings_;
};

}  // namespace pmjit
