// A field of a CSV file as RFC 4180 writes it: in quotes where it has to be.
#pragma once

#include <string>
#include <string_view>

namespace pmjit {

inline std::string csv_field(std::string_view field) {
  if (field.find_first_of(",\"\r\n") == field.npos) return std::string(field);
  std::string out = "\"";
  for (const char c : field) {
    if (c == '"') out += '"';
    out += c;
  }
  return out += '"';
}

}  // namespace pmjit
