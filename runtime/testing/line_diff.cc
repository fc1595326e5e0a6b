#include "runtime/testing/line_diff.h"

#include <fmt/format.h>

#include <algorithm>

#include "runtime/testing/case_file.h"

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

// Of what follows the first difference: the table of common parts has so many rows and columns.
constexpr size_t kLinesMax = 1000;

std::vector<std::string> piece(const std::vector<std::string>& lines, size_t from) {
  const size_t end = std::min(lines.size(), from + kLinesMax);
  return {lines.begin() + static_cast<ptrdiff_t>(from),
          lines.begin() + static_cast<ptrdiff_t>(end)};
}

std::string cut_text(const std::vector<std::string>& lines, size_t from, std::string_view what) {
  if (lines.size() <= from + kLinesMax) return {};
  return fmt::format("  and {} more lines that were {}\n", lines.size() - from - kLinesMax, what);
}

// From the first difference on.
std::string rest(const std::vector<std::string>& expected, const std::vector<std::string>& actual,
                 const SameLine& same) {
  const Lengths lengths = common_lengths(expected, actual, same);
  std::string out;
  size_t i = 0, j = 0;
  while (i < expected.size() || j < actual.size()) {
    if (i < expected.size() && j < actual.size() && same(expected[i], actual[j])) {
      out += "  " + actual[j] + "\n";
      ++i, ++j;
    } else if (j == actual.size() ||
               (i < expected.size() && lengths[i + 1][j] >= lengths[i][j + 1])) {
      out += "- " + expected[i++] + "\n";
    } else {
      out += "+ " + actual[j++] + "\n";
    }
  }
  return out;
}

}  // namespace

std::string diff(const std::vector<std::string>& expected, const std::vector<std::string>& actual,
                 const SameLine& same) {
  const size_t least = std::min(expected.size(), actual.size());
  size_t first = 0;
  while (first < least && same(expected[first], actual[first])) ++first;
  if (first == expected.size() && first == actual.size()) return {};
  std::string out;
  for (size_t i = 0; i < first; ++i) out += "  " + actual[i] + "\n";
  out += rest(piece(expected, first), piece(actual, first), same);
  return out + cut_text(expected, first, "expected") + cut_text(actual, first, "found");
}

std::string diff_text(const std::string& expected, const std::string& actual) {
  return diff(split_lines(expected), split_lines(actual),
              [](const std::string& a, const std::string& b) { return a == b; });
}

}  // namespace pmjit::cases
