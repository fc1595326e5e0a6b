#include "runtime/model/value_sets.h"

#include <algorithm>
#include <cstring>
#include <functional>
#include <vector>

#include "runtime/model/atom.h"

namespace pmjit {

namespace {

// Writers differ in what they call the one instance of a singular metric.
RosterId roster_of(const FetchedSet& set, const Desc& desc, RosterId last, Rosters& rosters) {
  if (desc.indom == kNullId && set.count == 1) return Rosters::kSingularId;
  const auto interned = [&](const auto& of, auto instance) {
    if (rosters.knows(last) && std::ranges::equal(of, rosters.instances(last), {}, instance)) {
      return last;
    }
    std::vector<int32_t> instances(of.size());
    std::ranges::transform(of, instances.begin(), instance);
    return rosters.intern(instances);
  };
  if (!set.numbers.empty()) return interned(set.instances, std::identity());
  return interned(set.values, &Value::instance);
}

std::string_view text_of(Elem elem, const Atom& atom) {
  if (elem == Elem::text) return atom.text();
  return {reinterpret_cast<const char*>(atom.bytes.data()), atom.bytes.size()};
}

Value value_of(const Column& column, uint64_t index, int32_t instance, const Desc& desc,
               ValueFormat format) {
  Value value{.instance = instance, .type = static_cast<uint8_t>(desc.pm_type)};
  const size_t bytes = elem_bytes(column.elem);
  const std::byte* at = column.values.data() + index * bytes;
  if (format == ValueFormat::in_place) {
    std::memcpy(&value.word, at, bytes);  // what is narrower stands first
  } else if (is_number(column.elem)) {
    value.block = Bytes(at, bytes);
  } else {
    uint32_t number = 0;
    std::memcpy(&number, at, sizeof number);
    const std::string_view text = column.dictionary[number];
    value.block = Bytes(reinterpret_cast<const std::byte*>(text.data()), text.size());
  }
  return value;
}

void append_values(const FetchedSet& set, const Desc& desc, Column& column) {
  uint64_t to = column.grow(set.values.size());
  const size_t bytes = elem_bytes(column.elem);
  for (const Value& value : set.values) {
    const auto atom = load_atom(set.format, desc.pm_type, value);
    std::byte* out = column.values.data() + bytes * to;
    if (!atom) {
      column.mark_invalid(to, 1);
    } else if (is_number(column.elem)) {
      std::memcpy(out, &atom->u64, bytes);  // all its members begin at one place
    } else {
      const uint32_t index = column.dictionary.add(text_of(column.elem, *atom));
      std::memcpy(out, &index, sizeof index);
    }
    ++to;
  }
}

// What counts of their bits are the lower ones.
void append_numbers(std::span<const uint64_t> numbers, Column& column) {
  const size_t bytes = elem_bytes(column.elem);
  const uint64_t first = column.grow(numbers.size());
  std::byte* out = column.values.data() + bytes * first;
  if (bytes == sizeof(uint64_t)) {
    std::memcpy(out, numbers.data(), numbers.size_bytes());
    return;
  }
  for (const uint64_t number : numbers) {
    std::memcpy(out, &number, bytes);
    out += bytes;
  }
}

}  // namespace

void append_set(const FetchedSet& set, const Desc& desc, Row row, RosterId& last, Rosters& rosters,
                Column& column) {
  row.status = std::min(set.count, 0);
  row.roster_id = Rosters::kNobodyId;
  row.offset = column.count;
  if (set.count > 0) {
    row.roster_id = last = roster_of(set, desc, last, rosters);
    if (set.numbers.empty()) {
      append_values(set, desc, column);
    } else {
      append_numbers(set.numbers, column);
    }
  }
  column.rows.push_back(row);
}

ValueFormat format_of(const Desc& desc) {
  const bool in_place = desc.pm_type == pm_type::i32 || desc.pm_type == pm_type::u32;
  return in_place ? ValueFormat::in_place : ValueFormat::block;
}

void take_known(const Column& column, uint64_t offset, std::span<const int32_t> instances,
                std::span<const int32_t> lanes, const Desc& desc, FetchedSet& out) {
  out.format = format_of(desc);
  out.values.clear();
  for (size_t i = 0; i < instances.size(); ++i) {
    const uint64_t index = offset + static_cast<uint64_t>(lanes[i]);
    if (lanes[i] < 0 || !column.is_valid(index)) continue;
    out.values.push_back(value_of(column, index, instances[i], desc, out.format));
  }
  out.count = static_cast<int32_t>(out.values.size());
}

}  // namespace pmjit
