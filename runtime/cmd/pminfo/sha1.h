// SHA-1, for series identifiers: a name, nothing that has to keep anybody out. Source: FIPS 180-4.
#pragma once

#include <string>
#include <string_view>

namespace pmjit {

// 40 lower-case hexadecimal digits.
[[nodiscard]] std::string sha1_hex(std::string_view text);

}  // namespace pmjit
