#include "rules/daemon/engine_rules.h"

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <map>
#include <utility>

#include "rules/daemon/engine_times.h"

namespace pmjit {

namespace {

constexpr std::chrono::nanoseconds kStopUnseen = std::chrono::milliseconds(50);
// How often it is looked whether hosts have said what they have, while others are evaluated.
constexpr Nanos kBetweenLooks = 10'000'000;

const RulesBlock& block_of(const GroupEngine::Setup& setup) {
  return setup.config.rules[setup.block.block];
}

double delta_of(const GroupEngine::Setup& setup) {
  return static_cast<double>(block_of(setup).interval.count()) / 1e3;
}

Zone zone_of(const DaemonConfig& config) {
  return config.daemon.zone.empty() ? Zone() : Zone(config.daemon.zone);
}

bool has_safe_shell(const DaemonConfig& config) {
  return config.actions.shell != ShellAction::as_is;
}

}  // namespace

EngineRules::EngineRules(const World& world, EngineSink sink)
    : world_(world), sink_(std::move(sink)), pmie_(world.clock) {}

Result<bool> EngineRules::open(const GroupEngine::Setup& setup) {
  if (auto done = read(setup, false); !done) return fail(done.error());
  while (!pmie_begun_) {
    if (setup.stop && setup.stop()) return false;
    const auto bound = pmie_.bind_some();
    if (!bound) return fail(bound.error());
    if (!*bound) {
      (void)world_.network.run_some(world_.clock.now() + kStopUnseen);
    } else if (auto begun = begin_pmie(); !begun) {
      return fail(begun.error());
    }
  }
  opened_.emplace();
  return true;
}

Result<void> EngineRules::open_beside(const GroupEngine::Setup& setup) { return read(setup, true); }

Result<void> EngineRules::read(const GroupEngine::Setup& setup, bool beside) {
  if (auto done = read_strict(setup, beside); !done) return done;
  const auto is_of_pmie = [this](const BlockRule& r) { return !strict_names_.contains(r.name); };
  std::ranges::copy_if(setup.block.rules, std::back_inserter(of_pmie_), is_of_pmie);
  pmie_begun_ = of_pmie_.empty();
  if (!pmie_begun_) read_pmie(setup);
  return {};
}

Result<void> EngineRules::read_strict(const GroupEngine::Setup& setup, bool beside) {
  const RuleBlock& block = setup.block;
  strict::RuleSet all;
  for (const BlockRuleFile& file : block.files) {
    if (!file.strict) continue;
    const auto added = strict::add_rules(all, {.name = file.path, .text = file.text},
                                         {.delta = delta_of(setup), .settings = block.settings});
    if (!added) return fail(added.error());
  }
  std::map<double, strict::RuleSet> by_delta;
  for (strict::SetRule& rule : all.rules) {
    if (!block.has_rule(rule.rule.name)) continue;
    strict_names_.insert(rule.rule.name);
    strict::RuleSet& set = by_delta[rule.rule.delta];
    set.rules.push_back(std::move(rule));
  }
  for (auto& [delta, set] : by_delta) {
    shortest_ = std::min(shortest_, delta);
    set.sources = all.sources;
    set.mistakes = all.mistakes;
    set.macros = all.macros;
    strict::TaskOptions options{.zone = zone_of(setup.config),
                                .definition_files = world_.definitions.texts()};
    options.compile.counter_wrap = std::getenv("PCP_COUNTER_WRAP") != nullptr;
    options.compile.equivalent = installed_equivalences();
    strict_.push_back(std::make_unique<StrictTasks>(std::move(set), delta, world_.fleet,
                                                    world_.hosts, sink_, world_.clock));
    StrictTasks& tasks = *strict_.back();
    const bool safe_shell = has_safe_shell(setup.config);
    if (beside) {
      tasks.open_beside(std::move(options), safe_shell);
    } else if (auto done = tasks.open(std::move(options), safe_shell); !done) {
      return done;
    }
  }
  return {};
}

void EngineRules::read_pmie(const GroupEngine::Setup& setup) {
  const RuleBlock& block = setup.block;
  std::vector<pmie::CommonRuleFile> files;
  for (const BlockRuleFile& file : block.files) {
    if (!file.strict) files.push_back({.text = file.text, .name = file.path});
  }
  rules_ = std::make_unique<pmie::CommonRules>(
      std::move(files), pmie::ReaderOptions{.program = "pmjit",
                                            .delta = delta_of(setup),
                                            .settings = block.settings,
                                            .takes = [names = block.names](std::string_view name) {
                                              return names.contains(name);
                                            }});
  for (size_t i = 0; i < world_.hosts.size(); ++i) {
    pmie_.add({.member = *world_.fleet.members()[i],
               .host = world_.hosts[i],
               .derived = world_.definitions.metrics(),
               .rules = *rules_,
               .of_pmie = of_pmie_,
               .interval = delta_of(setup),
               .zone = zone_of(setup.config),
               .safe_shell = has_safe_shell(setup.config)},
              sink_);
  }
}

Result<void> EngineRules::begin_pmie() {
  if (auto begun = pmie_.begin(); !begun) return begun;
  pmie_begun_ = true;
  shortest_ = std::min(shortest_, pmie_.shortest());
  return {};
}

// Hosts are asked for both dialects at once.
std::optional<Result<void>> EngineRules::look_whether_opened() {
  bool waits = false;
  for (const auto& tasks : strict_) {
    const std::optional<Result<void>>& opened = tasks->opened();
    if (opened && !*opened) return opened;
    waits = waits || !opened;
  }
  if (!pmie_begun_) {
    const auto bound = pmie_.bind_some();
    if (!bound) return fail(bound.error());
    if (*bound) {
      if (auto begun = begin_pmie(); !begun) return begun;
    }
    waits = waits || !*bound;
  }
  return waits ? std::nullopt : std::optional<Result<void>>(std::in_place);
}

void EngineRules::begin_anew() {
  for (const auto& tasks : strict_) tasks->begin_anew();
  if (pmie_begun_) pmie_.begin_anew();
}

Stamp EngineRules::run() {
  Stamp wakes = kStampMax;
  for (const auto& tasks : strict_) wakes = std::min(wakes, tasks->run());
  if (!opened_) {
    opened_ = look_whether_opened();
    wakes = std::min(wakes, stamp_from_nanos(nanos(stamp_now(world_.clock)) + kBetweenLooks));
  }
  return std::min(wakes, pmie_.run());
}

std::optional<HostTick> EngineRules::last_tick(size_t host) const {
  std::optional<HostTick> out;
  const auto& health = world_.fleet.members()[host]->feeds.health();
  if (!strict_.empty() && health.ended()) {
    const auto& why = health.why_down();
    out = HostTick{.at = wall_of(pmie::seconds_of(*health.ended())),
                   .why_down = why ? std::optional(why->text()) : std::nullopt,
                   .late = health.late()};
  }
  if (!pmie_.empty()) take_newer(out, pmie_.last_tick(host));
  return out;
}

}  // namespace pmjit
