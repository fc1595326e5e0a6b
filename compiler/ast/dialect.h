// The dialects of the derived-metric language (spec dialects.md §1): libpcp's of 6.0.3 and 7.2.1,
// and ours.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace pmjit {

enum class Dialect : uint8_t { pcp6, pcp7, strict };
std::string_view dialect_text(Dialect dialect);  // "pcp6" …
std::optional<Dialect> dialect_from_text(std::string_view text);

}  // namespace pmjit
