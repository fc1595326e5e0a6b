// LabelSheet: the labels of every row of a block, for writers of a line a value.
#pragma once

#include <vector>

#include "runtime/report/lane_labels.h"
#include "runtime/report/paged_writer.h"

namespace pmjit {

class LabelSheet final : public Sheet {
 public:
  LabelSheet(Labels& labels, const ResultBlock& block);
  // Null: the row is unknown as a whole, or nobody is there.
  [[nodiscard]] const LaneLabels* of(size_t column, size_t row) const {
    return labels_[column * rows + row];
  }

 private:
  std::vector<const LaneLabels*> labels_;
  std::vector<std::shared_ptr<const LaneLabels>> kept_;
};

}  // namespace pmjit
