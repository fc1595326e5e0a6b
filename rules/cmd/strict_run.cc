#include "rules/cmd/strict_run.h"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <ranges>

#include "rules/cmd/block_rows.h"
#include "rules/cmd/common.h"
#include "rules/cmd/expected_run.h"
#include "rules/cmd/live_hosts.h"
#include "rules/cmd/no_such_rule.h"
#include "rules/cmd/strict_live.h"
#include "rules/compat/fetched_elements.h"
#include "rules/strict/archive_feeds.h"
#include "rules/strict/fleet_replay.h"
#include "rules/strict/strict_replay.h"
#include "rules/why/why.h"
#include "runtime/model/hosts.h"
#include "runtime/sched/tbb_executor.h"

namespace pmjit {

namespace {

constexpr std::string_view kNoneRuns = "the rules have errors, so none of them runs";

// How rules are compiled and evaluated over the archives.
struct Opened {
  std::unique_ptr<Feeds> archives;  // null: of live hosts
  const Feeds* feeds = nullptr;
  std::unique_ptr<HostsRecording> several;  // hosts, to ask how much there is
  strict::TaskOptions options;
};

Opened open(const StrictRun& run) {
  if (run.live != nullptr) {
    Opened out{.archives = nullptr,
               .feeds = &run.live->feeds(),
               .several = nullptr,
               .options = {.origin = run.origin, .end = run.end, .zone = run.zone}};
    out.options.compile = compile_options({});
    out.options.definition_files = {run.definitions.begin(), run.definitions.end()};
    return out;
  }
  std::vector<const ArchivesSource*> hosts;
  std::vector<HostsRecording::Part> parts;
  for (const auto& host : run.hosts) {
    hosts.push_back(host.get());
    parts.push_back({.name = host->host(), .recording = host.get()});
  }
  Opened out{.archives = strict::feeds_of(hosts),
             .feeds = nullptr,
             .several = nullptr,
             .options = {.origin = run.origin, .end = run.end, .zone = run.zone}};
  out.feeds = out.archives.get();
  const Recording* recorded = hosts.front();
  if (out.feeds->hosts() != nullptr) {
    out.several = std::make_unique<HostsRecording>(std::move(parts), *out.feeds->hosts(),
                                                   HostsRecordingOptions{});
    recorded = out.several.get();
  }
  out.options.compile = compile_options({}, *recorded);
  out.options.definition_files = {run.definitions.begin(), run.definitions.end()};
  const Stamp from = run.origin, to = run.end;
  out.options.expect = [recorded, from, to](Nanos step) {
    return expected_work(*recorded, {.from = from, .to = to, .step = step});
  };
  out.options.block_rows = [recorded, from](const Program& program) {
    return rule_rows(program, *recorded, from);
  };
  return out;
}

// Of one host, of some (StrictReplay) or of many (FleetReplay). `waited`: after each wait.
template <class Replay>
Result<void> run_live(
    Replay& replay, LiveHosts& hosts, EventWriter& writer, const std::function<bool()>& stop,
    const std::function<void()>& waited = [] {}) {
  const auto wait = [&](Stamp wakes) {
    hosts.wait(wakes);
    waited();
  };
  const auto done = run_strict_live(replay, writer, {.stop = stop, .wait = wait, .put = complain});
  if (!done) return done;
  hosts.report_missed();
  return {};
}

Result<void> replay_fleet(const strict::RuleSet& rules, const StrictRun& run,
                          const strict::TaskOptions& options, EventWriter& writer,
                          const std::function<bool()>& stop) {
  const auto replay = strict::FleetReplay::open(rules, run.live->fleet(), options, *run.clock);
  if (!replay) {
    say(replay.error().what());
    return fail(Fault::usage, std::string(kNoneRuns));
  }
  for (const std::string& note : (*replay)->notes()) complain("note: " + note);
  auto done = run_live(**replay, *run.live, writer, stop);
  if (run.stats) {
    const Lateness& lateness = (*replay)->lateness();
    say(fmt::format("lateness   {}\nevaluated  {}; {} times were missed\n",
                    lateness.text(run.live->names()), lateness.times_text(), (*replay)->missed()));
  }
  return done;
}

void tell_lacking(const strict::RuleSet& rules, const strict::StrictReplay& replay,
                  const std::string& host) {
  std::vector<std::string> names;
  for (const auto& one : replay.lacking()) {
    say(one.text);
    names.push_back(one.rule);
  }
  if (names.empty()) return;
  complain(
      fmt::format("warning: {} of {} rules left out: {}\n  help: they run when their metrics "
                  "are there; pmjit info -h {} lists what there is",
                  names.size(), rules.rules.size(), fmt::join(names, ", "), host));
}

// Looks for metrics that were not there: when the host says that agents or names have changed, and
// now and then.
class LookingAgain {
 public:
  LookingAgain(strict::StrictReplay& replay, LiveHosts& hosts, const Clock& clock)
      : replay_(replay), hosts_(hosts), clock_(clock), epoch_(hosts.client().epoch()) {}

  void look_if_due() {
    constexpr std::chrono::seconds kPause(30);
    const uint64_t epoch = hosts_.client().epoch();
    if (epoch == epoch_ && clock_.now() < next_) return;
    epoch_ = epoch;
    next_ = clock_.now() + kPause;
    if (replay_.lacking().empty() || !hosts_.context().connect()) return;
    const auto joined =
        replay_.look_again(stamp_from_nanos(clock_.wall().time_since_epoch().count()));
    if (!joined) return say(joined.error().what());
    for (const std::string& rule : *joined) {
      complain(fmt::format("note: {} runs: its metrics are there", rule));
    }
  }

 private:
  strict::StrictReplay& replay_;
  LiveHosts& hosts_;
  const Clock& clock_;
  uint64_t epoch_;
  Instant next_ = clock_.now() + std::chrono::seconds(30);
};

Result<void> replay_live(const strict::RuleSet& rules, strict::StrictReplay& replay,
                         const StrictRun& run, EventWriter& writer,
                         const std::function<bool()>& stop) {
  tell_lacking(rules, replay, run.live->client().spec().text);
  LookingAgain looking(replay, *run.live, *run.clock);
  auto done = run_live(replay, *run.live, writer, stop, [&] { looking.look_if_due(); });
  if (run.left_out != nullptr) *run.left_out = replay.lacking().size();
  return done;
}

}  // namespace

Result<void> replay_strict(const strict::RuleSet& rules, const StrictRun& run, EventWriter& writer,
                           const std::function<bool()>& stop) {
  Opened opened = open(run);
  TbbExecutor executor(run.threads);
  opened.options.executor = &executor;
  if (run.live != nullptr && run.live->listed()) {
    return replay_fleet(rules, run, opened.options, writer, stop);
  }
  opened.options.leaves_out = run.live != nullptr;
  const auto replay =
      strict::StrictReplay::open(rules, *opened.feeds, opened.options, run.connections);
  if (!replay) {
    say(replay.error().what());
    return fail(Fault::usage, std::string(kNoneRuns));
  }
  for (const std::string& note : (*replay)->notes()) complain("note: " + note);
  if (run.live != nullptr) return replay_live(rules, **replay, run, writer, stop);
  const double all = seconds_between(run.end, run.origin);
  return (*replay)->run(writer, [&] {
    if (run.progress) run.progress(seconds_between((*replay)->now(), run.origin) / all);
    return stop();
  });
}

Result<std::string> why_strict(const strict::RuleSet& rules, const std::string& name,
                               const StrictRun& run, bool tree) {
  Zone zone = run.zone;
  const auto name_of = [](const strict::SetRule& of) -> const auto& { return of.rule.name; };
  const auto found = std::ranges::find(rules.rules, name, name_of);
  if (found == rules.rules.end()) return fail(no_such_rule(name, rules.rules, name_of));
  if (run.end < run.origin) {
    return fail(Error(Fault::usage, fmt::format("{} is not evaluated up to that time", name))
                    .help("the first evaluation is at " +
                          event_time_text(pmie::seconds_of(run.origin), zone)));
  }
  Opened opened = open(run);
  opened.options.compile.evaluator = EvaluatorChoice::interpreter;
  const auto index = static_cast<size_t>(found - rules.rules.begin());
  const auto why = strict::why_text(rules, index, *opened.feeds, opened.options, tree);
  if (!why) {
    if (why.error().pm_code() == pm_err::E_LOGREC) return fail(why.error());
    say(why.error().what());
    return fail(Fault::usage, std::string(kNoneRuns));
  }
  return why_head(name, why->verdict, pmie::seconds_of(why->when), zone) + why->text;
}

Result<std::string> how_strict(const strict::RuleSet& rules, const StrictRun& run, bool summary) {
  Opened opened = open(run);
  opened.options.compile.dumps = true;
  std::string out;
  for (const strict::TaskRules& of : strict::tasks_of(rules)) {
    const auto compiled = strict::Task::compile(rules, of, *opened.feeds, opened.options);
    if (!compiled) {
      say(compiled.error().what());
      return fail(Fault::usage, std::string(kNoneRuns));
    }
    std::vector<std::string_view> names;
    for (const strict::TaskRule& rule : of.rules) names.push_back(rules.rules[rule.rule].rule.name);
    const Compilation& made = (*compiled)->made;
    out += fmt::format("every {}: {}\n  {}\n", duration_text(of.delta), fmt::join(names, ", "),
                       made.evaluator);
    if (summary) continue;
    for (const auto& line : std::views::split(made.dumps.kernels, '\n')) {
      if (!line.empty()) out += fmt::format("    {}\n", std::string_view(line));
    }
  }
  return out;
}

}  // namespace pmjit
