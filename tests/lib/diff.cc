#include "tests/lib/diff.h"

#include <algorithm>

#include "tests/lib/case_file.h"

namespace pmjit::cases {
namespace {

// lengths[i][j]: the longest common part of expected[i…] and actual[j…].
using Lengths = std::vector<std::vector<uint32_t>>;

Lengths common_lengths(const std::vector<std::string>& expected,
                       const std::vector<std::string>& actual, const SameLine& same) {
  Lengths lengths(expected.size() + 1, std::vector<uint32_t>(actual.size() + 1, 0));
  for (size_t i = expected.size(); i-- > 0;) {
    for (size_t j = actual.size(); j-- > 0;) {
      lengths[i][j] = same(expected[i], actual[j]) ? lengths[i + 1][j + 1] + 1
                                                   : std::max(lengths[i + 1][j], lengths[i][j + 1]);
    }
  }
  return lengths;
}

}  // namespace

std::string diff(const std::vector<std::string>& expected, const std::vector<std::string>& actual,
                 const SameLine& same) {
  const Lengths lengths = common_lengths(expected, actual, same);
  std::string out;
  bool differs = false;
  size_t i = 0, j = 0;
  while (i < expected.size() || j < actual.size()) {
    if (i < expected.size() && j < actual.size() && same(expected[i], actual[j])) {
      out += "  " + actual[j] + "\n";
      ++i, ++j;
      continue;
    }
    differs = true;
    if (j == actual.size() || (i < expected.size() && lengths[i + 1][j] >= lengths[i][j + 1])) {
      out += "- " + expected[i++] + "\n";
    } else {
      out += "+ " + actual[j++] + "\n";
    }
  }
  return differs ? out : std::string();
}

std::string diff_text(const std::string& expected, const std::string& actual) {
  return diff(split_lines(expected), split_lines(actual),
              [](const std::string& a, const std::string& b) { return a == b; });
}

}  // namespace pmjit::cases
