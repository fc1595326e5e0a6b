#include "runtime/model/column.h"

namespace pmjit {

uint32_t Dictionary::add(std::string_view text) {
  auto [it, is_new] = index_.try_emplace(std::string(text), static_cast<uint32_t>(texts_.size()));
  if (is_new) texts_.emplace_back(text);
  return it->second;
}

void Dictionary::clear() {
  texts_.clear();
  index_.clear();
}

uint64_t Column::grow(uint64_t more) {
  const uint64_t first = count;
  count += more;
  values.resize(count * elem_bytes(elem));
  if (!valid.empty()) {
    valid.resize(bits::words_for(count), 0);
    bits::set_range(valid.data(), first, more, true);
  }
  return first;
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
  Run run{.first_row = row, .rows = 1, .roster_id = head.roster_id,
          .lanes = rosters.size(head.roster_id), .offset = head.offset};
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

}  // namespace pmjit
