#include "rules/cmd/command.h"

#include <fmt/format.h>

#include <algorithm>
#include <ranges>

namespace pmjit {

namespace {

constexpr size_t kColumns = 80, kTextColumn = 30, kNameColumn = 12;

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

// `head` in the left column and `text` in the right one, which begins at `at`.
void put_row(std::string& out, const std::string& head, const std::string& text,
             size_t at = kTextColumn) {
  out += "  " + head;
  size_t column = 2 + width_of(head);
  if (column >= at) {
    out += '\n';
    column = 0;
  }
  out += std::string(at - column, ' ');
  put_wrapped(out, text, at, at);
}

std::string usage(const Command& verb, const std::string& path) {
  std::string out = fmt::format("Usage: {} [OPTION]...", path);
  for (const CommandOption& option : verb.options) {
    const std::string name = argument_name(option) + (takes_many(option) ? "..." : "");
    if (!argument_name(option).empty()) out += option.required ? " " + name : " [" + name + "]";
  }
  out += '\n';
  for (const CommandOption& option : verb.options) {
    const std::string name = argument_name(option);
    if (!name.empty()) put_row(out, name, description_of(option));
  }
  return out;
}

std::string options(const Command& verb, bool daily, std::string_view title) {
  std::string out;
  for (const CommandOption& option : shown_options(verb)) {
    const std::vector<std::string> names = dashed_names(option);
    if (names.empty() || option.daily != daily) continue;
    const std::string value = takes_value(option) ? " " + option.value : "";
    put_row(out, fmt::format("{}{}", fmt::join(names, ","), value), description_of(option));
  }
  return out.empty() ? "" : fmt::format("\n{}\n{}", title, out);
}

// Values that need a sentence.
std::string lists(const Command& verb) {
  std::string out;
  for (const CommandOption& option : verb.options) {
    if (option.hidden || !lists_choices(option)) continue;
    out += fmt::format("\n{} {} can be\n", dashed_names(option).front(), option.value);
    for (const OptionChoice& choice : option.choices) {
      put_row(out, choice.name, choice.what, kNameColumn);
    }
  }
  return out;
}

// Verbs by their groups, in the order in which groups come. Those below a verb need no group.
std::string verbs(const Command& verb) {
  std::string out, group;
  for (const Command* const below : shown_below(verb)) {
    const std::string own = below->group.empty() ? "Verbs below " + verb.name : below->group;
    if (own != group) {
      group = own;
      out += fmt::format("\n{}\n", group);
    }
    put_row(out, below->name, below->what, kNameColumn);
  }
  return out;
}

std::string examples(const Command& verb, size_t from, size_t to, std::string_view title) {
  std::string out;
  for (size_t i = from; i < std::min(to, verb.examples.size()); ++i) {
    out += fmt::format("  {}\n", verb.examples[i]);
  }
  return out.empty() ? "" : fmt::format("\n{}{}", title, out);
}

// Lines that begin with a blank stay as they are.
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

// Of the program itself: its verbs come first.
std::string program_help(const Command& program) {
  return fmt::format("{} - {}\n", program.name, program.what) + verbs(program) +
         examples(program, 0, program.examples.size(), "Examples\n") + footer(program);
}

}  // namespace

std::string help_text(const Command& verb, const std::string& path) {
  if (verb.run == nullptr) return program_help(verb);
  constexpr size_t kFirst = 2;
  std::string out;
  put_wrapped(out, fmt::format("{} - {}", path, verb.what), 0, 2);
  out += examples(verb, 0, kFirst, "");
  out += "\n" + usage(verb, path);
  out += options(verb, true, "Options that most people need");
  out += options(verb, false, "Other options");
  out += lists(verb) + verbs(verb);
  out += examples(verb, kFirst, verb.examples.size(), "More examples\n");
  return out + footer(verb);
}

}  // namespace pmjit
