// A verb of the command line as data: its options in a table, and what runs. command_line.cc
// parses the table, help.cc prints it, and describe.cc puts it into the man pages and the
// completion.
//
//   Command fmt_command() {
//     auto options = std::make_shared<FmtOptions>();
//     return {.name = "fmt",
//             .what = "put definition files into one layout",
//             .options = {{.names = "FILE", .target = &options->files, .required = true},
//                         {.names = "--check", .target = &options->check, .what = "only name …"}},
//             .run = [options] { return format_files(*options); }};
//   }
//
// Targets belong to the options that `run` keeps alive. They change only once a whole command line
// is right, so until then they hold the defaults.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace pmjit {

// What an option fills in. Its type says what is typed behind the option: nothing (bool), a text,
// any number of texts, or a whole number.
using OptionTarget = std::variant<bool*, std::string*, std::vector<std::string>*, uint32_t*,
                                  std::optional<int>*, std::optional<uint64_t>*>;

struct OptionChoice {
  std::string name, what = {};  // `what`: its line in the help, if it has one
};
// All of a table whose rows have a name and say what they are, as formats do.
template <class Rows>
std::vector<OptionChoice> choices_of(const Rows& rows) {
  std::vector<OptionChoice> out;
  for (const auto& row : rows) out.push_back({std::string(row.name), std::string(row.what)});
  return out;
}

struct OptionRange {
  uint64_t least, most;
};

struct CommandOption {
  std::string names;  // "-o,--output"; without a dash an argument, which needs no name: "FILE"
  OptionTarget target;
  std::string value = "TEXT";  // what the help calls the value: ARCHIVE, TZ, N
  std::string what;
  std::vector<OptionChoice> choices = {};  // the only values; none: any
  std::optional<OptionRange> range = {};   // of numbers
  // What is wrong with it, or nothing: "is not an interval; use 10s, 1min, 2h".
  std::string (*wrong)(const std::string& value) = nullptr;
  std::vector<std::string> excludes = {};  // options that do not go with it
  bool required = false;
  bool hidden = false;    // from help, pages and completion
  bool* given = nullptr;  // becomes true where the command line has it
  bool daily = false;     // most people need it: first in the help, in one line
  std::string more = {};  // sentences about it, for the man page
};
using CommandOptions = std::vector<CommandOption>;

struct Command {
  std::string name, what;
  CommandOptions options = {};         // in the order of the help
  std::string footer = {};             // of the help: what is good to know
  std::function<int()> run = nullptr;  // the exit status; null: prints the help
  std::vector<Command> below = {};
  bool hidden = false;
  std::string version = {};                 // of the program, where --version prints it
  std::vector<std::string> examples = {};   // the first two are those that a new user needs
  std::string group = {};                   // of verbs, in the program's help: "Look at data"
  std::vector<std::string_view> also = {};  // words that people try for it: `list` for info
  // What is wrong with a command line whose options are right each, or nothing.
  std::function<std::string()> wrong = nullptr;
};
inline constexpr std::string_view kVersionNames = "-V,--version";

// `rows`, then `more`.
[[nodiscard]] CommandOptions joined(CommandOptions rows, CommandOptions more);

// With what every verb has: --help.
[[nodiscard]] CommandOptions shown_options(const Command& verb);
[[nodiscard]] std::vector<const Command*> shown_below(const Command& verb);
// Of an option those with a dash, as typed: "-o", "--output".
[[nodiscard]] std::vector<std::string> dashed_names(const CommandOption& option);
// "FILE"; empty: it has to be named.
[[nodiscard]] std::string argument_name(const CommandOption& option);
[[nodiscard]] bool takes_value(const CommandOption& option);
[[nodiscard]] bool takes_many(const CommandOption& option);
// Names of the choices, with commas.
[[nodiscard]] std::string choice_list(const CommandOption& option);
// What the target has; empty: nothing.
[[nodiscard]] std::string default_of(const CommandOption& option);
// `what` with the choices that have no line of their own, and what the target has.
[[nodiscard]] std::string description_of(const CommandOption& option);
// Do choices say what they are? They are listed then.
[[nodiscard]] bool lists_choices(const CommandOption& option);

// A command line against the tables of its verbs.

// Names of --help: -h is a host where a verb reads hosts, as in PCP's tools.
[[nodiscard]] std::string help_names(const Command& verb);
// Runs the verb that `argv` names, with its options filled in. No verb, `help`, --help and
// --version print and end. What is wrong with the command line is said. The exit status.
[[nodiscard]] int run_command_line(const Command& program, int argc, const char* const* argv);

// --help of a verb, for a terminal of 80 columns: what it is for, examples, the options that most
// people need, the others.

// `path`: how the verb is called, "pmjit explain why".
[[nodiscard]] std::string help_text(const Command& verb, const std::string& path);

}  // namespace pmjit
