// pmjit describe < TEMPLATE: puts the tables of options into man pages and completion, so that
// they are written down once. Not among the verbs of --help: the build runs it.
//
//   .\"@options eval        the options of a verb, as a man page has them; those of none
//   .\"@codes               the pages of all codes, as a man page has them
//   #@words                 a line a word: verb, option, what follows it
//
// All other lines stay as they are.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <iostream>
#include <ranges>

#include "rules/cmd/common.h"
#include "rules/cmd/verbs.h"
#include "rules/code_pages/code_pages.h"

namespace pmjit {

namespace {

// Text of a page; what stands between backquotes is bold.
std::string roff(std::string_view text) {
  std::string out;
  bool bold = false;
  for (const char c : text) {
    switch (c) {
      case '\\': out += "\\e"; break;
      case '-': out += "\\-"; break;
      case '\'': out += "\\(aq"; break;
      case '`': out += (bold = !bold) ? "\\fB" : "\\fR"; break;
      case '\n': out += "\n.br\n"; break;
      default: out += c;
    }
  }
  return out;
}

// Of help's line: "show the version" is "Show the version."
std::string sentence(std::string text) {
  text.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(text.front())));
  return text + ".";
}

std::string roff_of(const CommandOption& option) {
  std::string out = ".TP\n";
  for (const std::string& name : dashed_names(option)) {
    if (!out.ends_with('\n')) out += ", ";
    out += fmt::format("\\fB{}\\fR", roff(name));
  }
  if (takes_value(option)) out += fmt::format(" \\fI{}\\fR", option.value);
  out += fmt::format("\n{}\n", roff(sentence(description_of(option))));
  if (!option.more.empty()) out += roff(option.more) + "\n";
  if (!option.excludes.empty()) {
    out += roff(fmt::format("Not with {}.\n", fmt::join(option.excludes, ", ")));
  }
  if (!lists_choices(option)) return out;
  for (const OptionChoice& choice : option.choices) {
    out += fmt::format(".br\n\\fB{}\\fR: {}\n", roff(choice.name), roff(choice.what));
  }
  return out;
}

// Most used first.
std::string page_options(const Command& verb) {
  std::string first, others;
  for (const CommandOption& option : shown_options(verb)) {
    if (!dashed_names(option).empty()) (option.daily ? first : others) += roff_of(option);
  }
  return first + others;
}

// What follows an option: `-` nothing, `=a,b` one of these, else the name of its kind.
std::string what_follows(const CommandOption& option) {
  if (!takes_value(option)) return "-";
  return option.choices.empty() ? option.value : "=" + choice_list(option);
}

// Verbs are named by the way to them: `explain-why`.
std::string words_of(const Command& verb, const std::string& path) {
  std::string out;
  for (const CommandOption& option : shown_options(verb)) {
    for (const std::string& name : dashed_names(option)) {
      out += fmt::format("{} {} {}\n", path, name, what_follows(option));
    }
    const std::string argument = argument_name(option);
    if (!argument.empty()) out += fmt::format("{} . {}\n", path, argument);
  }
  for (const Command* const below : shown_below(verb)) {
    out += fmt::format("{} {} verb\n", path, below->name);
    out += words_of(*below, path + "-" + below->name);
  }
  return out;
}

// `path`: ` explain why`; empty: the program itself.
const Command* find_verb(const Command& program, std::string_view path) {
  const Command* at = &program;
  for (const auto word : std::views::split(path, ' ')) {
    const std::string_view name(word.begin(), word.end());
    if (name.empty()) continue;
    const auto verbs = shown_below(*at);
    const auto found = std::ranges::find(verbs, name, &Command::name);
    if (found == verbs.end()) return nullptr;
    at = *found;
  }
  return at;
}

int describe(const Command& program) {
  constexpr std::string_view kOptions = ".\\\"@options";
  for (std::string line; std::getline(std::cin, line);) {
    if (line == "#@words") {
      fmt::print("{}", words_of(program, program.name));
    } else if (line == ".\\\"@codes") {
      fmt::print("{}", pages_for_man());
    } else if (line.starts_with(kOptions)) {
      const Command* const verb =
          find_verb(program, std::string_view(line).substr(kOptions.size()));
      if (verb == nullptr) return complain(line + ": there is no such verb"), kExitErrors;
      fmt::print("{}", page_options(*verb));
    } else {
      fmt::print("{}\n", line);
    }
  }
  return kExitOk;
}

}  // namespace

Command describe_command(const Command& program) {
  return {.name = "describe",
          .what = "what pages and completion have of the options",
          .run = [&program] { return describe(program); },
          .hidden = true};
}

}  // namespace pmjit
