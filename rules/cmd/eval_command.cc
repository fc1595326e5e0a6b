// pmjit eval as a verb: its options, and command lines that are wrong as a whole.
#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "compiler/ast/words.h"
#include "rules/cmd/common.h"
#include "rules/cmd/eval_job.h"
#include "rules/cmd/missing_source.h"
#include "rules/cmd/sweep.h"
#include "rules/cmd/threads_option.h"
#include "rules/cmd/time_values.h"
#include "rules/cmd/verbs.h"
#include "runtime/base/blanks.h"
#include "runtime/base/file.h"
#include "runtime/report/text/values.h"

namespace pmjit {

namespace {

constexpr uint64_t kSamplesMax = 9'000'000'000'000'000;

// Which times.
CommandOptions window_options(EvalOptions& options) {
  return {
      {.names = "-t,--interval",
       .target = &options.interval,
       .value = "INTERVAL",
       .what = "a value every INTERVAL: 10s, 1min, 2h",
       .wrong = wrong_interval,
       .daily = true,
       .more = "pmjit interpolates between recorded values as pmval does, and counters exactly. "
               "Without `-t` it prints values at the times when they were recorded. Of a live host "
               "the default is one second."},
      {.names = "-S,--start",
       .target = &options.start,
       .value = "TIME",
       .what = "start: 10min, -1hour, @14:30, \"2 hours ago\"",
       .wrong = wrong_time,
       .daily = true,
       .more =
           "10min is ten minutes after the first record, and of a live host from now. -1hour is "
           "an hour before the last record. @14:30 is the first 14:30 from the archive's start on. "
           "2024-03-01T14:30:00Z and \"3/15/2024 14:00\" are times, too."},
      finish_option(options.finish),
      {.names = "-O,--origin",
       .target = &options.origin,
       .value = "TIME",
       .what = "first evaluation, written like the start",
       .wrong = wrong_time},
      {.names = "-A,--align",
       .target = &options.align,
       .value = "INTERVAL",
       .what = "with -t: begin at a multiple of INTERVAL, e.g. 1hour",
       .wrong = wrong_interval},
  };
}

// Which values, and how they are shown.
CommandOptions value_options(EvalOptions& options) {
  return {
      {.names = "--rate",
       .target = &options.rate,
       .what = "show counters as rates per second",
       .daily = true,
       .more = "pmjit puts rate() around every expression that is a counter."},
      {.names = "--raw",
       .target = &options.raw,
       .what = "with -o columns or -p: show counters as they are",
       .excludes = {"--rate"}},
      {.names = "-i,--instances",
       .target = &options.instances,
       .value = "NAMES",
       .what = "only these instances, e.g. sda,sdb",
       .daily = true,
       .more = "The first word of a name is enough, if no other instance begins with it."},
      zone_option(options.zone, "time zone of all times, e.g. Europe/Berlin"),
      host_zone_option(options.zone),
      {.names = "-s,--samples",
       .target = &options.samples,
       .value = "N",
       .what = "stop after N evaluations",
       .range = OptionRange{1, kSamplesMax}},
      {.names = "-f,--precision",
       .target = &options.digits,
       .value = "N",
       .what = "digits after the decimal point",
       .range = OptionRange{0, kDigitsMax}},
      {.names = "--sweep",
       .target = &options.sweep,
       .what = "try many thresholds at once: how long and how often is 'x > $t' true?",
       .more = "The arguments are an expression with parameters, and NAME=FROM..TO:STEP or "
               "NAME=V1,V2 for each of them."},
      {.names = "--reasons",
       .target = &options.reasons,
       .what = "say below the table why values are unknown",
       .more =
           "json always says so. Without the option one line reports results of which more than "
           "a tenth is unknown."},
      {.names = "--stats",
       .target = &options.stats,
       .what = "print to standard error how much was read and how fast"},
      threads_option(options.threads, "threads that read, evaluate and print"),
      {.names = "--block-rows",
       .target = &options.block_rows,
       .value = "N",
       .what = "records a block at most",
       .range = OptionRange{0, UINT32_MAX},
       .hidden = true},
  };
}

CommandOptions all_options(EvalOptions& options) {
  CommandOption archives = archive_option(options.common);
  archives.more += " Archives of several hosts stand side by side.";
  CommandOptions out = {
      {.names = "EXPR",
       .target = &options.expressions,
       .what = "metrics, names above metrics, or expressions",
       .more = "A name above metrics, such as disk.dev, stands for all of them. Without EXPR pmjit "
               "evaluates every definition of the `-c` files."},
      std::move(archives),
      host_option(options.hosts),
      report_option(options.report),
      {.names = "-o,--output",
       .target = &options.format,
       .value = "FORMAT",
       .what = "output format, see below",
       .choices = choices_of(formats()),
       .given = &options.format_given,
       .daily = true},
      plot_option(options.plot),
      plot_window_option(options.window),
  };
  out = joined(std::move(out), window_options(options));
  out = joined(std::move(out), value_options(options));
  CommandOptions compiler = compiler_options(options.common);
  compiler.front().daily = false;  // ten others are asked for more often
  return joined(std::move(out), std::move(compiler));
}

// What other programs take for everything.
std::string wrong_everything(const EvalOptions& options) {
  for (const std::string& text : options.expressions) {
    if (text == "." || text == "*") {
      return fmt::format("\"{}\" is not a metric; use all to mean every metric", text);
    }
    if (text.contains("->")) {
      return fmt::format(
          "\"{}\" is a rule, not an expression; write it into a file NAME.pmie, and "
          "pmjit run NAME.pmie -a ARCHIVE replays it",
          text);
    }
    if (const auto other = other_file_error(text)) {
      return std::string(other->what()) + (other->help().empty() ? "" : "; " + other->help());
    }
  }
  return "";
}

// -z Europe/Berlin, and a sweep that is turned.
// kernel.all.load + kernel.all.nprocs, whose words the shell parts.
std::string unquoted_expression(const EvalOptions& options) {
  constexpr std::string_view kSigns[] = {"+", "-", "*", "/", "==", "!=", "&&", "||", ">", "<"};
  const auto& words = options.expressions;
  const auto is_sign = [&](const std::string& word) {
    return std::ranges::find(kSigns, word) != std::end(kSigns);
  };
  const auto sign = std::ranges::find_if(words, is_sign);
  if (sign == words.begin() || sign == words.end()) return "";
  return fmt::format("an expression with blanks needs quotes; write '{}'", fmt::join(words, " "));
}

std::string wrong_first_word(const EvalOptions& options) {
  if (options.expressions.empty()) return "";
  const std::string& word = options.expressions.front();
  if (word.starts_with(':') && is_plain_name(word.substr(1))) {
    return fmt::format("{} is how pmrep names a report; write -p {}", word, word.substr(1));
  }
  if (options.zone.host && word.contains('/') && known_zone(word)) {
    return fmt::format("-z takes no value; write -Z {}", word);
  }
  // Of a zone that is mistyped -Z says which one is like it.
  const size_t slash = word.find('/');
  const auto is_area = [](std::string_view name) {
    return !name.empty() && name.front() >= 'A' && name.front() <= 'Z' && !name.contains('.');
  };
  if (options.zone.host && slash != word.npos && options.expressions.size() > 1 &&
      is_area(std::string_view(word).substr(0, slash)) &&
      is_area(std::string_view(word).substr(slash + 1))) {
    return fmt::format("-z takes no value, and {} is not a metric; -Z takes a zone", word);
  }
  const std::string_view text = without_blanks(word);
  if (options.sweep && !text.empty() && std::string_view("<>=").contains(text.back())) {
    return fmt::format("the shell took a $NAME away; write '{} $t', in single quotes", text);
  }
  if (options.sweep && options.expressions.size() > 1) {
    const size_t sign = word.find('=');
    if (sign != word.npos && sign > 0 && is_plain_name(word.substr(0, sign)) &&
        !std::string_view(word).substr(sign).starts_with("==")) {
      return fmt::format("the expression comes before its values; write --sweep '{}' {}",
                         options.expressions[1], word);
    }
  }
  return "";
}

// --window is about a chart that goes on.
std::string wrong_window(const EvalOptions& options) {
  if (options.window.empty() || (!options.plot.empty() && !options.hosts.empty())) return "";
  return "--window is the time that a live chart shows; it needs -h HOST and --plot FILE";
}

std::string wrong_report(const EvalOptions& options) {
  if (options.report.empty()) {
    return options.format == "report" ? "-o report needs the name of one: -p vmstat" : "";
  }
  if (options.expressions.empty()) return "";
  return fmt::format("-p has expressions of its own; leave out {}", options.expressions.front());
}

}  // namespace

Command eval_command(const Clock& clock) {
  auto options = std::make_shared<EvalOptions>();
  return {
      .name = "eval",
      .what = "values of metrics and expressions as table, CSV, JSON or chart",
      .options = all_options(*options),
      .footer =
          "With -h pmjit prints values of a live host from now on, until ^C. `man pmjit` lists the "
          "operators and functions of expressions.\n"
          "Exit status: 0 all well, 2 error. A definition with an error is left out, and the "
          "status "
          "is 2.",
      .run =
          [options, &clock] {
            if (!options->format_given && !options->report.empty()) options->format = "report";
            if (!options->format_given && !options->plot.empty()) options->format = "none";
            return evaluate(*options, clock);
          },
      .examples = {"pmjit eval -a web1 -t 1min --rate disk.dev.write",
                   "pmjit eval -a web1 -o csv 'sum(rate(disk.dev.read)) > 100'",
                   "pmjit eval -a web1 -S 10sec -T 1min --rate --plot disk.html disk.dev",
                   "pmjit eval -a web1 -a web2 'sum_host(mem.util.free)'",
                   "pmjit eval -a web1 --sweep 'rate(disk.dev.read) > $t' t=0..100:1",
                   "pmjit eval -a web1 -p vmstat -t 1min",
                   "pmjit eval -h localhost -t 5s -o csv 'rate(disk.all.read)'",
                   "pmjit eval -h localhost --rate --plot live.html kernel.all"},
      .group = "Look at data",
      .also = {"query", "get", "print", "values", "export", "plot", "val", "rep", "vals", "graph",
               "chart"},
      .wrong = [options]() -> std::string {
        for (const std::string& wrong :
             {unquoted_expression(*options), wrong_everything(*options), wrong_first_word(*options),
              wrong_report(*options), wrong_window(*options)}) {
          if (!wrong.empty()) return wrong;
        }
        const bool given = !options->common.archives.empty() || !options->hosts.empty();
        return given ? archive_as_expression(options->expressions)
                     : missing_source(options->expressions, true);
      },
  };
}

}  // namespace pmjit
