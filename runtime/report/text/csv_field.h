// A field of a CSV file as RFC 4180 writes it: in quotes where it has to be.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>

namespace pmjit {

inline std::string csv_field(std::string_view field) {
  const auto needs_quotes = [](char c) { return c == ',' || c == '"' || c == '\r' || c == '\n'; };
  if (std::ranges::none_of(field, needs_quotes)) return std::string(field);
  std::string out = "\"";
  for (const char c : field) {
    if (c == '"') out += '"';
    out += c;
  }
  return out += '"';
}

}  // namespace pmjit
