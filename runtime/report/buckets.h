// Buckets: what is remembered of places on a line (times, counted or measured) in a fixed number of
// cells. A cell stands for 2^shift places; when they outgrow the cells, neighbours become one.
// A Cell has join(later): the two as one. One that also has any() is passed over where it is empty.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace pmjit {

template <class Cell, size_t kCount>
class Buckets {
 public:
  static constexpr size_t kCells = kCount;

  // How often cells must double until `place` has one: a shift, `shift` at least.
  template <class Place>
  static uint32_t shift_for(Place place, uint32_t shift) {
    while ((place >> shift) >= static_cast<Place>(kCells)) ++shift;
    return shift;
  }
  // Neighbours become one until a cell stands for 2^shift places. A shift never falls.
  void fold_to(uint32_t shift) {
    if (shift <= shift_) return;
    const uint32_t by = std::min(shift - shift_, 63u);
    shift_ = shift;
    for (size_t i = 1; i < kCells; ++i) {
      if constexpr (requires { cells_[i].any(); }) {
        if (!cells_[i].any()) continue;
      }
      Cell cell{};
      std::swap(cell, cells_[i]);
      cells_[i >> by].join(cell);
    }
  }
  [[nodiscard]] uint32_t shift() const { return shift_; }
  Cell& operator[](size_t i) { return cells_[i]; }
  const Cell& operator[](size_t i) const { return cells_[i]; }

 private:
  std::array<Cell, kCells> cells_{};
  uint32_t shift_ = 0;
};

}  // namespace pmjit
