// RecordTemplate: a record that others are like. Loggers write the same few shapes of record again
// and again: metrics, their order, instances and types are the same, only values and stamps differ.
// A template is learnt from a record that was walked and checked. It holds every word that the walk
// looked at (the skeleton), and where the values of each column are. A record of the same length
// and the same skeleton would be walked to the same end, so its values are copied without a look.
//
//   RecordTemplate shape(head, layout);
//   shape.add(layout, set, row, column, elem);   of each value set that is wanted, and its row
//   if (shape.matches(next)) shape.append(next, block, lists);
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
  [[nodiscard]] bool matches(const RecordHead& head) const;
  // Are the rosters of its rows still there?
  [[nodiscard]] bool known(const Rosters& rosters) const;
  // Values that each record has.
  [[nodiscard]] uint64_t values() const { return values_; }
  // Appends the rows of a record that matches; they are of the last record of the block.
  void append(const RecordHead& head, Block& block, RowSharing& lists);

 private:
  void hide(uint32_t from, uint32_t bytes);

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
