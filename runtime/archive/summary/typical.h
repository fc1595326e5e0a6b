// Typical: the median of a long row of numbers in little memory: every number of a short row; of a
// longer one every second, every fourth and so on, so that they come from all of it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

namespace pmjit {

class Typical {
 public:
  void add(double value) {
    if (seen_++ % step_ != 0) return;
    kept_.push_back(value);
    if (kept_.size() < kKeptMax) return;
    for (size_t i = 0; i < kKeptMax / 2; ++i) kept_[i] = kept_[i * 2];
    kept_.resize(kKeptMax / 2);
    step_ *= 2;
  }
  [[nodiscard]] uint64_t seen() const { return seen_; }
  // None: nothing was added.
  [[nodiscard]] std::optional<double> median() const {
    if (kept_.empty()) return std::nullopt;
    std::vector<double> sorted = kept_;
    const auto middle = sorted.begin() + static_cast<ptrdiff_t>((sorted.size() - 1) / 2);
    std::ranges::nth_element(sorted, middle);
    return *middle;
  }

 private:
  static constexpr size_t kKeptMax = 1024;
  uint64_t seen_ = 0, step_ = 1;
  std::vector<double> kept_;
};

}  // namespace pmjit
