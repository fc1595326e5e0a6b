#include "rules/cmd/rule_session.h"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <ctime>

#include "compiler/compat/pmie/mistakes/usual_mistakes.h"
#include "compiler/compat/pmie/unmatched.h"
#include "rules/cmd/common.h"
#include "rules/cmd/interrupt.h"
#include "rules/cmd/recorded_window.h"
#include "rules/cmd/rule_files.h"
#include "rules/cmd/strict_run.h"
#include "rules/cmd/text_file.h"
#include "rules/cmd/threads_option.h"
#include "rules/compat/fetched_elements.h"
#include "rules/compat/replay.h"
#include "rules/model/events.h"
#include "runtime/archive/recording/marks.h"
#include "runtime/base/near.h"
#include "runtime/text/interval.h"

namespace pmjit {

namespace {

// As it calls itself, where that is known and another name, and as it was named.
std::string host_title(const std::string& host, const std::string& connection) {
  return host == connection ? host : fmt::format("{} ({})", host, connection);
}

void note_host_change(const pmie::HostChange& change) {
  const bool known = change.what != pmie::HostChange::What::unreachable;
  note_host(known ? host_title(change.host, change.connection) : change.connection, change.why);
}

void note_metric_change(const pmie::MetricChange& change) {
  const std::string what =
      change.status == 0
          ? "is there again"
          : fmt::format("has no values until it is there again: {}", pm_error_text(change.status));
  complain(fmt::format("note: {}: metric {} {}", host_title(change.host, change.connection),
                       change.metric, what));
}

// The first one that is not before it.
Stamp stamp_of(double seconds) {
  return stamp_from_nanos(static_cast<Nanos>(std::ceil(seconds * 1e9)));
}

Result<pmie::RuleFileText> open_rule_file(const std::string& file) {
  if (file == "-") return pmie::find_rule_file("");
  const std::string path = pmie::rule_path(file);
  auto text = read_user_file(path, FileKind::rules);
  if (!text) return fail(text.error());
  return pmie::taken_rules({.name = path, .text = *std::move(text)});
}

}  // namespace

Result<std::unique_ptr<RuleSession>> RuleSession::open(const RuleSessionOptions& options,
                                                       const Clock& clock) {
  if (auto fine = check_definition_files(options.definition_files); !fine)
    return fail(fine.error());
  auto definitions = load_definitions(options.definition_files);
  if (!definitions) return fail(definitions.error());
  std::unique_ptr<RuleSession> out(new RuleSession(*std::move(definitions), clock));
  if (auto done = out->find_files(options); !done) return fail(done.error());
  if (auto done = out->open_sources(options); !done) return fail(done.error());
  if (auto done = out->find_window(options); !done) return fail(done.error());
  if (auto done = out->read_rules(options); !done) return fail(done.error());
  return out;
}

Result<void> RuleSession::find_files(const RuleSessionOptions& options) {
  size_t strict = 0;
  for (const std::string& file : options.files) {
    auto found = open_rule_file(file);
    if (!found) return fail(Error(Fault::not_found, without_end_of_line(found.error().text())));
    if (found->strict) ++strict;
    // To strict it is an error.
    if (const auto open = pmie::open_comment(found->text); open && !found->strict) {
      const auto line =
          1 + std::ranges::count(std::string_view(found->text).substr(0, *open), '\n');
      complain(
          fmt::format("warning: {}:{}: this comment has no */, so the rest of the file is "
                      "part of it",
                      found->name, line));
    }
    files_.push_back(*std::move(found));
  }
  if (strict == 0 || strict == files_.size()) return {};
  return fail(Error(Fault::usage, "some of the files are in the strict dialect, others in pmie's")
                  .help("run them one after the other"));
}

// To pmie each archive is another host; in strict those of one host follow one another.
Result<void> RuleSession::open_sources(const RuleSessionOptions& options) {
  threads_ = threads_of(options.threads);
  stats_ = options.stats;
  verbose_ = options.verbose;
  if (!options.hosts.empty()) return open_live(options);
  if (files_.front().strict) {
    auto hosts = open_hosts({.archives = options.archives}, ExtraUnits::known, options.warned);
    if (!hosts) return fail(hosts.error());
    hosts_ = std::move(hosts->hosts);
    has_all_archives_ = hosts->whole;
    for (const auto& host : hosts_) {
      connections_.push_back(hosts_.size() == 1
                                 ? fmt::format("{}", fmt::join(options.archives, ","))
                                 : host->archives()[0].name());
    }
  } else {
    sources_.watch();
    if (threads_ > 1) sources_.read_with(executor_.emplace(threads_));
    for (const std::string& names : options.archives) {
      auto left_out = sources_.add_readable(names);
      if (!left_out) return fail(left_out.error().error);
      has_all_archives_ = has_all_archives_ && left_out->empty();
      if (!options.warned) warn_of_left_out(*left_out, names, verbose_);
    }
    for (uint32_t i = 0; i < sources_.size() && !options.warned; ++i) warn(sources_.warnings(i));
  }
  note_apart(archives());
  const auto zone = options.zone.zone(archives().front()->label().timezone);
  if (!zone) return fail(zone.error());
  zone_ = *zone;
  return {};
}

std::vector<const Archives*> RuleSession::archives() const {
  std::vector<const Archives*> out;
  for (const auto& host : hosts_) out.push_back(&host->archives());
  for (uint32_t i = 0; i < sources_.size(); ++i) out.push_back(&sources_.archives(i));
  return out;
}

Result<void> RuleSession::open_live(const RuleSessionOptions& options) {
  catch_interrupts();
  auto live = LiveHosts::open(options.hosts, clock_);
  if (!live) return fail(live.error());
  live_ = *std::move(live);
  if (!files_.front().strict && live_->size() > 1) {
    return fail(Error(Fault::usage, fmt::format("rules of pmie have one default host, and -h "
                                                "names {}",
                                                live_->size()))
                    .help("name one with -h; rules of pmie name other hosts themselves, "
                          "kernel.all.load :web2. Rules with a first line "
                          "`// pmjit: dialect=strict` run over several"));
  }
  live_sources_ = std::make_unique<pmie::HostSources>(
      live_->client().network(), live_->client().settings(), definitions_.metrics(),
      pmie::HostSourcesOptions{
          .tell = note_host_change, .tell_metric = note_metric_change, .follow_metrics = true});
  live_sources_->add_default(live_->client(), live_->name());
  connections_ = live_->connections();
  const auto zone = options.zone.zone(live_->timezone());
  if (!zone) return fail(zone.error());
  zone_ = *zone;
  return {};
}

Result<void> RuleSession::find_window(const RuleSessionOptions& options) {
  if (live_) {
    const auto window = live_window({.start = if_given(options.start),
                                     .finish = if_given(options.finish),
                                     .align = if_given(options.align),
                                     .origin = if_given(options.origin),
                                     .strict = true},
                                    zone_, clock_);
    if (!window) return fail(window.error());
    origin_ = window->origin;
    end_ = window->end;
    return {};
  }
  first_ = kStampMax;
  last_ = kStampMin;
  for (const Archives* const of_host : archives()) {
    const auto end = of_host->end();
    if (!end) return fail(end.error());
    first_ = std::min(first_, of_host->start());
    last_ = std::max(last_, *end);
  }
  const auto window = recorded_window({.start = if_given(options.start),
                                       .finish = if_given(options.finish),
                                       .align = if_given(options.align),
                                       .origin = if_given(options.origin),
                                       .strict = true},
                                      recorded_between(first_, last_, clock_), zone_);
  if (!window) return fail(window_error(window.error(), archives()));
  origin_ = window->origin;
  end_ = window->end;
  return {};
}

Result<void> RuleSession::read_rules(const RuleSessionOptions& options) {
  auto settings = pmie::parse_settings(options.settings);
  if (!settings) return fail(settings.error().at("option", "--set"));
  pmie::ReaderOptions reading{.program = "pmjit", .settings = *std::move(settings)};
  if (!options.interval.empty()) {
    const auto delta = parse_interval_seconds(options.interval);
    if (!delta) return fail(delta.error().at("option", "-t"));
    reading.delta = *delta;
  }
  reader_ = std::make_unique<pmie::RuleReader>(sources(), *this, reading);
  reader_->watch(&left_out_);
  reads_ = true;
  for (const pmie::RuleFileText& file : files_) {
    if (!file.strict) {
      if (auto read = reader_->read(file.text, file.name); !read) {
        tell_mistakes(reading.settings, options.rule);
        return fail(read.error());
      }
      continue;
    }
    const auto added = strict::add_rules(
        strict_, {.name = file.name.empty() ? "<stdin>" : file.name, .text = file.text},
        {.delta = reading.delta, .settings = reading.settings});
    if (!added) return fail(added.error());
  }
  reads_ = false;
  tell_mistakes(reading.settings, options.rule);
  if (auto read = all_hosts_named(sources_); !read) return read;
  note_no_rules();
  warn(pmie::unmatched_warnings(program()));
  if (options.samples) end_after(*options.samples);
  if (strict_.errors.empty()) note_long_interval();
  note_unused_interval(options.interval);
  if (strict_.errors.empty()) return {};
  say(strict_.errors);
  return fail(Error(Fault::usage, "the rules have errors, so none of them runs"));
}

// An archive that no rule reads would be left out without a word.
Result<void> all_hosts_named(const pmie::ArchiveSources& sources) {
  const std::vector<std::string> unnamed = sources.unnamed_hosts();
  if (unnamed.empty()) return {};
  return fail(
      Error(Fault::usage, fmt::format("rules of pmie run over one host, here {}, and no rule names "
                                      "{}",
                                      sources.hosts().front(), first_few_text(unnamed)))
          .help(fmt::format("leave out its -a, or name it in a rule: kernel.all.load :{}; rules "
                            "with a first line `// pmjit: dialect=strict` run over all hosts",
                            unnamed.front())));
}

Nanos RuleSession::shortest_step() const {
  constexpr double kLongest = 1e9, kNanosInSecond = 1e9;
  double delta = kLongest;
  for (const pmie::PmieStatement& statement : program().statements) {
    delta = std::min(delta, statement.delta);
  }
  for (const strict::TaskRules& task : strict::tasks_of(strict_)) {
    delta = std::min(delta, task.delta);
  }
  return std::max<Nanos>(std::llround(delta * kNanosInSecond), 1);
}

// Of evaluations that are the shortest interval apart.
void RuleSession::end_after(uint64_t samples) {
  constexpr double kForever = 1e18;   // nanoseconds
  constexpr Nanos kRounding = 1'000;  // times of pmie are in microseconds
  const double length = static_cast<double>(samples - 1) * static_cast<double>(shortest_step());
  if (!(length < kForever)) return;
  end_ = std::min(end_, stamp_from_nanos(nanos(origin_) + std::llround(length) + kRounding));
}

Result<void> RuleSession::replay_pmie(EventWriter& writer, const std::function<bool()>& stop,
                                      const std::function<void(double)>& progress) {
  Replay replay(program(), sources_, zone_, origin_, writer,
                {.executor = executor_ ? &*executor_ : nullptr});
  return replay.run(start(), end(), [&] {
    if (progress && replay.due()) progress((*replay.due() - start()) / (end() - start()));
    return stop();
  });
}

Result<void> RuleSession::replay(EventWriter& writer, const std::function<bool()>& stop,
                                 const std::function<void(double)>& progress) {
  if (!is_strict() && live_) return replay_live(writer, stop);
  StrictRun strict = strict_run(end_);
  strict.progress = progress;
  strict.left_out = &strict_left_out_;
  auto done = is_strict() ? replay_strict(strict_, strict, writer, stop)
                          : replay_pmie(writer, stop, progress);
  if (!live_ && !stop()) {
    warn_of_times();
    if (done) done = whole_up_to_end();
  }
  return done;
}

void RuleSession::warn_of_times() const {
  for (const Archives* const of_host : archives()) {
    pmjit::warn_of_times({.from = origin_, .to = end_, .step = shortest_step()}, *of_host, zone_);
  }
}

Result<void> RuleSession::whole_up_to_end() const {
  for (const Archives* const of_host : archives()) {
    if (auto whole = whole_up_to(end_, *of_host); !whole) return whole;
  }
  for (const auto& host : hosts_) {
    if (auto described = described_up_to(end_, *host); !described) return described;
  }
  for (uint32_t i = 0; i < sources_.size(); ++i) {
    if (auto described = described_up_to(end_, sources_.recorded(i)); !described) return described;
  }
  return {};
}

double RuleSession::now() const {
  return static_cast<double>(clock_.wall().time_since_epoch().count()) / 1e9;
}

bool RuleSession::wait_for_hosts(Replay& replay, const std::function<bool()>& stop) {
  while (!stop()) {
    const auto until = replay.waits_until(now());
    if (!until) return true;
    live_->wait(stamp_of(*until));
  }
  return false;
}

void RuleSession::report_missed(uint64_t skipped) const {
  warn_of_skipped(skipped);
  for (uint32_t i = 0; i < live_sources_->size(); ++i) {
    warn_of_missed(host_title(live_sources_->hosts()[i], live_sources_->connections()[i]),
                   live_sources_->tally(i));
  }
}

std::vector<uint32_t> RuleSession::bind_waiting() {
  auto changed = reader_->bind_waiting();
  for (const std::string& rule : left_out_.take_joined(program())) {
    complain(fmt::format("note: {} runs: its metrics are there", rule));
  }
  return changed;
}

// As time goes by: each task is evaluated when it is due, with what hosts have answered by then.
Result<void> RuleSession::replay_live(EventWriter& writer, const std::function<bool()>& stop) {
  tell_left_out();
  Replay replay(program(), *live_sources_, zone_, origin_, writer,
                {.bind_waiting = [this] { return bind_waiting(); }});
  replay.begin(start());
  double last = start();
  uint64_t skipped = 0;
  for (;;) {
    if (!replay.due() || *replay.due() > end()) break;
    const double due = *replay.due();
    if (!live_->wait_until(stamp_of(due), stop)) break;
    const uint64_t missed = replay.skip_missed(now(), end());
    skipped += missed;
    if (missed > 0) continue;
    replay.ask(std::max(due, now()));
    if (!wait_for_hosts(replay, stop)) break;
    if (auto done = replay.tick(); !done) return done;
    last = due;
  }
  replay.end(last);
  skipped += replay.skip_missed(now(), end());
  report_missed(skipped);
  return {};
}

StrictRun RuleSession::strict_run(Stamp end) const {
  return {.live = live_.get(),
          .hosts = hosts_,
          .connections = connections_,
          .origin = origin_,
          .end = end,
          .zone = zone_,
          .definitions = definitions_.texts(),
          .threads = threads_,
          .clock = &clock_,
          .stats = stats_};
}

Result<std::string> RuleSession::why(const std::string& rule, Stamp at, bool tree) {
  return why_strict(strict_, rule, strict_run(at), tree);
}

Result<std::string> RuleSession::how(bool summary) {
  return how_strict(strict_, strict_run(end_), summary);
}

std::vector<std::vector<Gap>> RuleSession::interruptions() const {
  std::vector<std::vector<Gap>> out;
  for (const Archives* const of_host : archives()) out.push_back(pmjit::interruptions(*of_host));
  return out;
}

std::vector<double> RuleSession::ends() const {
  std::vector<double> out;
  for (const Archives* const of_host : archives()) {
    out.push_back(pmie::seconds_of(of_host->end().value_or(kStampMax)));
  }
  return out;
}

std::string_view RuleSession::text_of(std::string_view file) const {
  const auto found = std::ranges::find_if(files_, [&](const pmie::RuleFileText& of) {
    return of.name == file || (of.name.empty() && file == "<stdin>");
  });
  return found == files_.end() ? std::string_view() : found->text;
}

Result<Stamp> RuleSession::time(const std::string& text) {
  if (text.empty()) return end_;
  return recorded_time("--at", text, recorded_between(first_, last_, clock_), zone_);
}

double RuleSession::start() const { return pmie::seconds_of(origin_); }
double RuleSession::end() const { return pmie::seconds_of(end_); }

}  // namespace pmjit
