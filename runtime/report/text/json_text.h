// Text as a JSON string with its quotes. What is not UTF-8 becomes U+FFFD, for JSON has no bytes.
#pragma once

#include <string>
#include <string_view>

namespace pmjit {

std::string json_text(std::string_view text);

}  // namespace pmjit
