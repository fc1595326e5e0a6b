#include "rules/cmd/command.h"

#include <fmt/format.h>

#include <algorithm>
#include <ranges>

namespace pmjit {

namespace {

std::vector<std::string> all_names(const CommandOption& option) {
  std::vector<std::string> out;
  for (const auto name : std::views::split(option.names, ','))
    out.emplace_back(name.begin(), name.end());
  return out;
}

}  // namespace

CommandOptions joined(CommandOptions rows, CommandOptions more) {
  rows.insert(rows.end(), std::make_move_iterator(more.begin()),
              std::make_move_iterator(more.end()));
  return rows;
}

std::string help_names(const Command& verb) {
  const bool hosts = std::ranges::any_of(verb.options, [](const CommandOption& option) {
    return std::ranges::count(dashed_names(option), "-h") != 0;
  });
  return hosts ? "-?,--help" : "-h,--help";
}

CommandOptions shown_options(const Command& verb) {
  CommandOptions out = {
      {.names = help_names(verb), .target = static_cast<bool*>(nullptr), .what = "show this help"}};
  if (!verb.version.empty()) {
    out.push_back({.names = std::string(kVersionNames),
                   .target = static_cast<bool*>(nullptr),
                   .what = "show the version"});
  }
  std::ranges::copy_if(verb.options, std::back_inserter(out), std::not_fn(&CommandOption::hidden));
  return out;
}

std::vector<const Command*> shown_below(const Command& verb) {
  std::vector<const Command*> out;
  for (const Command& below : verb.below) {
    if (!below.hidden) out.push_back(&below);
  }
  return out;
}

std::vector<std::string> dashed_names(const CommandOption& option) {
  std::vector<std::string> out = all_names(option);
  std::erase_if(out, [](const std::string& name) { return !name.starts_with('-'); });
  return out;
}

std::string argument_name(const CommandOption& option) {
  for (const std::string& name : all_names(option)) {
    if (!name.starts_with('-')) return name;
  }
  return "";
}

bool takes_value(const CommandOption& option) {
  return !std::holds_alternative<bool*>(option.target);
}

bool takes_many(const CommandOption& option) {
  return std::holds_alternative<std::vector<std::string>*>(option.target);
}

std::string choice_list(const CommandOption& option) {
  std::string out;
  for (const OptionChoice& choice : option.choices) {
    if (!out.empty()) out += ',';
    out += choice.name;
  }
  return out;
}

std::string default_of(const CommandOption& option) {
  const auto* const text = std::get_if<std::string*>(&option.target);
  return text == nullptr ? "" : **text;
}

bool lists_choices(const CommandOption& option) {
  return std::ranges::any_of(option.choices,
                             [](const OptionChoice& choice) { return !choice.what.empty(); });
}

std::string description_of(const CommandOption& option) {
  std::string out = option.what;
  if (!option.choices.empty() && !lists_choices(option)) {
    std::vector<std::string> names;
    for (const OptionChoice& choice : option.choices) names.push_back(choice.name);
    out += fmt::format(": {}", fmt::join(names, ", "));
  }
  if (const std::string value = default_of(option); !value.empty()) {
    out += fmt::format(" (default: {})", value);
  }
  return out;
}

}  // namespace pmjit
