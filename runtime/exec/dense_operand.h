// Gather: makes the operand of a kernel dense. Where a stretch of rows already lies as the kernel
// wants it (same roster, row after row) nothing is copied; else lanes are joined by instance,
// single values repeated, and what is not there marked as not valid. Private to runtime/exec.
#pragma once

#include <cstdint>
#include <vector>

#include "runtime/base/bytes.h"
#include "runtime/exec/state.h"

namespace pmjit {

// One input over a stretch of updates that have the same shape: rows advance one by one, or one row
// holds, or a history looks back past some rows, and each update has its own.
struct InputStretch {
  enum class Shape : uint8_t { advances, holds, scattered };
  InputRow first;
  Shape shape = Shape::advances;
  std::vector<uint64_t> offsets{};  // scattered: of the first value, of each update
};

// A dense operand: what goes into the frame, and the memory behind it where it had to be made.
class DenseOperand {
 public:
  // `rows` × lanes of `roster` from the stretch.
  void make(Rosters& rosters, const InputStretch& stretch, Elem elem, bool has_lanes,
            RosterId roster, uint32_t rows);
  // seconds[r] repeated over `lanes` lanes.
  void make_seconds(const std::vector<double>& seconds, uint32_t lanes);

  [[nodiscard]] const void* values() const { return values_; }
  [[nodiscard]] const uint64_t* valid() const { return valid_; }

 private:
  void make_absent(Elem elem, uint64_t count);
  // Into lanes `to` …: one value for all of them, or those that the join has.
  void take_single(const Column& column, uint64_t from, uint64_t to, uint64_t lanes, size_t bytes,
                   bool all_there);
  void take_lanes(const Column& column, uint64_t from, uint64_t to, const Stretches& join,
                  size_t bytes, bool all_there);
  void take_validity(const Column& column, uint64_t offset, uint64_t count);

  Buffer made_;
  std::vector<uint64_t> bitmap_;
  const void* values_ = nullptr;
  const uint64_t* valid_ = nullptr;
};

}  // namespace pmjit
