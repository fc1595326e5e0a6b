// Values as records hold them, made from what tests say: Value does not own its bytes, StoredValue
// does.
#pragma once

#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/model/pm_codes.h"
#include "runtime/model/value.h"

namespace pmjit {

struct StoredValue {
  ValueFormat format = ValueFormat::in_place;
  uint8_t type = 0;
  std::vector<std::byte> bytes{};

  [[nodiscard]] Value value() const {
    Value out{.type = type, .block = bytes};
    if (format == ValueFormat::in_place) std::memcpy(&out.word, bytes.data(), sizeof out.word);
    return out;
  }
};

inline StoredValue block(int type, std::string_view text) {
  StoredValue out{.format = ValueFormat::block, .type = static_cast<uint8_t>(type)};
  for (char c : text) out.bytes.push_back(static_cast<std::byte>(c));
  return out;
}

template <class T>
  requires std::is_arithmetic_v<T>
StoredValue block(int type, T value) {
  return block(type, std::string_view(reinterpret_cast<const char*>(&value), sizeof value));
}

template <class T>
  requires std::is_arithmetic_v<T>
StoredValue in_place(T value) {
  StoredValue out = block(0, value);
  out.format = ValueFormat::in_place;
  return out;
}

// A number of a type, in the format that a table names: "INSITU" or anything else.
inline StoredValue stored_number(std::string_view format, int type, const std::string& text) {
  const auto as = [&](auto value) {
    StoredValue out = block(type, value);
    if (format == "INSITU") out.format = ValueFormat::in_place;
    return out;
  };
  switch (type) {
    case pm_type::i64: return as(int64_t{std::stoll(text)});
    case pm_type::u64: return as(uint64_t{std::stoull(text)});
    case pm_type::f32: return as(std::strtof(text.c_str(), nullptr));
    case pm_type::f64: return as(std::strtod(text.c_str(), nullptr));
    default: return as(static_cast<int32_t>(std::stoll(text)));
  }
}

}  // namespace pmjit
