#include "runtime/report/plot/panel_texts.h"

#include <fmt/format.h>

#include <algorithm>

namespace pmjit {

namespace {

constexpr size_t kNamesMax = 5;  // of a note: what fits beside its text

std::string counted(uint64_t count, std::string_view one, std::string_view more) {
  return fmt::format("{} {}", count, count == 1 ? one : more);
}

std::string names_text(const std::vector<std::string>& names) {
  std::string out;
  for (size_t i = 0; i < std::min(names.size(), kNamesMax); ++i) {
    out += (i == 0 ? "" : ", ") + names[i];
  }
  if (names.size() > kNamesMax) out += fmt::format(" and {} more", names.size() - kNamesMax);
  return out;
}

}  // namespace

void PanelNotes::add(std::string_view name, std::string text) {
  auto same = std::ranges::find(notes_, text, &Note::text);
  if (same == notes_.end()) same = notes_.insert(same, {.text = std::move(text), .names = {}});
  same->names.emplace_back(name);
}

void PanelNotes::add_values(std::string_view name, const Gathered& from, std::string_view where,
                            std::span<const std::string> unknown) {
  if (from.infinite > 0) {
    add(name,
        fmt::format("{} {}", counted(from.infinite, "infinite value,", "infinite values,"), where));
  }
  if (from.not_numbers > 0) {
    add(name, counted(from.not_numbers, "value that is not a number (NaN), left out",
                      "values that are not numbers (NaN), left out"));
  }
  for (const std::string& text : unknown) add(name, text);
}

std::vector<std::string> PanelNotes::lines(size_t results) const {
  std::vector<std::string> out;
  for (const Note& note : notes_) {
    const bool all = note.names.size() == results;
    const std::string of = !all ? names_text(note.names) + ": " : results > 1 ? "each: " : "";
    out.push_back(of + note.text);
  }
  return out;
}

}  // namespace pmjit
