#include "runtime/exec/dense_operand.h"

#include <algorithm>
#include <cstring>

#include "runtime/base/result.h"

namespace pmjit {

namespace {

template <class Word>
void repeat_word(std::byte* to, const std::byte* from, uint64_t lanes) {
  Word value;
  std::memcpy(&value, from, sizeof value);
  for (uint64_t i = 0; i < lanes; ++i) std::memcpy(to + i * sizeof value, &value, sizeof value);
}

void repeat(std::byte* to, const std::byte* from, uint64_t lanes, size_t bytes) {
  switch (bytes) {
    case 1: return repeat_word<uint8_t>(to, from, lanes);
    case 4: return repeat_word<uint32_t>(to, from, lanes);
    default: check(bytes == 8, "value size"); return repeat_word<uint64_t>(to, from, lanes);
  }
}

uint64_t lanes_in(const Stretches& stretches) {
  uint64_t lanes = 0;
  for (const Stretch& stretch : stretches) lanes += stretch.count;
  return lanes;
}

}  // namespace

void DenseOperand::make(Rosters& rosters, const InputStretch& stretch, Elem elem, bool has_lanes,
                        RosterId roster, uint32_t rows) {
  const uint64_t lanes = rosters.size(roster);
  const uint64_t count = rows * lanes;
  const InputRow& input = stretch.first;
  const bool nothing = !input.column || input.status != kKnown || (!has_lanes && input.nobody());
  if (nothing || count == 0) return make_absent(elem, count);
  const Column& column = *input.column;
  const size_t bytes = elem_bytes(elem);
  const uint64_t offset = column.rows[input.row].offset;
  using Shape = InputStretch::Shape;
  const Shape shape = rows == 1 ? Shape::advances : stretch.shape;
  if (shape == Shape::advances && input.roster == roster) {
    values_ = column.values.data() + offset * bytes;
    return take_validity(column, offset, count);
  }

  const Stretches* const join = has_lanes ? &rosters.join(roster, input.roster) : nullptr;
  if (rows == 1 && join != nullptr && join->size() == 1 && join->front().count == lanes) {
    const uint64_t first = offset + join->front().from;  // side by side there, too
    values_ = column.values.data() + first * bytes;
    return take_validity(column, first, count);
  }
  made_.resize(count * bytes);
  const bool all_there = column.valid.empty() && (join == nullptr || lanes_in(*join) == lanes);
  if (!all_there) {
    std::memset(made_.data(), 0, made_.size());
    bitmap_.assign(bits::words_for(count), 0);
  }
  const uint64_t source_lanes = rosters.size(input.roster);
  for (uint32_t r = 0; r < rows; ++r) {
    uint64_t from = offset;
    if (shape == Shape::advances) from += r * source_lanes;
    if (shape == Shape::scattered) from = stretch.offsets[r];
    if (join == nullptr) {
      take_single(column, from, r * lanes, lanes, bytes, all_there);
    } else {
      take_lanes(column, from, r * lanes, *join, bytes, all_there);
    }
  }
  values_ = made_.data();
  valid_ = all_there ? nullptr : bitmap_.data();
}

void DenseOperand::take_single(const Column& column, uint64_t from, uint64_t to, uint64_t lanes,
                               size_t bytes, bool all_there) {
  repeat(made_.data() + to * bytes, column.values.data() + from * bytes, lanes, bytes);
  if (!all_there) bits::set_range(bitmap_.data(), to, lanes, column.is_valid(from));
}

void DenseOperand::take_lanes(const Column& column, uint64_t from, uint64_t to,
                              const Stretches& join, size_t bytes, bool all_there) {
  for (const Stretch& stretch : join) {
    std::memcpy(made_.data() + (to + stretch.to) * bytes,
                column.values.data() + (from + stretch.from) * bytes, stretch.count * bytes);
    if (all_there) continue;
    if (column.valid.empty()) {
      bits::set_range(bitmap_.data(), to + stretch.to, stretch.count, true);
    } else {
      bits::copy(bitmap_.data(), to + stretch.to, column.valid.data(), from + stretch.from,
                 stretch.count);
    }
  }
}

void DenseOperand::make_seconds(const std::vector<double>& seconds, uint32_t lanes) {
  made_.resize(seconds.size() * lanes * sizeof(double));
  auto* out = made_.as<double>();
  if (lanes == 1) std::ranges::copy(seconds, out);
  for (size_t r = 0; r < seconds.size() && lanes != 1; ++r)
    std::fill_n(out + r * lanes, lanes, seconds[r]);
  values_ = made_.data();
  valid_ = nullptr;
}

void DenseOperand::make_absent(Elem elem, uint64_t count) {
  made_.resize(count * elem_bytes(elem));
  if (count != 0) std::memset(made_.data(), 0, made_.size());
  bitmap_.assign(bits::words_for(count), 0);
  values_ = made_.data();
  valid_ = bitmap_.data();
}

void DenseOperand::take_validity(const Column& column, uint64_t offset, uint64_t count) {
  valid_ = nullptr;
  if (column.valid.empty()) return;
  bitmap_.assign(bits::words_for(count), 0);
  bits::copy(bitmap_.data(), 0, column.valid.data(), offset, count);
  valid_ = bitmap_.data();
}

}  // namespace pmjit
