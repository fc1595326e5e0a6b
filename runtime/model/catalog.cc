#include "runtime/model/catalog.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <numeric>
#include <ranges>
#include <utility>

#include "runtime/base/limits.h"
#include "runtime/model/exporter_names.h"

namespace pmjit {

namespace {

// Names that look like a wrong one. A typing mistake is a few letters (edit distance, bounded by
// the length), or a forgotten prefix (the last component is right); the former come first.

// Letters changed, added, removed or swapped with their neighbour; anything above `bound` is bound
// + 1.
size_t edit_distance(std::string_view a, std::string_view b, size_t bound) {
  const size_t longer = std::max(a.size(), b.size()), shorter = std::min(a.size(), b.size());
  if (longer - shorter > bound) return bound + 1;
  std::vector<size_t> before(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
  std::iota(last.begin(), last.end(), size_t{0});
  for (size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    size_t best = row[0];
    for (size_t j = 1; j <= b.size(); ++j) {
      const bool same = a[i - 1] == b[j - 1];
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (same ? 0 : 1)});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        row[j] = std::min(row[j], before[j - 2] + 1);
      }
      best = std::min(best, row[j]);
    }
    if (best > bound) return bound + 1;
    before.swap(last);
    last.swap(row);
  }
  return std::min(last[b.size()], bound + 1);
}

// DISK.DEV.WRITE is a slip for disk.dev.write.
std::string in_small_letters(std::string_view name) {
  std::string out(name);
  for (char& c : out) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return out;
}

std::string_view last_component(std::string_view name) {
  const size_t dot = name.rfind('.');
  return dot == name.npos ? name : name.substr(dot + 1);
}

constexpr uint32_t kSerialBits = 22;
constexpr uint32_t serial_of(InDomId indom) { return indom & ((1u << kSerialBits) - 1); }

constexpr std::string_view kBlanks = " \t\r\f\v";

}  // namespace

std::vector<std::string> Catalog::names_ever(InDomId indom) const {
  std::vector<std::string> out;
  for (Instance& instance : instances(indom)) out.push_back(std::move(instance.name));
  return out;
}

std::vector<std::string> near_names(const Catalog& catalog, std::string_view wanted_name) {
  const std::string_view pcp = name_in_pcp(wanted_name);
  if (!pcp.empty() && catalog.describe(pcp)) return {std::string(pcp)};
  const std::string wanted = in_small_letters(wanted_name);
  // A third of the letters wrong is another word.
  const size_t bound = std::max<size_t>(1, std::min<size_t>(5, wanted.size() / 3));
  const std::string_view leaf = last_component(wanted);
  std::vector<std::pair<size_t, std::string>> found;
  for (std::string& name : catalog.leaves("")) {
    const std::string small = in_small_letters(name);
    size_t score = edit_distance(small, wanted, bound);
    if (score > bound) {
      const std::string_view other = last_component(small);
      const size_t leaf_bound = std::min<size_t>(2, leaf.size() / 4);
      const size_t leaf_score = edit_distance(other, leaf, leaf_bound);
      if (leaf.empty() || leaf_score > leaf_bound) continue;
      score = bound + 1 + leaf_score;
    }
    found.emplace_back(score, std::move(name));
  }
  const size_t keep = std::min(found.size(), limits::kNearNamesMax);
  std::partial_sort(found.begin(), found.begin() + static_cast<ptrdiff_t>(keep), found.end());
  std::vector<std::string> out;
  for (size_t i = 0; i < keep; ++i) out.push_back(std::move(found[i].second));
  return out;
}

EquivalentDomains EquivalentDomains::read(std::string_view text) {
  EquivalentDomains out;
  for (const auto part : std::views::split(text, '\n')) {
    std::string_view rest(part.begin(), part.end());
    rest = rest.substr(0, rest.find('#'));
    Line line;
    while (true) {
      rest.remove_prefix(std::min(rest.find_first_not_of(kBlanks), rest.size()));
      if (rest.empty()) break;
      const std::string_view word = rest.substr(0, rest.find_first_of(kBlanks));
      if (const auto one = word_of(word)) line.push_back(*one);
      rest.remove_prefix(word.size());
    }
    if (!line.empty()) out.lines_.push_back(std::move(line));
  }
  return out;
}

std::optional<EquivalentDomains::Word> EquivalentDomains::word_of(std::string_view text) {
  if (text.ends_with(".*")) {
    const std::string any(text.substr(0, text.size() - 1));
    const auto indom = indom_from_text(any + "0");
    if (!indom) return std::nullopt;
    return Word{.domain = domain_of(*indom), .serial = {}};
  }
  const auto indom = indom_from_text(text);
  if (!indom) return std::nullopt;
  return Word{.domain = domain_of(*indom), .serial = serial_of(*indom)};
}

bool EquivalentDomains::has(const Line& line, InDomId indom) {
  return std::ranges::any_of(line, [&](const Word& word) {
    return word.domain == domain_of(indom) &&
           word.serial.value_or(serial_of(indom)) == serial_of(indom);
  });
}

bool EquivalentDomains::equivalent(InDomId a, InDomId b) const {
  return std::ranges::any_of(lines_,
                             [&](const Line& line) { return has(line, a) && has(line, b); });
}

}  // namespace pmjit
