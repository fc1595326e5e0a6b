#include "rules/cmd/strict_run.h"

#include <fmt/core.h>

#include <algorithm>

#include "rules/cmd/block_rows.h"
#include "rules/cmd/common.h"
#include "rules/cmd/expected_run.h"
#include "rules/cmd/no_such_rule.h"
#include "rules/compat/fetched_elements.h"
#include "rules/strict/archive_feeds.h"
#include "rules/strict/strict_replay.h"
#include "rules/why/why.h"
#include "runtime/sched/tbb_executor.h"

namespace pmjit {

namespace {

constexpr std::string_view kNoneRuns = "the rules have errors: none of them runs";

// Archives opened, and how rules are compiled and evaluated over them.
struct Opened {
  std::unique_ptr<ArchivesSource> source;
  std::unique_ptr<strict::ArchiveFeeds> feeds;
  strict::TaskOptions options;
};

Result<Opened> open(const std::string& archives, const StrictRun& run) {
  const CommonOptions common{.archives = {archives}};
  auto source = open_source(common, ExtraUnits::known);
  if (!source) return fail(source.error());
  Opened out{.source = *std::move(source),
             .feeds = nullptr,
             .options = {.origin = run.origin, .end = run.end, .zone = run.zone}};
  const ArchivesSource& of = *out.source;
  out.feeds = std::make_unique<strict::ArchiveFeeds>(of);
  out.options.compile = compile_options(common, of);
  out.options.definition_files = {run.definitions.begin(), run.definitions.end()};
  out.options.expect = [&of, run](Nanos step) {
    return expected_work(of, {.from = run.origin, .to = run.end, .step = step});
  };
  out.options.block_rows = [&of, run](const Program& program) {
    return result_rows(program, of, run.origin);
  };
  return out;
}

}  // namespace

Result<void> replay_strict(const strict::RuleSet& rules, const std::string& archives,
                           const StrictRun& run, EventWriter& writer,
                           const std::function<bool()>& stop) {
  auto opened = open(archives, run);
  if (!opened) return fail(opened.error());
  TbbExecutor executor(run.threads);
  opened->options.executor = &executor;
  const auto replay = strict::StrictReplay::open(rules, *opened->feeds, opened->options, archives);
  if (!replay) {
    say(replay.error().what());
    return fail(Fault::usage, std::string(kNoneRuns));
  }
  return (*replay)->run(writer, stop);
}

Result<std::string> why_strict(const strict::RuleSet& rules, const std::string& name,
                               const std::string& archives, const StrictRun& run) {
  Zone zone = run.zone;
  const auto name_of = [](const strict::SetRule& of) -> const auto& { return of.rule.name; };
  const auto found = std::ranges::find(rules.rules, name, name_of);
  if (found == rules.rules.end()) return fail(no_such_rule(name, rules.rules, name_of));
  if (run.end < run.origin) {
    return fail(Error(Fault::usage, fmt::format("{} is not evaluated up to that time", name))
                    .help("the first evaluation is at " +
                          event_time_text(pmie::seconds_of(run.origin), zone)));
  }
  auto opened = open(archives, run);
  if (!opened) return fail(opened.error());
  opened->options.compile.evaluator = EvaluatorChoice::interpreter;
  const auto index = static_cast<size_t>(found - rules.rules.begin());
  const auto why = strict::why_text(rules, index, *opened->feeds, opened->options);
  if (!why) {
    say(why.error().what());
    return fail(Fault::usage, std::string(kNoneRuns));
  }
  return fmt::format("{} at {}\n{}", name, event_time_text(pmie::seconds_of(why->when), zone),
                     why->text);
}

}  // namespace pmjit
