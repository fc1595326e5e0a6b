#include "rules/cmd/strict_run.h"

#include <fmt/core.h>

#include <algorithm>

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

constexpr std::string_view kNoneRuns = "the rules have errors: none of them runs";

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
    return result_rows(program, *recorded, from);
  };
  return out;
}

// Of one host, of some (StrictReplay) or of many (FleetReplay).
template <class Replay>
Result<void> run_live(Replay& replay, LiveHosts& hosts, EventWriter& writer,
                      const std::function<bool()>& stop) {
  const auto done = run_strict_live(
      replay, writer,
      {.stop = stop, .wait = [&](Stamp wakes) { hosts.wait(wakes); }, .put = complain});
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

}  // namespace

Result<void> replay_strict(const strict::RuleSet& rules, const StrictRun& run, EventWriter& writer,
                           const std::function<bool()>& stop) {
  Opened opened = open(run);
  TbbExecutor executor(run.threads);
  opened.options.executor = &executor;
  if (run.live != nullptr && run.live->listed()) {
    return replay_fleet(rules, run, opened.options, writer, stop);
  }
  const auto replay =
      strict::StrictReplay::open(rules, *opened.feeds, opened.options, run.connections);
  if (!replay) {
    say(replay.error().what());
    return fail(Fault::usage, std::string(kNoneRuns));
  }
  for (const std::string& note : (*replay)->notes()) complain("note: " + note);
  if (run.live != nullptr) return run_live(**replay, *run.live, writer, stop);
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
    say(why.error().what());
    return fail(Fault::usage, std::string(kNoneRuns));
  }
  return why_head(name, why->verdict, pmie::seconds_of(why->when), zone) + why->text;
}

}  // namespace pmjit
