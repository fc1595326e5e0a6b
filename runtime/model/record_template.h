// RecordTemplate: a record that others are like. Loggers write the same few shapes of record again
// and again: metrics, their order, instances and types are the same, only values and stamps differ.
// A template is learnt from a record that was walked and checked. It holds every word that the walk
// looked at (the skeleton), and where the values of each column are. A record of the same length
// and the same skeleton would be walked to the same end, so its values are copied without a look.
//
//   RecordTemplate shape(head, layout);
//   shape.add(layout, set, row, column, elem);   of each value set that is wanted, and its row
//   if (const size_t alike = shape.matching(heads)) shape.append(heads.first(alike), block, lists);
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "runtime/model/column.h"
#include "runtime/model/row_sharing.h"
#include "runtime/model/value_layout.h"

namespace pmjit {

// Where a record has the values of one column: `count` of them.
struct TemplateRun {
  enum class From : uint8_t { pairs, blocks, texts };
  uint32_t column = 0;
  From from = From::pairs;
  uint32_t count = 0;
  uint32_t at = 0;  // of the first pair or block; of texts the first of their spots
};

class RecordTemplate {
 public:
  // Of a record whose blocks have been placed; at most kTemplateBytesMax long.
  static constexpr size_t kTemplateBytesMax = 256u << 10;
  RecordTemplate(const RecordHead& head, const RecordLayout& layout);

  // How the values of a set come into its column, which got `row` for it. False: not by copying.
  [[nodiscard]] bool add(const RecordLayout& layout, const ValueSet& set, const Row& row,
                         uint32_t column, Elem elem);

  [[nodiscard]] size_t length() const { return length_; }
  // How many of the first of these are like it.
  [[nodiscard]] size_t matching(std::span<const RecordHead> heads) const;
  // Are the rosters of its rows still there?
  [[nodiscard]] bool known(const Rosters& rosters) const;
  // What each record has: values; and rows in this block.
  [[nodiscard]] uint64_t values() const { return values_; }
  [[nodiscard]] uint64_t rows(Block& block, RowSharing& lists) {
    return lists.rows_of(block, rows_);
  }
  // For so many records, in a block without any.
  void make_room(Block& block, uint64_t records) const;
  // Appends records that match, metric after metric: a column is fetched into the cache once.
  void append(std::span<const RecordHead> heads, Block& block, RowSharing& lists);

 private:
  void hide(uint32_t from, uint32_t bytes);
  [[nodiscard]] bool fits(const RecordHead& head) const;
  [[nodiscard]] bool follow_each_other(std::span<const RecordHead> heads) const;
  void append_values(std::span<const RecordHead> heads, Block& block) const;

  size_t length_;
  uint32_t sets_at_, sets_, body_end_, words_before_;
  // From sets_at on, in whole words of 8 bytes: what is compared, under the mask.
  std::vector<uint64_t> skeleton_, mask_;
  std::vector<TemplateRun> runs_;
  uint64_t values_ = 0;
  RecordRows rows_;
  std::vector<Spot> spots_;  // of texts
};

// The text of a block, or its bytes: their number in the column's dictionary.
[[nodiscard]] uint32_t add_text(const RecordHead& head, Spot spot, Column& column);

}  // namespace pmjit
