// One character of UTF-8 at a time; damaged bytes come out one by one, marked.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace pmjit {

struct Utf8Char {
  uint32_t code = 0;
  size_t bytes = 0;   // 0: the text is empty
  bool valid = true;  // false: one byte that starts no character
};

inline Utf8Char first_char(std::string_view text) {
  if (text.empty()) return {};
  const auto byte = [&](size_t i) { return static_cast<uint8_t>(text[i]); };
  const uint8_t head = byte(0);
  if (head < 0x80) return {head, 1, true};
  const size_t length = head >= 0xf0 ? 4 : head >= 0xe0 ? 3 : 2;
  if (head < 0xc2 || head > 0xf4 || text.size() < length) return {head, 1, false};
  uint32_t code = head & (0xffu >> (length + 1));
  for (size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return {head, 1, false};
    code = code << 6 | (byte(i) & 0x3f);
  }
  constexpr uint32_t kLeast[] = {0, 0, 0x80, 0x800, 0x10000};
  const bool surrogate = code >= 0xd800 && code <= 0xdfff;
  if (code < kLeast[length] || code > 0x10ffff || surrogate) return {head, 1, false};
  return {code, length, true};
}

inline bool is_utf8(std::string_view text) {
  while (!text.empty()) {
    const Utf8Char c = first_char(text);
    if (!c.valid) return false;
    text.remove_prefix(c.bytes);
  }
  return true;
}

// Text as a JSON string with its quotes. What is not UTF-8 becomes U+FFFD, for JSON has no bytes.
std::string json_text(std::string_view text);

// A field of a CSV file as RFC 4180 writes it: in quotes where it has to be.
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

// A short text copied in whole vectors: kShortStep bytes behind it are read, and written.
inline constexpr size_t kShortStep = 16;

// Returns the end of the copy.
inline char* copy_short(char* at, std::string_view text) {
  for (size_t i = 0; i < text.size(); i += kShortStep) {
    std::memcpy(at + i, text.data() + i, kShortStep);
  }
  return at + text.size();
}

}  // namespace pmjit
