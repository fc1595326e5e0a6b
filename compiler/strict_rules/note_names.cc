// Names in braces in notes of alerts, `%{severity}`. Source: spec alerting.md §3.2.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "compiler/strict_rules/rule_file.h"
#include "runtime/base/chars.h"
#include "runtime/base/near.h"

namespace pmjit::strict {

namespace {

constexpr std::string_view kLabelOf = "label.", kValueOf = "value.";

struct PlainName {
  std::string_view text;
  NoteName::Kind kind;
};
constexpr PlainName kPlainNames[] = {{"rule", NoteName::Kind::rule},
                                     {"severity", NoteName::Kind::severity},
                                     {"since", NoteName::Kind::since},
                                     {"held", NoteName::Kind::held},
                                     {"reason", NoteName::Kind::reason}};

// What people write in braces, and what it is.
struct NoteWord {
  std::string_view written, meant;
};
constexpr NoteWord kNoteWords[] = {{"rule", "%{rule}"},
                                   {"alertname", "%{rule}"},
                                   {"name", "%{rule}"},
                                   {"host", "%h"},
                                   {"hostname", "%h"},
                                   {"instance", "%i"},
                                   {"instname", "%i"},
                                   {"value", "%v"},
                                   {"connection", "%c"},
                                   {"h", "%h"},
                                   {"i", "%i"},
                                   {"v", "%v"},
                                   {"c", "%c"},
                                   {"severity", "%{severity}"},
                                   {"level", "%{severity}"},
                                   {"since", "%{since}"},
                                   {"start", "%{since}"},
                                   {"startsAt", "%{since}"},
                                   {"held", "%{held}"},
                                   {"for", "%{held}"},
                                   {"duration", "%{held}"},
                                   {"reason", "%{reason}"},
                                   {"why", "%{reason}"},
                                   {"label", "%{label.NAME}"},
                                   {"labels", "%{label.NAME}"},
                                   {"macro", "%{value.NAME}"}};

constexpr std::string_view kThere =
    "a note has %h %i %v %c %{rule} %{severity} %{since} %{held} %{reason} %{label.NAME}";

// "did you mean %i?"; empty: nothing is like it.
std::string note_word_meant(std::string_view name) {
  // lable.team
  if (const size_t dot = name.find('.'); dot != name.npos) {
    const std::vector<std::string> near =
        near_names(name.substr(0, dot), {"label", "labels", "value", "values"});
    if (near.empty()) return {};
    const std::string_view home = near.front().starts_with('l') ? kLabelOf : kValueOf;
    const std::string_view of = name.substr(dot + 1);
    return near_names_text({fmt::format("%{{{}{}}}", home, of.empty() ? "NAME" : of)});
  }
  const auto* word = std::ranges::find(kNoteWords, name, &NoteWord::written);
  if (word == std::end(kNoteWords)) {
    std::vector<std::string> words;
    for (const NoteWord& one : kNoteWords) {
      if (one.written.size() > 1) words.emplace_back(one.written);
    }
    const std::vector<std::string> near = near_names(name, words);
    if (near.empty()) return {};
    word = std::ranges::find(kNoteWords, near.front(), &NoteWord::written);
  }
  return near_names_text({std::string(word->meant)});
}

// {{ $value }}, {{ $labels.instance }}: a template of Prometheus.
std::optional<NoteMistake> of_prometheus(std::string_view text) {
  constexpr std::string_view kBlanks = " \t$.", kLabels = "labels.";
  const size_t open = text.find("{{"), close = text.find("}}", open + 2);
  if (open == text.npos || close == text.npos) return std::nullopt;
  std::string_view name = text.substr(open + 2, close - open - 2);
  name.remove_prefix(std::min(name.find_first_not_of(kBlanks), name.size()));
  name = name.substr(0, name.find_first_of(" \t|"));
  const bool is_label = name.starts_with(kLabels) || name.starts_with("Labels.");
  if (is_label) name.remove_prefix(kLabels.size());
  std::string meant = note_word_meant(name);
  if (is_label && meant.empty()) {
    meant = near_names_text({fmt::format("%{{label.{}}}", name)});
  }
  return NoteMistake{
      .message = fmt::format("{} is a template of Prometheus", text.substr(open, close + 2 - open)),
      .written = std::string(text.substr(open, close + 2 - open)),
      .meant = std::move(meant),
      .help = std::string(kThere)};
}

// `:1`, if it is there; none: what stands behind the colon is no number of digits.
std::optional<std::pair<std::string_view, std::optional<int>>> without_digits(
    std::string_view name) {
  const size_t colon = name.find(':');
  if (colon == name.npos) return std::pair(name, std::optional<int>());
  if (name.size() != colon + 2 || !is_digit(name[colon + 1])) return std::nullopt;
  return std::pair(name.substr(0, colon), std::optional(name[colon + 1] - '0'));
}

// Each name in braces, with the mistake of one that has no end.
template <class Take>
bool each_in_braces(std::string_view text, Take take) {
  for (size_t at = text.find("%{"); at != text.npos; at = text.find("%{", at + 1)) {
    const size_t end = text.find('}', at);
    const size_t length = end == text.npos ? end : end - at - 2;
    if (!take(text.substr(at + 2, length), end != text.npos)) return false;
  }
  return true;
}

}  // namespace

bool is_note_label(std::string_view name) {
  return !name.empty() && !is_digit(name.front()) &&
         std::ranges::all_of(name, [](char c) { return is_letter(c) || is_digit(c) || c == '_'; });
}

std::optional<NoteName> note_name(std::string_view in_braces) {
  const auto* plain = std::ranges::find(kPlainNames, in_braces, &PlainName::text);
  if (plain != std::end(kPlainNames)) return NoteName{.kind = plain->kind};
  if (in_braces.starts_with(kLabelOf)) {
    in_braces.remove_prefix(kLabelOf.size());
    if (!is_note_label(in_braces)) return std::nullopt;
    return NoteName{.kind = NoteName::Kind::label, .name = in_braces};
  }
  const auto split = without_digits(in_braces);
  if (!split) return std::nullopt;
  const auto& [name, digits] = *split;
  if (name == "v" && digits) return NoteName{.kind = NoteName::Kind::value, .digits = digits};
  if (!name.starts_with(kValueOf) || name.size() == kValueOf.size()) return std::nullopt;
  return NoteName{
      .kind = NoteName::Kind::macro, .name = name.substr(kValueOf.size()), .digits = digits};
}

std::optional<NoteMistake> note_mistake(std::string_view text, NoteHome home) {
  std::optional<NoteMistake> out = of_prometheus(text);
  if (out) return out;
  const bool in_file = home == NoteHome::rule_file;
  const std::string there = fmt::format("{}{}", kThere, in_file ? " %{value.NAME}" : "");
  each_in_braces(text, [&](std::string_view name, bool is_closed) {
    const auto known = is_closed ? note_name(name) : std::nullopt;
    const bool is_macro = known && known->kind == NoteName::Kind::macro;
    if (known && (in_file || !is_macro)) return true;
    if (!is_closed) {
      out = NoteMistake{.message = fmt::format("%{{{} has no closing }}", name), .help = there};
      out->written = fmt::format("%{{{}", name);
      return false;
    }
    if (is_macro) {
      out = NoteMistake{.message = fmt::format("%{{{}}} is for notes in rule files", name),
                        .help = fmt::format("write it after `note` in the rule; {}", there)};
    } else {
      out = NoteMistake{.message = fmt::format("there is no %{{{}}} in a note", name),
                        .meant = note_word_meant(name),
                        .help = there};
    }
    out->written = fmt::format("%{{{}}}", name);
    return false;
  });
  return out;
}

std::vector<std::string> macros_in_note(std::string_view text) {
  std::vector<std::string> out;
  each_in_braces(text, [&](std::string_view name, bool) {
    const auto known = note_name(name);
    if (known && known->kind == NoteName::Kind::macro) out.emplace_back(known->name);
    return true;
  });
  return out;
}

}  // namespace pmjit::strict
