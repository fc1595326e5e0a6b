#include "rules/cmd/command.h"

#include <fmt/format.h>

#include <algorithm>
#include <ranges>

namespace pmjit {

namespace {

constexpr size_t kColumns = 80, kTextColumn = 30, kHang = 2;

size_t width_of(std::string_view text) {
  const auto begins = [](char c) { return (static_cast<uint8_t>(c) & 0xc0) != 0x80; };
  return static_cast<size_t>(std::ranges::count_if(text, begins));  // characters of UTF-8
}

// A line from column `column` on; where it is too long it goes on in column `further`.
void put_wrapped(std::string& out, std::string_view line, size_t column, size_t further) {
  bool first = true;
  for (const auto part : std::views::split(line, ' ')) {
    const std::string_view word(part.begin(), part.end());
    if (!first && column + 1 + width_of(word) > kColumns) {
      out += "\n" + std::string(further, ' ');
      column = further;
    } else if (!first) {
      out += ' ';
      ++column;
    }
    out += word;
    column += width_of(word);
    first = false;
  }
  out += '\n';
}

// `head` in the left column and `text`, of one line or several, in the right one. `hang`: how far
// what goes on of a line stands behind its beginning.
void put_row(std::string& out, const std::string& head, const std::string& text, size_t hang = 0) {
  out += "  " + head;
  size_t column = 2 + width_of(head);
  if (column >= kTextColumn) {
    out += '\n';
    column = 0;
  }
  for (const auto part : std::views::split(text, '\n')) {
    out += std::string(kTextColumn - column, ' ');
    put_wrapped(out, std::string_view(part.begin(), part.end()), kTextColumn, kTextColumn + hang);
    column = 0;
  }
}

bool has_list(const CommandOption& option) {
  return std::ranges::any_of(option.choices,
                             [](const OptionChoice& choice) { return !choice.what.empty(); });
}

// Those that exclude each other, whichever of them says so.
std::string excluded_by(const Command& verb, const CommandOption& option) {
  const std::vector<std::string> names = dashed_names(option);
  std::string out;
  for (const CommandOption& other : verb.options) {
    const std::vector<std::string> others = dashed_names(other);
    const bool meets =
        std::ranges::find_first_of(option.excludes, others) != option.excludes.end() ||
        std::ranges::find_first_of(other.excludes, names) != other.excludes.end();
    if (meets) out += " " + others.back();
  }
  return out;
}

// What stands behind the names of an option: ` TEXT:{a,b}=a ...`.
std::string value_text(const CommandOption& option) {
  if (!takes_value(option)) return "";
  std::string out = " " + option.value;
  if (!option.choices.empty()) out += ":{" + choice_list(option) + "}";
  if (option.range) out += fmt::format(" in [{} - {}]", option.range->least, option.range->most);
  if (const std::string value = default_of(option); !value.empty()) out += "=" + value;
  if (takes_many(option)) out += " ...";
  if (option.required) out += " REQUIRED";
  return out;
}

std::string usage(const Command& verb, const std::string& path) {
  std::string out = fmt::format("Usage: {} [OPTIONS]", path);
  for (const CommandOption& option : verb.options) {
    const std::string name = argument_name(option) + (takes_many(option) ? "..." : "");
    if (!argument_name(option).empty()) out += option.required ? " " + name : " [" + name + "]";
  }
  if (!verb.below.empty()) out += verb.run == nullptr ? " SUBCOMMAND" : " [SUBCOMMAND]";
  return out + "\n";
}

std::string arguments(const Command& verb) {
  std::string out;
  for (const CommandOption& option : verb.options) {
    const std::string name = argument_name(option);
    if (!name.empty()) put_row(out, name + value_text(option), description_of(option));
  }
  return out.empty() ? "" : "\nPositionals:\n" + out;
}

std::string options(const Command& verb) {
  std::string out = "\nOptions:\n";
  for (const CommandOption& option : shown_options(verb)) {
    const std::vector<std::string> names = dashed_names(option);
    if (names.empty()) continue;
    std::string text = description_of(option);
    if (const std::string others = excluded_by(verb, option); !others.empty()) {
      text += "\nExcludes:" + others;
    }
    put_row(out, fmt::format("{}{}", fmt::join(names, ","), value_text(option)), text,
            has_list(option) ? kHang : 0);
  }
  return out;
}

std::string verbs(const Command& verb) {
  std::string out;
  for (const Command* const below : shown_below(verb)) put_row(out, below->name, below->what);
  return out.empty() ? "" : "\nSubcommands:\n" + out;
}

// Examples, which begin with a blank, stay as they are.
std::string footer(const Command& verb) {
  if (verb.footer.empty()) return "";
  std::string out = "\n";
  for (const auto part : std::views::split(verb.footer, '\n')) {
    const std::string_view line(part.begin(), part.end());
    if (line.starts_with(' ')) {
      out += fmt::format("{}\n", line);
    } else {
      put_wrapped(out, line, 0, 0);
    }
  }
  return out;
}

}  // namespace

std::string help_text(const Command& verb, const std::string& path) {
  return verb.what + "\n" + usage(verb, path) + arguments(verb) + options(verb) + verbs(verb) +
         footer(verb);
}

}  // namespace pmjit
