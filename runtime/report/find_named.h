// Tables whose rows have names.
#pragma once

#include <ranges>
#include <string_view>

namespace pmjit {

// Null: no row has that name.
template <std::ranges::contiguous_range Rows>
const std::ranges::range_value_t<Rows>* find_named(const Rows& rows, std::string_view name) {
  for (const auto& row : rows) {
    if (row.name == name) return &row;
  }
  return nullptr;
}

}  // namespace pmjit
