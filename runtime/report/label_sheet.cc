#include "runtime/report/label_sheet.h"

namespace pmjit {

LabelSheet::LabelSheet(Labels& labels, const ResultBlock& block) {
  rows = block.times.size();
  labels_.reserve(rows * block.columns.size());
  for (size_t k = 0; k < block.columns.size(); ++k) {
    const LaneLabels* last = nullptr;
    for (size_t i = 0; i < rows; ++i) {
      const Row& row = block.columns[k].rows[i];
      if (row.status != 0 || row.roster_id == Rosters::kNobodyId) {
        labels_.push_back(nullptr);
        continue;
      }
      const auto& of_row = labels.of(k, row, block.times[i]);
      if (of_row.get() != last) kept_.push_back(of_row);
      last = of_row.get();
      labels_.push_back(last);
    }
  }
}

}  // namespace pmjit
