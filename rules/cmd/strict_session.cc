#include "rules/cmd/strict_session.h"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "compiler/compat/registry/derive.h"
#include "rules/cmd/host_warnings.h"
#include "rules/cmd/strict_live.h"
#include "rules/strict/archive_feeds.h"
#include "rules/strict/value_lines.h"
#include "runtime/client/host_feed.h"
#include "runtime/client/outage_watch.h"

namespace pmjit::pmie {

namespace {

constexpr Nanos kLongestUnseen = 100'000'000;  // that a signal may be

// What happens has been done and counted by then.
class NoWriter final : public EventWriter {
 public:
  void begin(const ReplaySchema&) override {}
  void put(const RuleTransition&) override {}
  void put(const RuleAction&) override {}
  void end(double, std::span<const RuleState>) override {}
};

// How conditions come out, for the statistics; and the lines of -v.
class Counting final : public strict::ReplayWatcher {
 public:
  Counting(const strict::RuleSet& set, strict::ReplayWatcher& next, StatsCounts& counts)
      : set_(set), next_(next), counts_(counts) {}

  void evaluated(std::span<const strict::Evaluated> rules, double when) override {
    for (const strict::Evaluated& rule : rules) count(rule);
    next_.evaluated(rules, when);
  }

 private:
  // As pmie counts those of a ruleset: up to the first that is true.
  void count(const strict::Evaluated& evaluated) {
    ++counts_.evaluations;
    const strict::Rule& rule = set_.rules[evaluated.of->rule].rule;
    if (rule.alert) return add(*evaluated.truth);
    for (size_t i = 0; i < rule.clauses.size(); ++i) {
      const strict::Clause& clause = rule.clauses[i];
      if (clause.when != strict::Clause::When::holds) continue;
      if (!rule.is_ruleset && clause.verbs.empty()) continue;
      const RuleTruth truth = evaluated.task->truth(*evaluated.of->clauses[i].condition);
      add(truth);
      if (truth == RuleTruth::yes) return;
    }
  }

  void add(RuleTruth truth) {
    ++(truth == RuleTruth::yes  ? counts_.yes
       : truth == RuleTruth::no ? counts_.no
                                : counts_.unknown);
  }

  const strict::RuleSet& set_;
  strict::ReplayWatcher& next_;
  StatsCounts& counts_;
};

}  // namespace

struct StrictSession::Opened {
  std::vector<std::unique_ptr<ArchivesSource>> hosts;
  std::unique_ptr<HostClient> client;  // live
  std::unique_ptr<HostContext> context;
  std::vector<std::string> connections;
  std::unique_ptr<Feeds> feeds;
  HostFeeds* live = nullptr;  // the feeds, or null
  std::unique_ptr<strict::StrictReplay> replay;
};

bool StrictSession::read(const RuleFileText& file, double delta) {
  const size_t told = set_.errors.size();
  const auto added = strict::add_rules(
      set_, {.name = file.name.empty() ? "<stdin>" : file.name, .text = file.text},
      {.delta = delta});
  complain_(added ? std::string_view(set_.errors).substr(told)
                  : std::string_view(added.error().what()));
  return added && set_.errors.empty();
}

bool StrictSession::has_stomp() const {
  return std::ranges::any_of(set_.rules, [](const strict::SetRule& rule) {
    return std::ranges::any_of(rule.rule.clauses, [](const strict::Clause& clause) {
      return std::ranges::find(clause.verbs, "stomp", &strict::Verb::name) != clause.verbs.end();
    });
  });
}

Result<void> StrictSession::open_archives(const ReplayWindow& window, Opened& out) const {
  const std::string names = fmt::format("{}", fmt::join(window.archives, ","));
  auto hosts = Archives::open_hosts(names, {.extra_units = ExtraUnits::known});
  if (!hosts) return fail(hosts.error());
  std::vector<const ArchivesSource*> sources;
  for (auto& archives : *hosts) {
    use_local_names(*window.names, LocalNames::all, *archives);
    out.connections.push_back((*archives)[0].name());
    out.hosts.push_back(std::make_unique<ArchivesSource>(std::move(archives)));
    sources.push_back(out.hosts.back().get());
  }
  if (sources.size() == 1) out.connections = {names};
  out.feeds = strict::feeds_of(sources);
  return {};
}

// What these rules mean depends on the host's metadata, so it must be there at the start.
Result<void> StrictSession::open_host(const ReplayWindow& window, Opened& out) {
  LivePmie& live = *window.live;
  auto spec = parse_host_spec(live.host());
  if (!spec) return fail(spec_error(live.host(), spec.error()));
  out.client = std::make_unique<HostClient>(live.network(), *std::move(spec), live.settings());
  out.context = std::make_unique<HostContext>(*out.client);
  out.context->use_names(local_names(*window.names));
  if (auto there = out.context->connect(); !there) return there;
  out.connections = {live.host()};
  auto feeds = std::make_unique<HostFeeds>(*out.context);
  out.live = feeds.get();
  out.feeds = std::move(feeds);
  return {};
}

// Definitions of the environment have been told of by those who read them for the tool.
std::optional<StrictSession::Opened> StrictSession::open(const ReplayWindow& window) {
  const auto definitions = Definitions::load({}, [](std::string_view) {});
  Opened out;
  const auto opened = window.live == nullptr ? open_archives(window, out) : open_host(window, out);
  if (!definitions || !opened) {
    complain_((!definitions ? definitions.error() : opened.error()).text() + "\n");
    return std::nullopt;
  }
  strict::TaskOptions options{.origin = window.origin,
                              .end = window.end,
                              .zone = window.zone,
                              .definition_files = definitions->texts()};
  options.compile.counter_wrap = std::getenv("PCP_COUNTER_WRAP") != nullptr;
  options.compile.equivalent = installed_equivalences();
  auto replay = strict::StrictReplay::open(set_, *out.feeds, options, out.connections);
  if (!replay) {
    complain_(replay.error().what());
    return std::nullopt;
  }
  out.replay = *std::move(replay);
  return out;
}

// It reports hosts that go and come as for rules of pmie, and lost times as `pmjit run` does.
Result<void> StrictSession::run_live(const Opened& opened, const ReplayWindow& window,
                                     EventWriter& writer) {
  const std::string host = opened.context->host_name();
  OutageWatch watch;
  const auto put = [this](const std::string& line) { complain_("pmie: " + line + "\n"); };
  const auto wait = [&](Stamp wakes) {
    const Stamp soon = stamp_from_nanos(nanos(window.live->stamp()) + kLongestUnseen);
    opened.live->wait(std::min(wakes, soon));
    const auto change = watch.look(opened.live->health());
    if (change == OutageWatch::Change::none) return;
    const bool back = change == OutageWatch::Change::back;
    window.tell({.what = back ? HostChange::What::back : HostChange::What::lost,
                 .host = host,
                 .connection = opened.connections.front(),
                 .why = back ? nullptr : &*opened.live->why_down(),
                 .bad_name = {}});
  };
  for (const std::string& note : opened.replay->notes()) put("note: " + note);
  const auto done =
      run_strict_live(*opened.replay, writer, {.stop = window.stop, .wait = wait, .put = put});
  if (!done) return done;
  const std::string missed = missed_warning(host, opened.live->tally());
  if (!missed.empty()) put(missed);
  return {};
}

bool StrictSession::perform(const RuleAction& action, const ReplayWindow& window, Zone& zone) {
  ++counts_.actions;
  const auto when = static_cast<int64_t>(std::floor(action.when));
  return window.actions->perform({.verb = verb_named(action.verb).value_or(PmieOp::print),
                                  .text = action.text,
                                  .of = action.verb.data()},
                                 time_text(zone.local(when)));
}

StatsAbout StrictSession::about() const {
  StatsAbout out{.config = {}, .log = {}};
  for (const strict::SetRule& rule : set_.rules) {
    out.expected += static_cast<float>(1 / rule.rule.delta);
    for (const strict::Clause& clause : rule.rule.clauses) {
      // To pmie each condition with an action is a rule.
      if (clause.when != strict::Clause::When::always && !clause.verbs.empty()) ++out.rules;
    }
  }
  return out;
}

bool StrictSession::check(const ReplayWindow& window) { return open(window).has_value(); }

bool StrictSession::run(const ReplayWindow& window, std::function<void(std::string_view)> put) {
  const auto opened = open(window);
  if (!opened) return false;
  Zone zone = window.zone;
  strict::ValueLines lines(set_, window.verbose, zone, std::move(put));
  Counting counting(set_, lines, counts_);
  // Over archives nobody asks for the counts. What need not be told of each evaluation is quicker.
  const bool watched = window.live != nullptr || window.verbose != Verbose::off;
  if (watched) opened->replay->watch(counting);
  Result<void> done;
  if (window.live == nullptr) {
    done = opened->replay->run(lines, window.stop);
  } else {
    host_ = opened->context->host_name();
    opened->replay->perform_with(
        [&](const RuleAction& action) { return perform(action, window, zone); });
    NoWriter writer;
    done = run_live(*opened, window, writer);
  }
  if (!done) complain_(done.error().text() + "\n");
  return done.has_value();
}

}  // namespace pmjit::pmie
