// Optimal string alignment over three rows. Names beyond kNameMax are not compared: nobody mistypes
// them by a letter, and the cost is the product of the lengths.
#include "runtime/base/near.h"

#include <algorithm>
#include <utility>

#include "runtime/base/limits.h"

namespace pmjit {
namespace {

constexpr size_t kNameMax = 256;

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

bool begins_with(std::string_view text, std::string_view head) {
  return text.size() > head.size() &&
         std::equal(head.begin(), head.end(), text.begin(),
                    [](char a, char b) { return lower(a) == lower(b); });
}

// The letters of `part` in this order within `text`: avg in average.
bool is_abbreviation(std::string_view part, std::string_view text) {
  if (part.size() < 3 || lower(part[0]) != lower(text[0])) return false;
  for (const char c : text)
    if (!part.empty() && lower(part[0]) == lower(c)) part.remove_prefix(1);
  return part.empty();
}

// chk: check. Much shorter names say too little.
bool is_short_for(std::string_view name, std::string_view candidate) {
  return candidate.size() <= 2 * name.size() && is_abbreviation(name, candidate);
}

}  // namespace

size_t edit_distance(std::string_view a, std::string_view b) {
  if (a.size() > kNameMax || b.size() > kNameMax) return std::max(a.size(), b.size());
  std::vector<size_t> before(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    before.swap(last);
    last.swap(row);
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      const bool same = lower(a[i - 1]) == lower(b[j - 1]);
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (same ? 0 : 1)});
      const bool swapped = i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) &&
                           lower(a[i - 2]) == lower(b[j - 1]);
      if (swapped) row[j] = std::min(row[j], before[j - 2] + 1);
    }
  }
  return row[b.size()];
}

std::vector<std::string> near_names(std::string_view name,
                                    const std::vector<std::string>& candidates) {
  if (name.empty()) return {};
  std::vector<std::pair<size_t, std::string>> found;
  const size_t allowed = std::max<size_t>(1, name.size() / 3);
  for (const std::string& candidate : candidates) {
    const bool part = begins_with(candidate, name) || begins_with(name, candidate) ||
                      is_abbreviation(candidate, name) || is_short_for(name, candidate);
    const auto [shorter, longer] = std::minmax({name.size(), candidate.size()});
    if (!part && longer - shorter > allowed) continue;  // at least so many edits
    const size_t distance = edit_distance(name, candidate);
    if (part || distance <= allowed) found.emplace_back(distance, candidate);
  }
  std::sort(found.begin(), found.end());
  if (found.size() > limits::kNearNamesMax) found.resize(limits::kNearNamesMax);
  std::vector<std::string> names;
  for (auto& [distance, candidate] : found) names.push_back(std::move(candidate));
  return names;
}

namespace {

// disk.dev.total is no slip for disk.dm.total: of a part in the middle most letters would be wrong.
bool has_other_part(std::string_view name, std::string_view meant) {
  constexpr size_t kLettersToEdit = 3;
  if (std::ranges::count(name, '.') != std::ranges::count(meant, '.')) return false;
  while (name.contains('.')) {
    const std::string_view a = name.substr(0, name.find('.')), b = meant.substr(0, meant.find('.'));
    if (edit_distance(a, b) * kLettersToEdit > std::max(a.size(), b.size())) return true;
    name.remove_prefix(a.size() + 1);
    meant.remove_prefix(b.size() + 1);
  }
  return false;
}

}  // namespace

void keep_slips(std::string_view name, std::vector<std::string>& near) {
  constexpr size_t kEditsMax = 3, kLettersToEdit = 3;
  std::erase_if(near, [&](const std::string& meant) {
    // Words that both begin with say nothing: of cpu.intr and cpu.idle the last ones differ.
    size_t same = 0;
    for (size_t i = 0; i < std::min(name.size(), meant.size()) && name[i] == meant[i]; ++i) {
      if (name[i] == '.') same = i + 1;
    }
    const size_t edits = edit_distance(name, meant);
    if (has_other_part(name, meant)) return true;
    return edits > kEditsMax || edits * kLettersToEdit > name.size() - same;
  });
}

std::vector<std::string> near_paths(std::string_view path, const std::vector<std::string>& names) {
  const size_t folder = path.rfind('/') + 1;  // npos + 1 is 0
  std::vector<std::string> near = near_names(path.substr(folder), names);
  for (std::string& name : near) name.insert(0, path.substr(0, folder));
  return near;
}

bool matches_first_word(std::string_view stored, std::string_view query) {
  const size_t blank = stored.find(' ');
  if (blank == std::string_view::npos) return false;
  return query.substr(0, blank) == stored.substr(0, blank);
}

std::string first_names_text(std::span<const std::string> names) {
  constexpr size_t kShownMax = 6;
  std::string text;
  for (const std::string& name : names.first(std::min(kShownMax, names.size()))) {
    text += (text.empty() ? "" : ", ") + name;
  }
  return names.size() > kShownMax ? text + ", …" : text;
}

std::string first_few_text(std::span<const std::string> names) {
  constexpr size_t kShown = 3;
  const size_t shown = names.size() <= kShown + 1 ? names.size() : kShown;
  std::string text;
  for (const std::string& name : names.first(shown)) text += (text.empty() ? "" : ", ") + name;
  const size_t more = names.size() - shown;
  return more > 0 ? text + " and " + std::to_string(more) + " more" : text;
}

std::string near_names_text(const std::vector<std::string>& names) {
  if (names.empty()) return {};
  std::string text = "did you mean " + names[0];
  for (size_t i = 1; i < names.size(); ++i)
    text += (i + 1 == names.size() ? " or " : ", ") + names[i];
  return text + "?";
}

}  // namespace pmjit
