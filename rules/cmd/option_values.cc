// Values of options: what is wrong with one, and how the right ones reach their targets.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <utility>

#include "rules/cmd/option_words.h"
#include "runtime/base/near.h"

namespace pmjit {

namespace {

constexpr uint64_t kWordyMax = 1'000'000;  // limits above it are for the machine, not for people

template <class Number>
std::optional<Number> number_of(const std::string& text) {
  Number out{};
  const char* const end = text.data() + text.size();
  const auto [rest, err] = std::from_chars(text.data(), end, out);
  return err == std::errc() && rest == end ? std::optional(out) : std::nullopt;
}

struct FillTarget {
  const std::vector<std::string>& values;

  void operator()(bool* target) const { *target = true; }
  void operator()(std::string* target) const { *target = values.front(); }
  void operator()(std::vector<std::string>* target) const { *target = values; }
  void operator()(uint32_t* target) const { *target = *number_of<uint32_t>(values.front()); }
  void operator()(std::optional<int>* target) const { *target = number_of<int>(values.front()); }
  void operator()(std::optional<uint64_t>* target) const {
    *target = number_of<uint64_t>(values.front());
  }
};

std::vector<std::string> names_of(const std::vector<OptionChoice>& choices) {
  std::vector<std::string> out;
  for (const OptionChoice& choice : choices) out.push_back(choice.name);
  return out;
}

// "a, b or c".
std::string alternatives(const std::vector<std::string>& names) {
  std::string out;
  for (size_t i = 0; i < names.size(); ++i) {
    if (i > 0) out += i + 1 == names.size() ? " or " : ", ";
    out += names[i];
  }
  return out;
}

// Formats of other programs, and what reads into them.
constexpr std::pair<std::string_view, std::string_view> kFormatsOfOthers[] = {
    {"parquet", "arrow"}, {"feather", "arrow"}, {"ipc", "arrow"},     {"pandas", "arrow"},
    {"xlsx", "csv"},      {"excel", "csv"},     {"tsv", "csv"},       {"ndjson", "json"},
    {"jsonl", "json"},    {"yaml", "json"},     {"wide", "csv-wide"}, {"csv", "json"}};

// "; did you mean arrow?" for -o parquet, and for -o day.csv what the shell does. "": neither.
std::string format_meant(const CommandOption& row, const std::string& value,
                         const std::vector<std::string>& names) {
  const auto has = [&](std::string_view name) { return std::ranges::count(names, name) != 0; };
  const std::string format = value.substr(value.rfind('.') + 1);  // npos + 1 is 0
  if (format != value && has(format)) {
    return fmt::format("; write {} {} > {}", dashed_names(row).front(), format, value);
  }
  if (has("csv-wide") && (value == "html" || value == "svg")) {
    return fmt::format("; a chart is --plot FILE.{}", value);
  }
  const auto* const other = std::ranges::find(
      kFormatsOfOthers, value, &std::pair<std::string_view, std::string_view>::first);
  if (other == std::end(kFormatsOfOthers) || !has(other->second)) return "";
  return fmt::format("; did you mean {}?", other->second);
}

std::string wrong_choice(const CommandOption& row, const std::string& value) {
  const std::vector<std::string> names = names_of(row.choices);
  if (std::ranges::find(names, value) != names.end()) return "";
  const std::string other = format_meant(row, value, names);
  const std::string near = other.empty() ? or_rather(value, names) : other;
  std::string kind = row.value;
  std::ranges::transform(kind, kind.begin(), [](unsigned char c) { return std::tolower(c); });
  if (kind == "when" || kind == "choice") kind = "value";
  return fmt::format("is not a valid {}{}", kind,
                     near.empty() ? "; use " + alternatives(names) : near);
}

std::string wrong_number(const OptionRange& range, const std::string& value) {
  const auto number = number_of<uint64_t>(value);
  if (number && *number >= range.least && *number <= range.most) return "";
  const bool all_digits = !value.empty() && value.find_first_not_of("0123456789") == value.npos;
  const bool is_number = all_digits || number_of<int64_t>(value).has_value();
  if (all_digits && (!number || *number > range.most) && range.most > kWordyMax) {
    return fmt::format("is out of range; use a whole number from {} to {}", range.least,
                       range.most);
  }
  const std::string_view what = is_number ? "is out of range" : "is not a whole number";
  return range.most > kWordyMax
             ? fmt::format("{}; use a whole number from {} on", what, range.least)
             : fmt::format("{}; use a whole number from {} to {}", what, range.least, range.most);
}

}  // namespace

std::string wrong_value(const CommandOption& row, std::string_view name, const std::string& value) {
  std::string what;
  if (!row.choices.empty()) what = wrong_choice(row, value);
  if (what.empty() && row.range) what = wrong_number(*row.range, value);
  if (what.empty() && row.wrong != nullptr) what = row.wrong(value);
  if (what.empty()) return "";
  const bool bare = !value.empty() && value.find(' ') == value.npos;
  return bare ? fmt::format("{} {} {}", name, value, what)
              : fmt::format("{} \"{}\" {}", name, value, what);
}

void fill_in(const GivenOption& given) {
  std::visit(FillTarget{given.values}, given.row->target);
  if (given.row->given != nullptr) *given.row->given = true;
}

std::string or_rather(std::string_view typed, const std::vector<std::string>& candidates) {
  std::vector<std::string> near = near_names(typed, candidates);
  if (near.empty()) return "";
  // One that differs by a letter leaves nothing to choose.
  const size_t least = edit_distance(typed, near.front());
  if (least < 2) {
    std::erase_if(near, [&](const auto& name) { return edit_distance(typed, name) > least; });
  }
  return "; " + near_names_text(near);
}

}  // namespace pmjit
