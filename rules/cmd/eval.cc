// pmjit eval EXPR…: expressions over archives, at the times when data were recorded, or with -t at
// those of a grid; and over a host, from now on.

#include <fmt/core.h>
#include <fmt/ranges.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <iterator>
#include <span>
#include <sstream>

#include "compiler/ast/words.h"
#include "rules/cmd/block_rows.h"
#include "rules/cmd/colors.h"
#include "rules/cmd/common.h"
#include "rules/cmd/compile_jobs.h"
#include "rules/cmd/eval_job.h"
#include "rules/cmd/interrupt.h"
#include "rules/cmd/missing_source.h"
#include "rules/cmd/output.h"
#include "rules/cmd/recorded_window.h"
#include "rules/cmd/sweep.h"
#include "rules/cmd/threads_option.h"
#include "rules/cmd/time_values.h"
#include "rules/cmd/verbs.h"
#include "runtime/base/file.h"
#include "runtime/base/near.h"
#include "runtime/exec/evaluation.h"
#include "runtime/exec/filter.h"
#include "runtime/report/progress.h"
#include "runtime/report/sweep/sweep.h"
#include "runtime/report/text/human_text.h"
#include "runtime/report/text/values.h"
#include "runtime/text/interval.h"

namespace pmjit {

namespace {

constexpr double kSilence = 2;  // seconds of a live run; then a format that waits says so
constexpr uint64_t kSamplesMax = 9'000'000'000'000'000;

// Names of -i, as the language's [name] takes them: the full name, or a first word that only one
// has.
std::vector<std::string> instance_names(const std::vector<std::string>& lists) {
  std::vector<std::string> out;
  for (const std::string& list : lists) {
    std::istringstream in(list);
    for (std::string name; std::getline(in, name, ',');) out.push_back(name);
  }
  return out;
}

// Of a report they are called as its columns.
std::vector<ResultInfo> infos_of(const Program& program, EvalJob& job) {
  std::vector<ResultInfo> out;
  for (const ProgramRoot& root : program.roots) {
    out.push_back(root.info);
    if (const HostsCatalog* const hosts = job.several()) {
      out.back().recorded_domain = hosts->recorded_domain(root.info.domain);
    }
  }
  if (job.report) {
    job.report->name_results(out);
    if (job.step() > 0) {
      job.report->layout.interval = human_duration(static_cast<double>(job.step()) / 1e9);
    }
  }
  return out;
}

// None: there is one.
std::vector<std::string> host_names(const EvalJob& job) {
  std::vector<std::string> out;
  if (!job.several_hosts()) return out;
  if (job.live) return job.live->names();
  for (const auto& source : job.archives) out.push_back(source->host());
  return out;
}

EvaluationOptions evaluation_options_of(const EvalJob& job, const Compilation& made) {
  const EvalOptions& options = job.options;
  const uint32_t asked = options.block_rows;
  const auto usual = [&] {
    return made.sweep ? sweep_block_rows(*made.sweep)
                      : result_rows(*made.program, *job.recorded, job.window.origin);
  };
  return {.from = job.window.origin,
          .to = job.window.end,
          .block_rows = asked != 0 || job.live ? asked : usual(),
          .step = job.step(),
          .reasons = job.reasons,
          .gaps = made.sweep.has_value(),
          .clock = options.stats ? &job.clock : nullptr};
}

// Lines of the terminal that shows the results; 0: no terminal does.
size_t terminal_height() {
  winsize size{};
  const bool has_size =
      ::isatty(STDOUT_FILENO) != 0 && ::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0;
  return has_size ? size.ws_row : 0;
}

std::unique_ptr<Writer> writer_of(const EvalJob& job, const Compilation& made, Sink& sink) {
  const EvalOptions& options = job.options;
  const WriterOptions look{.digits = options.digits,
                           .reasons = job.live ? options.reasons : job.reasons,
                           .height = terminal_height(),
                           .zone = *job.zone,
                           .paint = table_paint(),
                           .layout = job.report ? &job.report->layout : nullptr};
  return made.sweep ? find_sweep_format(options.format)->make(sink, look, *made.sweep)
                    : job.format.make(sink, look);
}

// Full names of -i; none: all.
Result<std::vector<std::string>> wanted_instances(const EvalJob& job,
                                                  const std::vector<ResultInfo>& infos) {
  if (job.options.instances.empty()) return std::vector<std::string>();
  // All points of a sweep have the same instances.
  const auto told_apart = std::span(infos).first(job.options.sweep ? 1 : infos.size());
  return resolve_instances(instance_names(job.options.instances), told_apart, job.catalog());
}

Evaluation evaluation_of(const EvalJob& job, const Compilation& made, Rosters& rosters,
                         const EvaluationOptions& how) {
  if (!job.live) return {made.program, *job.values, rosters, how};
  return {made.program, job.catalog(),
          [&job, &rosters](std::vector<WantedMetric> metrics) {
            const FeedTimes times{
                .origin = job.window.origin, .step = job.live_step, .end = job.window.end};
            return job.live->feeds().open(std::move(metrics), times, rosters);
          },
          rosters, how};
}

Result<void> whole_archives(const EvalJob& job) {
  for (const auto& source : job.archives) {
    if (auto whole = whole_up_to(job.window.end, source->archives()); !whole) return whole;
  }
  return {};
}

// A sweep's results are of all times together: there are none of some of them.
bool prints_nothing(const EvalJob& job) { return job.options.sweep && interrupted() != 0; }

std::string how_it_ends(const EvalJob& job, const Sink& sink) {
  if (prints_nothing(job)) return "nothing is printed of a sweep that has not come to its end";
  if (!sink.whole()) return "output closed early; its last row is incomplete";
  return "the output ends with a whole row, but before the archive does";
}

// The exit status; what went wrong is said. A chart is written of whole results only.
int finish(EvalJob& job, const Sink& sink, const Result<void>& done, const Result<void>& ended) {
  const std::string loss = job.plot->loss();
  if (!sink.status() && !sink.stopped()) {
    if (!loss.empty()) complain("the reader of the output has gone" + loss);
    end_if_reader_has_gone();
  }
  if (!done && !sink.stopped()) {
    complain(done.error().text() + "\n  the output ends before this place" + loss);
    return kExitErrors;
  }
  if (!ended && !sink.stopped()) return complain(ended.error().text() + loss), kExitErrors;
  // A host has no end: whoever interrupts has seen enough.
  if (interrupted() != 0 && !job.live) {
    complain("interrupted: " + how_it_ends(job, sink) + loss);
    return kExitSignal + interrupted();
  }
  const Instant begin = job.clock.now();
  const auto drawn = job.plot->write();
  if (!job.options.plot.empty()) job.times.draw_s = seconds_since(begin, job.clock);
  if (!drawn) return complain(drawn.error().text()), kExitErrors;
  return interrupted() != 0 ? kExitSignal + interrupted() : kExitOk;
}

// Why the first unknown values are unknown, which a second evaluation finds.
void explain_unknown(EvalJob& job, Output& output, const std::vector<std::string>& only) {
  job.reasons = true;
  const auto made = compile(job);
  if (!made || !made->ok()) return;
  const Recording& source = job.grids.empty() ? *job.recorded : *job.values;
  Rosters rosters;
  Evaluation again(made->program, source, rosters, evaluation_options_of(job, *made));
  std::optional<InstanceFilter> filter;
  if (!only.empty()) filter.emplace(only, again.names(), rosters);
  output.explain_unknown(again, rosters, filter ? &*filter : nullptr);
}

void find_reasons(EvalJob& job, Output& output, const std::vector<std::string>& only) {
  if (!output.shares().wants_reasons() || job.live) return;
  try {
    explain_unknown(job, output, only);
  } catch (const ReadingStopped&) {
    // Who interrupts now has all values.
  }
}

// -i leaves nothing of a result whose domain has none of the names: that is all that is said of it.
void tell_left_out(const Catalog& catalog, const std::vector<ResultInfo>& infos,
                   const std::vector<std::string>& only, UnknownShares& shares) {
  const auto names_of = [&](InDomId domain) { return catalog.names_ever(domain); };
  for (size_t k = 0; k < infos.size(); ++k) {
    const ResultInfo& info = infos[k];
    if (info.domain == kNullId || only.empty()) continue;
    std::vector<std::string> names = names_of(info.domain);
    for (const InDomId met : info.met) std::ranges::copy(names_of(met), std::back_inserter(names));
    if (names.empty() || std::ranges::find_first_of(names, only) != names.end()) continue;
    shares.leave_out(k);
    std::vector<std::string> shown;
    for (const auto& instance : catalog.instances(info.domain)) shown.push_back(instance.name);
    complain(fmt::format("note: {} has no instance {}; it has {}: nothing is shown of it",
                         name_with_host(info), fmt::join(only, " or "), first_names_text(shown)));
  }
}

// Of several archives one may end before the others: that is why its host says nothing then.
void explain_ends(const EvalJob& job, const std::vector<ResultInfo>& infos, UnknownShares& shares) {
  if (job.live || job.archives.size() < 2) return;
  const auto by_end = [](const auto& source) { return source->end(); };
  const auto [first, last] = std::ranges::minmax_element(job.archives, {}, by_end);
  for (size_t k = 0; k < infos.size(); ++k) {
    const std::string& host = infos[k].host;
    auto source = first;
    if (!host.empty()) {
      source = std::ranges::find(job.archives, host, [](const auto& of) { return of->host(); });
    }
    if (source == job.archives.end() || (*source)->end() == (*last)->end()) continue;
    shares.explain_down(
        k, fmt::format("the recording{} ends at {}", host.empty() ? " of " + (*source)->host() : "",
                       iso_local((*source)->end(), *job.zone)));
  }
}

// A host that is there, and has less time than it needs.
void explain_late(const EvalJob& job, const std::vector<ResultInfo>& infos, UnknownShares& shares) {
  if (!job.live) return;
  for (size_t k = 0; k < infos.size(); ++k) {
    for (const auto& member : job.live->fleet().members()) {
      const bool is_of = infos[k].host.empty() || infos[k].host == member->name;
      if (!is_of || !member->feeds.health().late()) continue;
      shares.explain_down(k,
                          fmt::format("{} did not answer before the next time was due: it hangs, "
                                      "or needs a longer interval (-t)",
                                      member->name));
    }
  }
}

// Results that are unknown so often that an output without them could be taken for the whole.
void report_unknown(EvalJob& job, Output& output, const std::vector<ResultInfo>& infos,
                    const std::vector<std::string>& only) {
  tell_left_out(job.catalog(), infos, only, output.shares());
  find_reasons(job, output, only);
  explain_ends(job, infos, output.shares());
  explain_late(job, infos, output.shares());
  const bool told = job.format.reasons == Format::Reasons::always || job.options.reasons;
  for (const std::string& line : output.shares().lines(infos)) {
    // At the first time nothing is there to compare with, or not yet.
    const bool follows = line.contains(": not yet logged") || line.contains(": first sample");
    if (job.one_time_is_told && follows) continue;
    complain("note: " + line + (told ? "" : "; -o json says which"));
  }
  for (const std::string& line : output.shares().empty_lines(infos)) {
    complain(
        fmt::format("note: {}, because an operand has no value at that time or before it", line));
  }
}

void report_no_rows(const EvalJob& job, const Program& program, const Output& output) {
  if (job.live || !job.grids.empty() || output.times() > 0) return;
  const std::string note = note_of_empty_window(job, program);
  if (!note.empty()) complain("note: " + note);
}

// Derived metrics of PCP's dialects, at the times of the records.
void hint_at_grid(const EvalJob& job, const Program& program) {
  if (job.live || !job.grids.empty() || job.several_hosts()) return;
  const std::string note = note_of_groups(program, *job.recorded);
  if (!note.empty()) complain("note: " + note);
}

// "x", "x and 3 more"
std::string first_of(const std::string& name, std::ptrdiff_t all) {
  return all == 1 ? name : fmt::format("{} and {} more", name, all - 1);
}

// A counter says little to people.
void hint_at_rates(const EvalJob& job, const std::vector<ResultInfo>& infos) {
  const EvalOptions& options = job.options;
  if (job.format.name != "table" || options.shows_rates() || options.raw) return;
  const auto is_counter = [](const ResultInfo& info) {
    return info.semantics == Semantics::counter;
  };
  const auto first = std::ranges::find_if(infos, is_counter);
  if (first == infos.end()) return;
  const auto count = std::ranges::count_if(infos, is_counter);
  complain(fmt::format("note: {} {}: add --rate for changes per second",
                       first_of(first->name, count), count == 1 ? "is a counter" : "are counters"));
}

// At the recorded times of several metrics a row repeats what was not recorded then.
void hint_at_repeats(const EvalJob& job, const std::vector<ResultInfo>& infos) {
  if (job.format.name != "table" || job.live || !job.grids.empty()) return;
  const auto repeats = [](const ResultInfo& info) { return info.semantics == Semantics::discrete; };
  const auto count = std::ranges::count_if(infos, repeats);
  if (count == 0 || count == std::ssize(infos)) return;
  complain(fmt::format(
      "note: {} {} recorded once, or when there is a change: the rows of the "
      "others repeat the last value",
      first_of(std::ranges::find_if(infos, repeats)->name, count), count == 1 ? "is" : "are"));
}

// When nothing was recorded, which does not show in the values of a grid.
std::optional<std::vector<TimeSpan>> pauses_of(const EvalJob& job) {
  if (job.grids.empty() || job.several_hosts()) return std::nullopt;
  return recorded_pauses(job.archives.front()->archives());
}

// What a chart says beside the values: whoever looks at it does not see standard error.
void tell_chart(EvalJob& job, Output& output, const std::vector<ResultInfo>& infos,
                const std::vector<std::string>& only) {
  if (!job.plot->wanted()) return;
  find_reasons(job, output, only);
  ChartFacts facts{.pauses = pauses_of(job)};
  for (size_t k = 0; k < infos.size(); ++k) facts.unknown.push_back(output.shares().lines_of(k));
  job.plot->set_facts(std::move(facts));
}

// Each time is waited for; what is to be told of it is told then.
void follow_hosts(EvalJob& job, Sink& sink, Output& output, Writer& writer,
                  Evaluation& evaluation) {
  const Instant began = job.clock.now();
  bool told = !job.format.at_end;
  output.follow(sink, [&, told, began](Stamp due) mutable {
    job.live->wait(due);
    if (!told && seconds_since(began, job.clock) > kSilence) {
      told = true;
      complain(
          fmt::format("note: -o {} prints at the end of the run, which an interrupt ends too; "
                      "-o csv prints each time as it comes",
                      job.format.name));
    }
    warn(writer.take_warnings());
    warn(evaluation.take_warnings());
  });
}

int write(EvalJob& job, const Compilation& made) {
  const EvalOptions& options = job.options;
  CompilesMeanwhile compiling(made, *job.executor);
  Rosters rosters;
  EvaluationOptions how = evaluation_options_of(job, made);
  how.before_block = [&] { compiling.before_block(); };
  Evaluation evaluation = evaluation_of(job, made, rosters, how);
  const std::vector<ResultInfo> infos = infos_of(*made.program, job);
  const auto only = wanted_instances(job, infos);
  if (!only) return complain(only.error().text()), kExitErrors;
  std::optional<InstanceFilter> filter;
  if (!only->empty()) filter.emplace(*only, evaluation.names(), rosters);
  Progress progress("evaluating", job.clock);
  Sink sink(STDOUT_FILENO);
  sink.before_writing([&] { progress.clear(); });  // standard output may be the same terminal
  sink.stop_when([] { return interrupted() != 0; }, job.clock);
  auto writer = writer_of(job, made, sink);
  const auto chart = job.plot->writer(infos, *job.zone);
  if (!chart) return complain(chart.error().text()), kExitErrors;
  const Schema schema{.infos = infos,
                      .host = job.host(),
                      .hosts = host_names(job),
                      .catalog = &evaluation.names(),
                      .rosters = &rosters,
                      .only = *only,
                      .live = job.live != nullptr};
  writer->begin(schema);
  if (*chart != nullptr) (*chart)->begin(schema);
  Output output(evaluation, rosters, *writer, *chart, filter ? &*filter : nullptr, infos, progress,
                options.samples, options.stats ? &job.clock : nullptr);
  output.count_empty(derived_by_pcp(*made.program, job.catalog()));
  if (job.live) follow_hosts(job, sink, output, *writer, evaluation);
  InlineExecutor one;
  auto done = job.alone ? output.run(one) : output.run(*job.executor);
  if (done && interrupted() == 0 && !job.grids.empty()) done = whole_archives(job);
  progress.clear();
  const Instant rows_done = job.clock.now();
  const auto ended = prints_nothing(job) ? sink.status() : writer->end();
  job.times.end_s = seconds_since(rows_done, job.clock);
  warn(writer->take_warnings());
  warn(evaluation.take_warnings());
  if (job.live) {
    warn_of_skipped(evaluation.stats().skipped);
    job.live->report_missed();
  }
  if (done && ended && (interrupted() == 0 || job.live)) tell_chart(job, output, infos, *only);
  const int status = finish(job, sink, done, ended);
  // A live run ends by an interrupt as well as it may.
  const bool whole = status == kExitOk || (job.live && status != kExitErrors);
  if (whole) report_no_rows(job, *made.program, output);
  if (whole && !options.sweep) {
    const auto notes = notes_of_patterns(*made.program, job.catalog());
    for (const PatternNote& note : notes) output.shares().leave_out(note.result);
    report_unknown(job, output, infos, *only);
    for (const PatternNote& note : notes) complain("note: " + note.text);
    hint_at_grid(job, *made.program);
    hint_at_rates(job, infos);
    hint_at_repeats(job, infos);
  }
  if (options.stats) {
    job.times.wall_s = seconds_since(job.times.begin, job.clock);
    print_stats(made, evaluation.stats(), output.stats(), output.shares().lanes(), writer->values(),
                job.times);
  }
  return status;
}

int evaluate(const EvalOptions& options, const Clock& clock) {
  const Instant begin = clock.now();
  warn_of_zone(options.zone);
  EvalJob job{.options = options, .clock = clock, .times = {.begin = begin}};
  if (auto opened = open(job); !opened) {
    if (interrupted() != 0) return stop_before_start();
    return complain_of_report(opened.error()), kExitErrors;
  }
  // Of archives there was nothing until now that would end half written.
  if (!job.live) {
    catch_interrupts();
    stop_reading_at_interrupts();
  }
  job.times.open_s = seconds_since(begin, job.clock);
  const auto made = compile(job);
  if (interrupted() != 0) return stop_before_start();
  if (!made) return complain(made.error().text()), kExitErrors;
  if (!report(*made)) return kExitErrors;
  const int status = write(job, *made);
  return status == kExitOk && !made->skipped.empty() ? kExitErrors : status;
}

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
    if (const auto other = other_file_error(text)) {
      return std::string(other->what()) + (other->help().empty() ? "" : "; " + other->help());
    }
  }
  return "";
}

// -z Europe/Berlin, and a sweep that is turned.
std::string wrong_first_word(const EvalOptions& options) {
  if (options.expressions.empty()) return "";
  const std::string& word = options.expressions.front();
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
          "With -h pmjit prints what a live host has from now on, until ^C. `man pmjit` lists the "
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
        for (const std::string& wrong : {wrong_everything(*options), wrong_first_word(*options),
                                         wrong_report(*options), wrong_window(*options)}) {
          if (!wrong.empty()) return wrong;
        }
        const bool given = !options->common.archives.empty() || !options->hosts.empty();
        return given ? "" : missing_source(options->expressions, true);
      },
  };
}

}  // namespace pmjit
