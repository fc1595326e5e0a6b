#include "rules/cmd/option_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "rules/cmd/time_values.h"
#include "runtime/base/chars.h"
#include "runtime/text/interval.h"

namespace pmjit {

namespace {

// None: no option of the verb is called so.
const CommandOption* find_option(const Command& verb, std::string_view name) {
  for (const CommandOption& option : verb.options) {
    if (std::ranges::count(dashed_names(option), name) != 0) return &option;
  }
  return nullptr;
}

// A verb, at any depth, that has the option; "": none.
std::string owner_of(const Command& verb, const std::string& path, std::string_view name) {
  for (const Command* const below : shown_below(verb)) {
    const std::string its = path + " " + below->name;
    if (find_option(*below, name) != nullptr) return its;
    if (std::string deeper = owner_of(*below, its, name); !deeper.empty()) return deeper;
  }
  return "";
}

std::vector<std::string> long_names(const Command& verb) {
  std::vector<std::string> out;
  for (const CommandOption& option : shown_options(verb)) {
    for (std::string& name : dashed_names(option)) {
      if (name.starts_with("--")) out.push_back(std::move(name));
    }
  }
  return out;
}

// An option of another program, and what to do in its place.
struct OtherOption {
  std::string_view verb, name, what;
};

constexpr std::string_view kNoOption = "metrics and expressions need no option",
                           kRescales = "write 'rescale(METRIC, \"Mbyte\")' in its place",
                           kNoActions = "pmjit run performs no action, so leave it out",
                           kAbout = "pmjit info ARCHIVE METRIC says what a metric is",
                           kValues = "pmjit eval -a ARCHIVE METRIC prints values",
                           kLabel = "info shows the label first",
                           kNoAgents = "pmjit has no agents of its own; -a ARCHIVE or -h HOST",
                           kRecorded = "without -t the times are those of the records",
                           kForeground = "pmjit stays in the foreground, so leave it out",
                           kConfiguration = "write the file alone: pmjit run pmjit.toml",
                           kAllAtOnce = "pmjit reads an archive as fast as it can, so leave it out";

constexpr OtherOption kOtherOptions[] = {
    {"eval", "-r", "did you mean --raw?"},
    {"eval", "-R", "did you mean --raw?"},
    {"eval", "-P", "did you mean --precision?"},
    {"eval", "-F", "write -o csv > FILE"},
    {"eval", "-l", "-o csv writes commas"},
    {"eval", "-e", kNoOption},
    {"eval", "--expr", kNoOption},
    {"eval", "--expression", kNoOption},
    {"eval", "--query", kNoOption},
    {"eval", "-m", kNoOption},
    {"eval", "--metric", kNoOption},
    {"eval", "--metrics", kNoOption},
    {"eval", "-b", kRescales},
    {"eval", "-y", kRescales},
    {"eval", "-d", kAllAtOnce},
    {"eval", "-U", kRecorded},
    {"eval", "-u", kRecorded},
    {"eval", "-w", "columns are as wide as their values, so leave it out"},
    {"eval", "-X", "-o columns and -o csv-wide have a column per instance"},
    {"eval", "-K", kNoAgents},
    {"eval", "-L", kNoAgents},
    {"run", "-C", "pmjit check FILE finds mistakes"},
    {"run", "-e", "rules stand in a file"},
    {"run", "-l", "write > FILE to keep what it prints"},
    {"run", "-f", kForeground},
    {"run", "-b", "pmjit writes each line at once, so leave it out"},
    {"run", "-d", "pmjit explain why RULE FILE -a ARCHIVE shows why a rule fires"},
    {"run", "-V", "pmjit explain why RULE FILE -a ARCHIVE shows values"},
    {"run", "-W", "pmjit explain why RULE FILE -a ARCHIVE shows values"},
    {"run", "-j", kNoActions},
    {"run", "--dry-run", kNoActions},
    {"run", "--config.file", kConfiguration},
    {"run", "--web.listen-address", "write listen = \"127.0.0.1:9090\" below [http] in pmjit.toml"},
    {"info", "-f", kValues},
    {"info", "-F", kValues},
    {"info", "-t", kAbout},
    {"info", "-T", kAbout},
    {"info", "-d", kAbout},
    {"info", "-L", kLabel},
    {"info", "-l", kLabel},
    {"info", "--label", kLabel},
    {"info", "-m", "did you mean -v?"},
    {"info", "--metrics", "did you mean -v?"},
    {"info", "--list", "did you mean -v?"},
    {"collect", "-i", "did you mean --address?"},
    {"collect", "-s", "did you mean --unix?"},
    {"collect", "-l", "did you mean --log?"},
    {"collect", "-f", kForeground},
    {"collect", "-c", "a file of agents is for the drop-in pmcd: pmcd -c FILE"}};

class WordReader {
 public:
  WordReader(const Command& program, const Command& verb, std::span<const std::string> words)
      : program_(program), verb_(verb), words_(words) {
    for (const CommandOption& row : verb.options) {
      if (!argument_name(row).empty()) arguments_.push_back(&row);
    }
  }

  GivenWords read() {
    bool only_arguments = false;
    while (out_.read < words_.size() && out_.below == nullptr) {
      const std::string& word = words_[out_.read++];
      if (only_arguments || word == "-" || !word.starts_with('-')) {
        argument(word, only_arguments);
      } else if (word == "--") {
        only_arguments = true;
      } else if (word.starts_with("--")) {
        long_option(word);
      } else {
        short_options(word);
      }
    }
    if (out_.below == nullptr) check_whole();
    return std::move(out_);
  }

 private:
  void refuse(std::string what, const std::string& word = "") {
    if (!out_.wrong) out_.wrong = WrongLine{.what = std::move(what), .word = word};
  }

  GivenOption& given(const CommandOption& row, const std::string& name) {
    const auto found = std::ranges::find(out_.options, &row, &GivenOption::row);
    if (found != out_.options.end()) return *found;
    return out_.options.emplace_back(GivenOption{.row = &row, .name = name});
  }

  void take(const CommandOption& row, const std::string& name, const std::string& value) {
    if (std::string wrong = wrong_value(row, name, value); !wrong.empty()) {
      return refuse(std::move(wrong), words_[out_.read - 1]);
    }
    GivenOption& option = given(row, name);
    if (!option.values.empty() && !takes_many(row)) {
      return refuse(fmt::format("{} is given twice: {} and {}", name, option.values.front(), value),
                    name);
    }
    option.values.push_back(value);
  }

  void argument(const std::string& word, bool only_arguments) {
    if (!only_arguments && argument_count_ == 0) {
      const auto below = std::ranges::find(verb_.below, word, &Command::name);
      if (below != verb_.below.end()) {
        out_.below = &*below;
        return;
      }
    }
    const size_t at = std::min(argument_count_++, arguments_.empty() ? 0 : arguments_.size() - 1);
    const bool fits = at < arguments_.size() &&
                      (argument_count_ <= arguments_.size() || takes_many(*arguments_[at]));
    if (!fits) {
      return refuse(fmt::format("{} is one argument too many{}", word, instead_of_word(word)),
                    word);
    }
    take(*arguments_[at], argument_name(*arguments_[at]), word);
  }

  // explain codes D02, collect FILE
  [[nodiscard]] std::string instead_of_word(const std::string& word) const {
    if (verb_.name == "codes" || verb_.name == "code") {
      return fmt::format("; did you mean explain {}?", word);
    }
    return verb_.name == "collect" ? "; a file of agents is for the drop-in pmcd: pmcd -c FILE"
                                   : "";
  }

  void long_option(const std::string& word) {
    const size_t equals = word.find('=');
    const std::string name = word.substr(0, equals);
    const CommandOption* const row = find_option(verb_, name);
    if (row == nullptr) {
      (void)meant_for_all(name, word);
      return;
    }
    if (!takes_value(*row)) {
      given(*row, name);
      if (equals != word.npos) refuse(fmt::format("{} takes no value", name), word);
    } else if (equals != word.npos) {
      take(*row, name, word.substr(equals + 1));
    } else {
      take_next(*row, name);
    }
  }

  // Options without a value may stand together; what stands behind one with a value is the value.
  void short_options(const std::string& word) {
    if (std::ranges::count(long_names(verb_), "-" + word) != 0) {
      return refuse(fmt::format("no option {}; did you mean -{}?", word, word), word);
    }
    for (size_t i = 1; i < word.size(); ++i) {
      const std::string name{'-', word[i]};
      const CommandOption* const row = find_option(verb_, name);
      if (row == nullptr) {
        if (meant_for_all(name, word)) continue;
        return;
      }
      if (!takes_value(*row)) {
        given(*row, name);
        continue;
      }
      if (const std::string value = word.substr(i + 1); value.size() > 1 && value.front() == '=') {
        return refuse(
            fmt::format("{0} takes its value without =; write {0} {1}", name, value.substr(1)),
            word);
      }
      return i + 1 < word.size() ? take(*row, name, word.substr(i + 1)) : take_next(*row, name);
    }
  }

  void take_next(const CommandOption& row, const std::string& name) {
    if (out_.read == words_.size()) {
      return refuse(fmt::format("{} needs a value: {} {}", name, name, row.value), name);
    }
    const std::string& value = words_[out_.read++];
    if (std::string wrong = two_words(row, name, value); !wrong.empty()) {
      return refuse(std::move(wrong), words_[out_.read]);
    }
    take(row, name, value);
  }

  // -t 10 min, -S 2 hours ago, -S 2026-11-26 22:58, -s 5 min: the shell parts them. "": it is one.
  [[nodiscard]] std::string two_words(const CommandOption& row, const std::string& name,
                                      const std::string& value) const {
    const bool is_interval = row.wrong == wrong_interval, is_time = row.wrong == wrong_time;
    const std::string next = word_at(out_.read);
    std::error_code unknown;
    if (row.value == "NAME=VALUE" && next.starts_with('=')) {
      const std::string number = next == "=" ? word_at(out_.read + 1) : next.substr(1);
      return fmt::format("{0} {1} {2} is several words; write {0} {1}={3}", name, value, next,
                         number.empty() ? "VALUE" : number);
    }
    if (next.empty() || next.starts_with('-') || std::filesystem::exists(next, unknown)) return "";
    if (is_time && is_date(value) && is_clock(next)) {
      return fmt::format("{0} {1} {2} is two words; write {0} \"{1} {2}\"", name, value, next);
    }
    const size_t digits = value.find_first_not_of("+-@0123456789.");
    const bool counts = row.range && row.value == "N";
    if (digits != value.npos || !is_unit(next) || !(is_interval || is_time || counts)) return "";
    if (counts) {
      const bool has_end = find_option(verb_, "-T") != nullptr;
      return fmt::format("{} takes a number of times, and {} {} is a length of time{}", name, value,
                         next, has_end ? fmt::format("; write -T {}{}", value, next) : "");
    }
    if (is_time && word_at(out_.read + 1) == "ago") {
      return fmt::format("{0} {1} {2} ago is three words; write {0} \"{1} {2} ago\"", name, value,
                         next);
    }
    return fmt::format("{0} {1} {2} is two words; write {0} {1}{2}", name, value, next);
  }
  [[nodiscard]] std::string word_at(size_t i) const {
    return i < words_.size() ? words_[i] : std::string();
  }
  static bool is_unit(const std::string& word) {
    return is_letter(word.front()) && parse_interval<NanoTime>("1" + word);
  }
  static bool is_date(std::string_view word) {
    return std::ranges::count(word, '-') + std::ranges::count(word, '/') == 2 &&
           word.find_first_not_of("@0123456789-/") == word.npos;
  }
  static bool is_clock(std::string_view word) {
    return word.contains(':') && is_digit(word.front()) && is_digit(word[word.find(':') - 1]);
  }

  // --help and --version, which are in no table. False: the option is not known.
  bool meant_for_all(const std::string& name, const std::string& word) {
    const auto is_one = [&](std::string_view names) {
      const CommandOption row{.names = std::string(names), .target = static_cast<bool*>(nullptr)};
      return std::ranges::count(dashed_names(row), name) != 0;
    };
    if (is_one(help_names(verb_)) || name == "-?") return out_.help = true;
    if (!verb_.version.empty() && is_one(kVersionNames)) return out_.version = true;
    refuse("no option " + name + instead_of(name), word);
    return false;
  }

  // What other programs call it; empty: the verb has no such option.
  std::string other_name(std::string_view name) const {
    // Of a word with several the verb has the first that it knows.
    constexpr std::pair<std::string_view, std::string_view> kOthers[] = {
        {"--format", "--output"},
        {"--since", "--start"},
        {"--from", "--start"},
        {"--begin", "--start"},
        {"--last", "--start"},
        {"--until", "--finish"},
        {"--to", "--finish"},
        {"--end", "--finish"},
        {"--stop", "--finish"},
        {"--time", "--at"},
        {"--when", "--at"},
        {"--at", "--start"},
        {"--time", "--start"},
        {"--when", "--start"},
        {"--date", "--start"},
        {"--step", "--interval"},
        {"--every", "--interval"},
        {"--delta", "--interval"},
        {"--period", "--interval"},
        {"--tz", "--timezone"},
        {"--file", "--archive"},
        {"--input", "--archive"},
        {"--log", "--archive"},
        {"--path", "--archive"},
        {"--server", "--host"},
        {"--count", "--samples"},
        {"--limit", "--samples"},
        {"--define", "--set"},
        {"--param", "--set"},
        {"--var", "--set"},
        {"--definitions", "--config"},
        {"--chart", "--plot"},
        {"--graph", "--plot"},
        {"--svg", "--plot"},
        {"--html", "--plot"},
        {"--digits", "--precision"},
        {"--write", "--in-place"},
        {"-w", "--in-place"},
        {"--name", "--only"},
        {"--filter", "--only"},
        {"-n", "-s"},
        {"-f", "-c"},
        {"--utc", "--timezone UTC"},
        {"--no-color", "--color never"},
        {"--nocolor", "--color never"}};
    for (const auto& [other, ours] : kOthers) {
      if (other != name) continue;
      const size_t blank = std::min(ours.find(' '), ours.size());
      const CommandOption* const row = find_option(verb_, ours.substr(0, blank));
      if (row == nullptr) continue;
      const bool fits = blank == ours.size() ||
                        wrong_value(*row, "", std::string(ours.substr(blank + 1))).empty();
      if (fits) return fmt::format("; did you mean {}?", ours);
    }
    if (std::string in = in_expression(name); !in.empty()) return in;
    return value_as_option(name);
  }

  // Options of PCP's tools and of promtool whose letters mean something else here, or nothing.
  std::string of_other_tools(std::string_view name) const {
    const auto* const of = std::ranges::find_if(
        kOtherOptions, [&](const auto& row) { return row.verb == verb_.name && row.name == name; });
    return of == std::end(kOtherOptions) ? "" : fmt::format("; {}", of->what);
  }

  // What an expression says, of a verb that takes some.
  std::string in_expression(std::string_view name) const {
    constexpr std::pair<std::string_view, std::string_view> kInExpression[] = {
        {"--agg", "'sum(METRIC)', or avg, min, max, count"},
        {"--aggregate", "'sum(METRIC)', or avg, min, max, count"},
        {"--group-by", "'sum(METRIC)' for all instances, 'sum_host(METRIC)' for all hosts"},
        {"--groupby", "'sum(METRIC)' for all instances, 'sum_host(METRIC)' for all hosts"},
        {"--unit", "'rescale(METRIC, \"Mbyte\")'"},
        {"--units", "'rescale(METRIC, \"Mbyte\")'"},
        {"--scale", "'rescale(METRIC, \"Mbyte\")'"},
        {"--where", "'METRIC > 5'"}};
    const bool takes = std::ranges::any_of(
        arguments_, [](const CommandOption* row) { return argument_name(*row) == "EXPR"; });
    const auto* const found = std::ranges::find(
        kInExpression, name, &std::pair<std::string_view, std::string_view>::first);
    return takes && found != std::end(kInExpression)
               ? fmt::format("; write {} in its place", found->second)
               : "";
  }

  // --json for -o json, --strict for --dialect strict
  std::string value_as_option(std::string_view name) const {
    if (!name.starts_with("--")) return "";
    for (const CommandOption& option : verb_.options) {
      const bool has = std::ranges::any_of(
          option.choices, [&](const auto& choice) { return choice.name == name.substr(2); });
      if (has && !dashed_names(option).empty()) {
        return fmt::format("; did you mean {} {}?", dashed_names(option).front(), name.substr(2));
      }
    }
    return "";
  }

  std::string instead_of(const std::string& name) const {
    for (std::string other : {of_other_tools(name), other_name(name)}) {
      if (!other.empty()) return other;
    }
    if (std::string near = name.starts_with("--") ? or_rather(name, long_names(verb_)) : "";
        !near.empty()) {
      return near;
    }
    if (verb_.name == "test" && (name == "-a" || name == "--archive" || name == "-h")) {
      return "; a test brings its own data, below `--- samples`";
    }
    const std::string owner = owner_of(program_, program_.name, name);
    if (&verb_ == &program_) {
      return fmt::format("; options stand behind the verb, as in {} {}",
                         owner.empty() ? "pmjit VERB" : owner, name);
    }
    return owner.empty() ? "" : fmt::format("; {} has it", owner);
  }

  // `explain why rules.pmie`: the rule is missing, and the file has its place.
  [[nodiscard]] std::string behind_file_in_its_place(std::string name) const {
    for (const GivenOption& other : out_.options) {
      const bool argument = !other.name.starts_with('-') && other.values.size() == 1;
      if (argument && other.values.front().ends_with(".pmie")) return argument_name(*other.row);
    }
    return name;
  }

  // pmie's -c has rules, ours definitions.
  [[nodiscard]] std::string rules_behind_option() const {
    for (const GivenOption& option : out_.options) {
      if (!option.name.starts_with('-')) continue;
      for (const std::string& value : option.values) {
        if (value.ends_with(".toml")) {
          return fmt::format("; {} is a configuration: write it without {}", value, option.name);
        }
        if (!value.ends_with(".pmie")) continue;
        return fmt::format("; {} holds rules: write it without {}", value, option.name);
      }
    }
    return {};
  }

  void check_whole() {
    for (const GivenOption& option : out_.options) {
      for (const GivenOption& other : out_.options) {
        const std::vector<std::string> names = dashed_names(*other.row);
        if (std::ranges::find_first_of(option.row->excludes, names) == option.row->excludes.end())
          continue;
        refuse(fmt::format("{} and {} do not go together{}", option.name, other.name,
                           option.row->value == "HOST" && other.row->value == "ARCHIVE"
                               ? "; -h asks a live host, and the archives of one host are "
                                 "-a FOLDER/NAME"
                               : ""));
      }
    }
    for (const CommandOption& row : verb_.options) {
      if (!row.required || std::ranges::count(out_.options, &row, &GivenOption::row) != 0) continue;
      const std::string name = behind_file_in_its_place(argument_name(row));
      std::string help = rules_behind_option();
      if (help.empty() && !verb_.examples.empty()) {
        help = "; for instance: " + verb_.examples.front();
      }
      refuse(fmt::format("no {} given{}", name.empty() ? row.value : name, help));
    }
  }

  const Command& program_;
  const Command& verb_;
  std::span<const std::string> words_;
  std::vector<const CommandOption*> arguments_;
  size_t argument_count_ = 0;
  GivenWords out_;
};

}  // namespace

GivenWords read_words(const Command& program, const Command& verb,
                      std::span<const std::string> words) {
  return WordReader(program, verb, words).read();
}

}  // namespace pmjit
