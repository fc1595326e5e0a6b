// Decoder: the value sets of one record into the columns of a plan. It knows which metrics are
// asked for and their types, and remembers the last roster of each, so that an unchanged instance
// list costs a comparison. Records like one that was walked before are not walked again
// (record_template.h).
//
// A record is checked as a whole before anything of it is appended: what is in the columns is never
// part of a damaged record.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "runtime/model/column.h"
#include "runtime/model/described_metrics.h"
#include "runtime/model/record_template.h"
#include "runtime/model/value_layout.h"

namespace pmjit {

// Values that do not fit the type of their metric: a damaged record, or an agent that is wrong
// about one metric, whose row then has the status PM_ERR_TYPE.
enum class Misfits : uint8_t { are_damage, become_status };

// How many values a block of so many columns is to have: mostly as many as usual. Of thousands of
// metrics more, for each column costs something per block.
[[nodiscard]] uint64_t values_of_block(size_t columns);

class Decoder {
 public:
  explicit Decoder(Rosters& rosters, Misfits misfits = Misfits::are_damage)
      : rosters_(rosters), misfits_(misfits) {}

  // Column i is metric i in the order of the calls; each metric once.
  void add_metric(const Desc& desc, Elem elem);
  // Records without a metric that was asked for are checked as a whole, too.
  void check_others() { checks_others_ = true; }
  // Metrics of records that are not among these are strangers. `descs` outlives the decoder.
  // Instances that are not listed are noted, too.
  void know(const std::unordered_map<PmId, Desc>& descs, IsListed is_listed) {
    described_.emplace(descs);
    listed_.emplace(std::move(is_listed));
  }
  // Those met since they were taken last. One that was met before may be left out.
  [[nodiscard]] bool has_strangers() const { return !strangers_.empty() || !unlisted_.empty(); }
  [[nodiscard]] std::vector<PmId> take_strangers() { return std::exchange(strangers_, {}); }
  [[nodiscard]] std::vector<UnlistedInstance> take_unlisted() {
    return std::exchange(unlisted_, {});
  }
  void prepare(Block& block);

  // The first of `heads`, whose records follow each other, and those behind it that are like it:
  // until the block has `size_max`. How many these are. They are in the block now, unless they
  // carry no metric of the plan.
  [[nodiscard]] OrDamage<size_t> decode(std::span<const RecordHead> heads, Block& block,
                                        uint64_t size_max = UINT64_MAX);
  [[nodiscard]] uint64_t block_values() const { return values_of_block(asked_.size()); }
  // Of the block; rows that columns share are counted once, by their size.
  [[nodiscard]] uint64_t size_in_values() const;

 private:
  struct Asked {
    Elem elem = Elem::f64;
    PmId pmid = kNullId;
    InDomId indom = kNullId;    // none: it is singular
    uint32_t usual_header = 0;  // of its value blocks, where all are alike; 0: check in full
    RosterId last_roster_id = Rosters::kNobodyId;
    uint64_t last_record = 0;  // number of the record it was last met in
  };
  struct Pick {  // a value set of the record at hand that goes into a column
    uint32_t set, column;
    int32_t status;  // negative: instead of the values
  };
  static constexpr uint32_t kNotAsked = UINT32_MAX;

  size_t append_alike(std::span<const RecordHead> heads, Block& block, uint64_t size_max);
  OrDamage<void> walk(const RecordHead& head, Block& block);
  void learn(const RecordHead& head, const Block& block);
  void make_room(Block& block) const;
  [[nodiscard]] uint64_t values_of(Pick pick) const;
  void pick_sets();
  uint32_t column_of(PmId pmid, size_t position);
  RosterId roster_of(const std::byte* pairs, uint32_t count, Asked& asked);
  void append_rows(const RecordHead& head, Block& block);

  Rosters& rosters_;
  bool checks_others_ = false;
  Misfits misfits_;
  std::vector<Asked> asked_;
  std::unordered_map<PmId, uint32_t> columns_;
  std::optional<DescribedMetrics> described_;
  std::optional<ListedInstances> listed_;
  std::vector<PmId> strangers_;
  std::vector<UnlistedInstance> unlisted_;
  RecordLayout layout_;
  std::vector<Pick> picks_;
  struct Seen {
    PmId pmid;
    uint32_t column;
  };
  std::vector<Seen> seen_;  // by position: records of one logging group look alike
  std::vector<int32_t> instances_;
  RowSharing lists_;
  RecordRows rows_;  // of the record at hand
  uint64_t record_number_ = 0, values_ = 0;
  std::vector<RecordTemplate> shapes_;
  size_t next_shape_ = 0;          // to go when there are too many
  uint32_t pause_ = 0, left_ = 0;  // records between two that are learnt; that are left of them
};

// The values of one value set: do they fit the metric's type, and into its column with them.
// Source: spec archives.md §5 (which types stand in place and which in blocks).

// 32 and U32 in place, FLOAT either way (old writers), all else in blocks of the type's length.
[[nodiscard]] OrDamage<void> check_values(const RecordLayout& layout, const ValueSet& set,
                                          Elem elem);

// Appends the values; the set has some, and check_values() has agreed.
void append_values(const RecordHead& head, const RecordLayout& layout, const ValueSet& set,
                   Column& column);

}  // namespace pmjit
