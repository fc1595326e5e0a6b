// A command line: which verb it names, its words against the verb's table, and what is said where
// they do not fit.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <ranges>

#include "rules/cmd/colors.h"
#include "rules/cmd/common.h"
#include "rules/cmd/missing_source.h"
#include "rules/cmd/option_words.h"

namespace pmjit {

namespace {

// Verbs by the words that people try for them, too: what is meant by `list` is `info`.
std::string nearest_verbs(const Command& program, const std::string& typed) {
  constexpr std::string_view kCharts[] = {"plot", "graph", "chart", "draw"};
  if (std::ranges::find(kCharts, typed) != std::end(kCharts)) {
    return "; did you mean eval --plot chart.svg?";
  }
  if (typed == "daemon" || typed == "alertmanager") return "; did you mean run pmjit.toml?";
  constexpr std::string_view kReports[] = {"vmstat", "iostat", "sar", "mpstat", "top", "free"};
  if (std::ranges::find(kReports, typed) != std::end(kReports)) {
    return "; reports are eval -p vmstat -a ARCHIVE, and `pmjit explain reports` lists all";
  }
  if (typed == "version") return fmt::format("; did you mean --{}?", typed);
  std::vector<std::string> names;
  for (const Command* const verb : shown_below(program)) {
    if (std::ranges::count(verb->also, typed) != 0) return "; did you mean " + verb->name + "?";
    if (std::ranges::count(verb->below, typed, &Command::name) != 0) {
      return fmt::format("; did you mean {} {}?", verb->name, typed);
    }
    names.push_back(verb->name);
  }
  const std::string near = or_rather(typed, names);
  return near.empty() ? fmt::format("; the verbs are {}", fmt::join(names, ", ")) : near;
}

// An expression with a minus in front is taken for options.
std::string minus_help(const std::string& word) {
  const bool minus = word.starts_with("-") && !word.starts_with("--");
  if (!minus || word.find_first_of(".([ ") == word.npos) return "";
  return fmt::format("\n  help: put the expression into parentheses, '({})', or after --", word);
}

int refuse_line(const std::string& path, const WrongLine& wrong) {
  std::string help = minus_help(wrong.word);
  if (help.empty() && wrong.what.find(';') == wrong.what.npos) {
    help = fmt::format("\n  help: {} --help lists what it takes", path);
  }
  say(fmt::format("{}: {}{}\n", path, wrong.what, help));
  return kExitErrors;
}

int print_help(const Command& verb, const std::string& path) {
  fmt::print("{}", help_text(verb, path));
  return kExitOk;
}

int when_written(int status) {
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return status;
  return output_failed("standard output: cannot write all of it");
}

// What is wrong with archives that are named by an option, or nothing.
std::string wrong_archives(const Command& verb,
                           std::string (*wrong_of)(std::vector<std::string>& names)) {
  for (const CommandOption& option : verb.options) {
    auto* const* const names = std::get_if<std::vector<std::string>*>(&option.target);
    if (names == nullptr || option.value != "ARCHIVE") continue;
    std::string wrong = wrong_of(**names);
    // An argument may also be a metric.
    if (!wrong.empty() && option.names.starts_with('-')) return wrong;
  }
  return {};
}

bool takes_hosts(const Command& verb) {
  return std::ranges::any_of(verb.options, [](const CommandOption& option) {
    return option.value == "HOST" && !option.hidden;
  });
}

// Options that stand before a verb below are the verb's.
int run_words(const Command& program, const Command& verb, const std::string& path,
              const std::vector<std::string>& words) {
  const GivenWords given = read_words(program, verb, words);
  if (given.below != nullptr) {
    std::vector<std::string> its(words);
    its.erase(its.begin() + static_cast<ptrdiff_t>(given.read) - 1);
    return run_words(program, *given.below, path + " " + given.below->name, its);
  }
  for (const GivenOption& option : given.options) {
    if (option.name == kColorName && !option.values.empty()) set_colors(option.values.front());
  }
  if (given.help) return print_help(verb, path);
  if (given.version) return fmt::print("{}\n", verb.version), kExitOk;
  if (given.wrong) return refuse_line(path, *given.wrong);
  if (verb.run == nullptr) return print_help(verb, path);
  for (const GivenOption& option : given.options) fill_in(option);
  std::string wrong = wrong_archives(verb, expand_archive_patterns);
  if (wrong.empty() && verb.wrong) wrong = verb.wrong();
  if (wrong.empty() && takes_hosts(verb)) {
    wrong = wrong_archives(verb, [](auto& names) { return host_as_archive(names); });
  }
  if (!wrong.empty()) return refuse_line(path, {.what = wrong});
  return verb.run();
}

}  // namespace

int run_command_line(const Command& program, int argc, const char* const* argv) {
  set_colors("auto");
  std::vector<std::string> words(argv + std::min(argc, 1), argv + argc);
  if (!words.empty() && words.front() == "help") {
    words.erase(words.begin());
    words.emplace_back("--help");
  }
  const bool names_verb = !words.empty() && !words.front().starts_with('-');
  if (names_verb && std::ranges::count(program.below, words.front(), &Command::name) == 0) {
    const std::string of_file = verb_of_file(words.front());
    complain(fmt::format("no verb \"{}\"{}", words.front(),
                         of_file.empty() ? nearest_verbs(program, words.front()) : "; " + of_file));
    return kExitErrors;
  }
  return when_written(run_words(program, program, program.name, words));
}

}  // namespace pmjit
