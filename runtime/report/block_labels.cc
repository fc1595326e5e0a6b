#include "runtime/report/block_labels.h"

namespace pmjit {

// Row after row, as times go on: so the catalog is asked once a row and instance domain.
LabelSheet::LabelSheet(Labels& labels, const ResultBlock& block) {
  rows = block.times.size();
  labels_.resize(rows * block.columns.size());
  std::vector<const LaneLabels*> last(block.columns.size());
  for (size_t i = 0; i < rows; ++i) {
    for (size_t k = 0; k < block.columns.size(); ++k) {
      const Row& row = block.columns[k].rows[i];
      if (row.status != 0 || row.roster_id == Rosters::kNobodyId) continue;
      const auto& of_row = labels.of(k, row, block.times[i]);
      if (of_row.get() != last[k]) kept_.push_back(of_row);
      last[k] = of_row.get();
      labels_[k * rows + i] = last[k];
    }
  }
}

}  // namespace pmjit
