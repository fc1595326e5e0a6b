#include "rules/cmd/command.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <charconv>
#include <cstdio>

#include "rules/cmd/common.h"

namespace pmjit {

namespace {

template <class Number>
std::optional<Number> number_of(const std::string& text) {
  Number out{};
  const char* const end = text.data() + text.size();
  const auto [rest, err] = std::from_chars(text.data(), end, out);
  return err == std::errc() && rest == end ? std::optional(out) : std::nullopt;
}

// Fills in the target from values that were found right.
struct Fill {
  const std::vector<std::string>& values;

  void operator()(bool* target) const { *target = values.back() == "true"; }
  void operator()(std::string* target) const { *target = values.front(); }
  void operator()(std::vector<std::string>* target) const { *target = values; }
  void operator()(uint32_t* target) const { *target = *number_of<uint32_t>(values.front()); }
  void operator()(std::optional<int>* target) const { *target = number_of<int>(values.front()); }
  void operator()(std::optional<uint64_t>* target) const {
    *target = number_of<uint64_t>(values.front());
  }
};

CLI::Validator within(const OptionRange& range) {
  return CLI::Validator(
      [range](std::string& text) {
        const auto number = number_of<uint64_t>(text);
        if (number && *number >= range.least && *number <= range.most) return std::string();
        return fmt::format("Value {} not in range {} to {}", text, range.least, range.most);
      },
      fmt::format("in [{} - {}]", range.least, range.most));
}

CLI::Validator one_of(const CommandOption& row) {
  std::vector<std::string> names;
  for (const OptionChoice& choice : row.choices) names.push_back(choice.name);
  return CLI::IsMember(names);
}

// Values are left with the parser until the whole line is right.
CLI::Option* declare(CLI::App& app, const CommandOption& row) {
  if (!takes_value(row)) return app.add_flag(row.names);
  CLI::Option* const out = app.add_option(row.names);
  out->type_name(row.value)->required(row.required);
  if (takes_many(row)) {
    // Behind its name one value, for arguments may follow.
    const bool argument = !argument_name(row).empty();
    out->expected(CLI::detail::expected_max_vector_size)->allow_extra_args(argument);
  }
  if (!row.choices.empty()) out->check(one_of(row));
  if (row.range) out->check(within(*row.range));
  if (row.wrong != nullptr) out->check(row.wrong);
  return out;
}

// A verb beside what the parser has of it.
class ParsedCommand {
 public:
  ParsedCommand(const Command& verb, CLI::App& app, std::string path)
      : verb_(verb), app_(app), path_(std::move(path)) {
    const std::string names = help_names(verb);
    app.set_help_flag(names.starts_with("-?") ? names : "-?," + names);
    for (const CommandOption& row : verb.options) options_.push_back(declare(app, row));
    for (size_t i = 0; i < options_.size(); ++i) {
      for (const std::string& other : verb.options[i].excludes) {
        options_[i]->excludes(app.get_option(other));
      }
    }
    if (verb.below.empty()) return;
    app.require_subcommand(verb.run == nullptr ? 1 : 0, 1);
    below_.reserve(verb.below.size());
    for (const Command& below : verb.below) {
      CLI::App& its = *app.add_subcommand(below.name, below.what);
      below_.emplace_back(below, its, path_ + " " + below.name);
    }
  }

  // The one that the line names: this, or one below it.
  [[nodiscard]] const ParsedCommand& named() const {
    for (const ParsedCommand& below : below_) {
      if (below.app_.parsed()) return below.named();
    }
    return *this;
  }

  [[nodiscard]] int run() const {
    for (size_t i = 0; i < options_.size(); ++i) {
      if (options_[i]->count() == 0) continue;
      const CommandOption& row = verb_.options[i];
      std::visit(Fill{options_[i]->reduced_results()}, row.target);
      if (row.given != nullptr) *row.given = true;
    }
    return verb_.run();
  }

  [[nodiscard]] std::string help() const { return help_text(verb_, path_); }

 private:
  const Command& verb_;
  CLI::App& app_;
  std::string path_;
  std::vector<CLI::Option*> options_;  // as verb_.options
  std::vector<ParsedCommand> below_;
};

// An expression with a minus in front is taken for options.
void help_with_minus(int argc, const char* const* argv) {
  for (int i = 1; i < argc; ++i) {
    const std::string_view text = argv[i];
    const bool minus = text.starts_with("-") && !text.starts_with("--");
    if (!minus || text.find_first_of(".([ ") == text.npos) continue;
    say(fmt::format("  help: an expression goes into parentheses, '({})', or behind --\n", text));
  }
}

// A first word that is no verb would be refused as one verb too few.
bool names_no_verb(const Command& program, int argc, const char* const* argv) {
  if (argc < 2 || *argv[1] == '-') return false;
  return std::ranges::find(program.below, argv[1], &Command::name) == program.below.end();
}

std::string verb_list(const Command& program) {
  std::string out;
  for (const Command* const verb : shown_below(program)) {
    if (!out.empty()) out += ", ";
    out += verb->name;
  }
  return out;
}

int when_written(int status) {
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return status;
  complain("standard output: cannot write all of it");
  return kExitErrors;
}

}  // namespace

int run_command_line(const Command& program, int argc, const char* const* argv) {
  if (names_no_verb(program, argc, argv)) {
    complain(
        fmt::format("there is no verb {}\n  help: the verbs are {}", argv[1], verb_list(program)));
    return kExitErrors;
  }
  CLI::App app(program.what, program.name);
  app.set_version_flag("-V,--version", program.version);
  const ParsedCommand parsed(program, app, program.name);
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    fmt::print("{}", parsed.named().help());
    return kExitOk;
  } catch (const CLI::ParseError& error) {
    if (app.exit(error) == 0) return kExitOk;
    help_with_minus(argc, argv);
    return kExitErrors;
  }
  return when_written(parsed.named().run());
}

}  // namespace pmjit
