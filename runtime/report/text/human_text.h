// Text for people's eyes: numbers with as many digits as matter, text by display width, small
// pictures.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace pmjit {

// Whole numbers as they are, others with about five digits that matter; `digits` as -f says.
std::string human_number(double value, std::optional<int> digits);

// Columns of a terminal that the text takes: wide characters two, combining ones none.
size_t display_width(std::string_view text);

// Without control characters (an instance's name must not command the terminal), at most `width`
// columns, the last of them "…" if something is missing.
std::string fit(std::string_view text, size_t width);

// One character a value, ▁ the least and █ the largest; · where there is none. Values that are all
// alike are a low line if they are 0, else one in the middle.
std::string sparkline(std::span<const std::optional<double>> values);

// Lengths of time and sizes as people say them: "2 d 3 h", "1.5 s", "288 MB".

// The two largest units that matter; below a minute a decimal number.
std::string human_duration(double seconds);

// Decimal units, about three digits.
std::string human_bytes(uint64_t bytes);

}  // namespace pmjit
