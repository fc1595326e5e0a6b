// LaneIndex: the lanes of one result, numbered in the order in which their labels first came.
// Instances come and go and change their order; a lane is the same as long as its label is.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "runtime/report/lane_labels.h"

namespace pmjit {

class LaneIndex {
 public:
  static constexpr size_t kNotKept = SIZE_MAX;

  // The number of each of a row's lanes. add(label) makes the next one; false: there is no room for
  // it, and it is kNotKept.
  template <class Add>
  std::span<const size_t> of(const std::shared_ptr<const LaneLabels>& labels, const Add& add) {
    if (labels == labels_) return row_;
    labels_ = labels;
    row_.clear();
    for (size_t lane = 0; lane < labels->size(); ++lane) {
      const std::string label((*labels)[lane]);
      auto at = numbers_.find(label);
      if (at == numbers_.end() && add(label)) at = numbers_.emplace(label, numbers_.size()).first;
      row_.push_back(at == numbers_.end() ? kNotKept : at->second);
    }
    return row_;
  }

 private:
  std::unordered_map<std::string, size_t> numbers_;
  std::vector<size_t> row_;
  std::shared_ptr<const LaneLabels> labels_;
};

}  // namespace pmjit
