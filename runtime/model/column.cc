#include "runtime/model/column.h"

#include <cstring>

namespace pmjit {

Dictionary::Dictionary(const Dictionary& other)
    : known_(other.known_ == nullptr ? nullptr : std::make_unique<Known>(*other.known_)) {}

uint32_t Dictionary::add(std::string_view text) {
  if (known_ == nullptr) known_ = std::make_unique<Known>();
  auto [it, is_new] =
      known_->index.try_emplace(std::string(text), static_cast<uint32_t>(known_->texts.size()));
  if (is_new) known_->texts.emplace_back(text);
  return it->second;
}

void Column::set_grown_valid(uint64_t from, uint64_t how_many) {
  valid.resize(bits::words_for(count), 0);
  bits::set_range(valid.data(), from, how_many, true);
}

void Column::clear() {
  rows.clear();
  values.clear();
  count = 0;
  valid.clear();
  dictionary.clear();
}

Run Column::run_at(uint32_t row, const Rosters& rosters) const {
  const Row& head = rows[row];
  Run run{.first_row = row,
          .rows = 1,
          .roster_id = head.roster_id,
          .lanes = rosters.size(head.roster_id),
          .offset = head.offset};
  while (row + run.rows < rows.size()) {
    const Row& next = rows[row + run.rows];
    if (next.roster_id != head.roster_id || next.status != head.status) break;
    if (next.offset != head.offset + uint64_t{run.rows} * run.lanes) break;
    ++run.rows;
  }
  return run;
}

void Column::mark_invalid(uint64_t from, uint64_t how_many) {
  if (how_many == 0) return;
  if (valid.empty()) {
    valid.resize(bits::words_for(count));
    bits::fill(valid.data(), count, true);
  }
  bits::set_range(valid.data(), from, how_many, false);
}

bool Column::all_valid(uint64_t from, uint64_t how_many) const {
  return valid.empty() || bits::all_set(valid.data(), from, how_many);
}

void Column::set_validity(uint64_t from, const uint64_t* map, uint64_t how_many) {
  if (bits::all_set(map, how_many)) return;
  mark_invalid(from, how_many);
  bits::copy(valid.data(), from, map, 0, how_many);
}

void Column::append_row(const Column& source, const Row& row, uint64_t lanes) {
  const uint64_t first = grow(lanes);
  Row& made = rows.emplace_back();
  made = row;
  made.offset = first;
  if (lanes == 0) return;
  const size_t bytes = elem_bytes(elem);
  std::memcpy(values.data() + first * bytes, source.values.data() + row.offset * bytes,
              lanes * bytes);
  take_texts(source, first, lanes);
  if (source.valid.empty()) return;
  mark_invalid(first, lanes);
  bits::copy(valid.data(), first, source.valid.data(), row.offset, lanes);
}

void Column::take_texts(const Column& source, uint64_t from, uint64_t how_many) {
  if (elem != Elem::text && elem != Elem::bytes) return;
  for (uint64_t i = from; i < from + how_many; ++i) {
    std::byte* at = values.data() + i * sizeof(uint32_t);
    uint32_t index = 0;
    std::memcpy(&index, at, sizeof index);
    // Behind a value that is not valid stands anything.
    index = index < source.dictionary.size() ? dictionary.add(source.dictionary[index]) : 0;
    std::memcpy(at, &index, sizeof index);
  }
}

void Column::copy_values(const Column& source) {
  clear();
  elem = source.elem;
  count = source.count;
  values.resize(source.values.size());
  if (source.values.size() != 0) {
    std::memcpy(values.data(), source.values.data(), source.values.size());
  }
  valid = source.valid;
  dictionary = source.dictionary;
}

}  // namespace pmjit
