// pmjit describe < TEMPLATE: what the man pages and the completion have of the command tree, so
// that its options are written down once. Not among the verbs of --help: the build runs it.
//
//   .\"@options eval        the options of a verb, as a man page has them; those of none
//   #@words                 a line a word: verb, option, what follows it
//
// All other lines stay as they are.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <iostream>
#include <ranges>

#include "rules/cmd/common.h"

namespace pmjit {

namespace {

// Not of the verbs that are hidden.
std::vector<const CLI::App*> verbs_of(const CLI::App& app) {
  return app.get_subcommands([](const CLI::App* verb) { return !verb->get_group().empty(); });
}

// `-o`, `--output`; none of what is a positional or hidden.
std::vector<std::string> names_of(const CLI::Option& option) {
  std::vector<std::string> out;
  if (option.get_group().empty()) return out;
  for (const std::string& name : option.get_snames()) out.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) out.push_back("--" + name);
  return out;
}

bool takes_word(const CLI::Option& option) { return option.get_expected_max() != 0; }

// `TEXT:{a,b}`: the part in braces, without them.
std::string choices_of(const CLI::Option& option) {
  const std::string type = option.get_type_name();
  const size_t open = type.find('{'), close = type.find('}');
  return close == type.npos || open > close ? "" : type.substr(open + 1, close - open - 1);
}

std::string type_of(const CLI::Option& option) {
  const std::string type = option.get_type_name();
  return type.substr(0, type.find(':'));
}

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

std::string roff_of(const CLI::Option& option) {
  std::string out = ".TP\n";
  for (const std::string& name : names_of(option)) {
    if (!out.ends_with('\n')) out += ", ";
    out += fmt::format("\\fB{}\\fR", roff(name));
  }
  if (takes_word(option)) out += fmt::format(" \\fI{}\\fR", type_of(option));
  out += fmt::format("\n{}", roff(option.get_description()));
  std::string choices = choices_of(option);
  const bool listed = choices.empty() || option.get_description().find('\n') != std::string::npos;
  for (size_t at = 0; (at = choices.find(',', at)) != choices.npos; at += 2) {
    choices.insert(at + 1, " ");
  }
  if (!listed) out += fmt::format("; one of {}", roff(choices));
  if (option.get_required()) out += "; required";
  if (!option.get_default_str().empty()) {
    out += fmt::format("\n{}(default: {})", listed && !choices.empty() ? ".br\n" : "",
                       roff(option.get_default_str()));
  }
  return out + "\n";
}

std::string options_of(const CLI::App& verb) {
  std::string out;
  for (const CLI::Option* option : verb.get_options()) {
    if (!names_of(*option).empty()) out += roff_of(*option);
  }
  return out;
}

// What follows an option: `-` nothing, `=a,b` one of these, else the name of its kind.
std::string what_follows(const CLI::Option& option) {
  if (!takes_word(option)) return "-";
  const std::string choices = choices_of(option);
  if (!choices.empty()) return "=" + choices;
  return type_of(option);
}

// Verbs are named by the way to them: `explain-why`.
std::string words_of(const CLI::App& app, const std::string& path) {
  std::string out;
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : names_of(*option)) {
      out += fmt::format("{} {} {}\n", path, name, what_follows(*option));
    }
    if (option->get_positional()) out += fmt::format("{} . {}\n", path, option->get_name(true));
  }
  for (const CLI::App* verb : verbs_of(app)) {
    out += fmt::format("{} {} verb\n", path, verb->get_name());
    out += words_of(*verb, path + "-" + verb->get_name());
  }
  return out;
}

// `path`: ` explain why`; empty: the program itself.
const CLI::App* find_verb(const CLI::App& app, std::string_view path) {
  const CLI::App* at = &app;
  for (const auto word : std::views::split(path, ' ')) {
    const std::string name(word.begin(), word.end());
    if (name.empty()) continue;
    const auto verbs = verbs_of(*at);
    const auto found = std::ranges::find(verbs, name, &CLI::App::get_name);
    if (found == verbs.end()) return nullptr;
    at = *found;
  }
  return at;
}

int describe(const CLI::App& app) {
  constexpr std::string_view kOptions = ".\\\"@options";
  for (std::string line; std::getline(std::cin, line);) {
    if (line == "#@words") {
      fmt::print("{}", words_of(app, app.get_name()));
    } else if (line.starts_with(kOptions)) {
      const CLI::App* const verb = find_verb(app, std::string_view(line).substr(kOptions.size()));
      if (verb == nullptr) return complain(line + ": there is no such verb"), kExitErrors;
      fmt::print("{}", options_of(*verb));
    } else {
      fmt::print("{}\n", line);
    }
  }
  return kExitOk;
}

}  // namespace

void add_describe(CLI::App& app, int& status) {
  CLI::App* verb = app.add_subcommand("describe", "what pages and completion have of the options");
  verb->group("");
  verb->callback([&app, &status] { status = describe(app); });
}

}  // namespace pmjit
