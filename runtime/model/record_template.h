// RecordTemplate: a record that others are like. Loggers write the same few shapes of record again
// and again: metrics, their order, instances and types are the same, only values and stamps differ.
// A template is learnt from a record that was walked and checked. It holds every word that the walk
// looked at (the skeleton), and where the values of each column are. A record of the same length
// and the same skeleton would be walked to the same end, so its values are copied without a look.
//
//   RecordTemplate shape(head, layout);
//   shape.add({.column = 2, …});            of each value set that is wanted
//   if (shape.matches(next)) shape.append(next, block);
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "runtime/model/column.h"
#include "runtime/model/value_layout.h"

namespace pmjit {

// What a record has of one column: a row and `count` values.
struct TemplateRun {
  enum class From : uint8_t { nothing, pairs, blocks, texts };
  uint32_t column = 0;
  int32_t status = 0;
  RosterId roster_id = Rosters::kNobodyId;
  From from = From::nothing;
  uint32_t count = 0;
  uint32_t at = 0;  // of the first pair or block; of texts the first of their spots
};

class RecordTemplate {
 public:
  // Of a record whose blocks have been placed; at most kTemplateBytesMax long.
  static constexpr size_t kTemplateBytesMax = 256u << 10;
  RecordTemplate(const RecordHead& head, const RecordLayout& layout);

  // How the values of a set come into its column. False: not by copying.
  [[nodiscard]] bool add(const RecordLayout& layout, const ValueSet& set, TemplateRun run,
                         Elem elem);

  [[nodiscard]] size_t length() const { return length_; }
  [[nodiscard]] bool matches(const RecordHead& head) const;
  // Are the rosters of its rows still there?
  [[nodiscard]] bool known(const Rosters& rosters) const;
  [[nodiscard]] std::span<const TemplateRun> runs() const { return runs_; }
  // Appends the rows of a record that matches; they are of the last record of the block.
  void append(const RecordHead& head, Block& block) const;

 private:
  void hide(uint32_t from, uint32_t bytes);

  size_t length_;
  uint32_t sets_at_, sets_, body_end_, words_before_;
  // From sets_at on, in whole words of 8 bytes: what is compared, under the mask.
  std::vector<uint64_t> skeleton_, mask_;
  std::vector<TemplateRun> runs_;
  std::vector<RosterId> rosters_;  // of the runs, each once but for the usual ones
  std::vector<Spot> spots_;        // of texts
};

// The text of a block, or its bytes: their number in the column's dictionary.
[[nodiscard]] uint32_t add_text(const RecordHead& head, Spot spot, Column& column);

}  // namespace pmjit
