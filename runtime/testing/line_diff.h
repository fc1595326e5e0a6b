// A line-by-line difference for people: lines with "- " were expected, lines with "+ " came out.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace pmjit::cases {

using SameLine = std::function<bool(const std::string& expected, const std::string& actual)>;

// Empty: no difference.
std::string diff(const std::vector<std::string>& expected, const std::vector<std::string>& actual,
                 const SameLine& same);
std::string diff_text(const std::string& expected, const std::string& actual);

}  // namespace pmjit::cases
