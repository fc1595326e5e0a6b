#include "runtime/exec/gather.h"

#include <algorithm>
#include <cstring>

#include "runtime/base/check.h"

namespace pmjit {

namespace {

template <class Word>
void gather_words(void* to, const std::byte* from, const int32_t* map, uint64_t lanes) {
  auto* out = static_cast<Word*>(to);
  for (uint64_t i = 0; i < lanes; ++i) {
    Word value{};
    if (map[i] >= 0)
      std::memcpy(&value, from + static_cast<size_t>(map[i]) * sizeof(Word), sizeof(Word));
    out[i] = value;
  }
}

void gather_lanes(std::byte* to, const std::byte* from, const Lanes& map, size_t bytes) {
  switch (bytes) {
    case 1: return gather_words<uint8_t>(to, from, map.data(), map.size());
    case 4: return gather_words<uint32_t>(to, from, map.data(), map.size());
    default:
      check(bytes == 8, "value size");
      return gather_words<uint64_t>(to, from, map.data(), map.size());
  }
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
  const bool advances = stretch.advances || rows == 1;
  if (advances && input.roster == roster) {
    values_ = column.values.data() + offset * bytes;
    return take_validity(column, offset, count);
  }

  const Lanes repeated(has_lanes ? 0 : lanes, 0);
  const Lanes& map = has_lanes ? rosters.join(roster, input.roster) : repeated;
  const uint64_t source_lanes = rosters.size(input.roster);
  const bool all_there = column.valid.empty() && std::ranges::find(map, kAbsentLane) == map.end();
  made_.resize(count * bytes);
  if (!all_there) bitmap_.assign(bits::words_for(count), 0);
  for (uint32_t r = 0; r < rows; ++r) {
    const uint64_t from = offset + (advances ? r * source_lanes : 0);
    gather_lanes(made_.data() + r * lanes * bytes, column.values.data() + from * bytes, map, bytes);
    for (uint64_t i = 0; !all_there && i < lanes; ++i) {
      const int32_t lane = map[i];
      if (lane >= 0 && column.is_valid(from + static_cast<uint64_t>(lane))) {
        bits::set(bitmap_.data(), r * lanes + i);
      }
    }
  }
  values_ = made_.data();
  valid_ = all_there ? nullptr : bitmap_.data();
}

void DenseOperand::make_seconds(const std::vector<double>& seconds, uint32_t lanes) {
  made_.resize(seconds.size() * lanes * sizeof(double));
  auto* out = made_.as<double>();
  for (size_t r = 0; r < seconds.size(); ++r) std::fill_n(out + r * lanes, lanes, seconds[r]);
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
