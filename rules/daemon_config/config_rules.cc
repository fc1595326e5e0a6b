// What a configuration says of rules by name, and of a running daemon.
#include <fmt/format.h>
#include <fnmatch.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "rules/daemon_config/config_keys.h"
#include "rules/daemon_config/read_config.h"

namespace pmjit {
namespace {

bool glob_matches(const std::string& glob, const std::string& name) {
  return fnmatch(glob.c_str(), name.c_str(), 0) == 0;
}

bool any_glob_matches(const std::vector<std::string>& globs, const std::string& name) {
  return std::ranges::any_of(globs,
                             [&](const std::string& glob) { return glob_matches(glob, name); });
}

template <class T>
void take_over(std::optional<T>& into, const std::optional<T>& from) {
  if (from) into = from;
}

void take_over(AlertLabels& into, const AlertLabels& from) {
  for (const auto& [name, value] : from) into.insert_or_assign(name, value);
}

// A host that both blocks have. Both lists are sorted.
std::optional<uint32_t> common_host(const RulesBlock& one, const RulesBlock& other) {
  auto a = one.host_ids.begin();
  auto b = other.host_ids.begin();
  while (a != one.host_ids.end() && b != other.host_ids.end()) {
    if (*a == *b) return *a;
    ++(*a < *b ? a : b);
  }
  return std::nullopt;
}

// Members of one section that a running daemon cannot change.
template <class Block>
void add_restarts(const Block& running, const Block& next, const DaemonConfig& next_config,
                  ConfigProblems& problems) {
  const auto add = [&](ConfigSectionId section, std::string_view key) {
    const std::string name = fmt::format("{}.{}", config_section(section).name, key);
    const auto place = next_config.places.find(name);
    problems
        .add(ProblemCode::needs_restart,
             place == next_config.places.end() ? ConfigPlace{} : place->second, name)
        .help("restart the daemon, or take the change back");
  };
#define KEY(type, key, member, value, text, range, reload)                                   \
  if constexpr (std::is_same_v<Block, type>) {                                               \
    if (ConfigReload::reload == ConfigReload::restart && !(running.member == next.member)) { \
      add(ConfigSectionId::type, key);                                                       \
    }                                                                                        \
  }
#include "rules/daemon_config/keys.def"
}

}  // namespace

bool RulesBlock::has_rule(const std::string& name) const {
  return (enable.empty() || any_glob_matches(enable, name)) && !any_glob_matches(disable, name);
}

ConfigPlace RulesBlock::place_of(const std::string& key) const {
  const auto found = places.find(key);
  return found == places.end() ? place : found->second;
}

std::string name_in_ruleset(const std::string& ruleset, size_t rule) {
  return fmt::format("{}#{}", ruleset, rule + 1);
}

std::optional<RuleAlertBlock> RulesBlock::alert_of(const std::string& name) const {
  const std::string ruleset = name.substr(0, name.rfind('#'));  // or the name itself
  std::optional<RuleAlertBlock> out;
  for (const RuleAlertBlock& alert : alerts) {
    if (!glob_matches(alert.glob, name) && !glob_matches(alert.glob, ruleset)) continue;
    if (!out) out.emplace();
    out->glob = alert.glob;
    take_over(out->severity, alert.severity);
    take_over(out->hold_for, alert.hold_for);
    take_over(out->keep, alert.keep);
    take_over(out->stale, alert.stale);
    take_over(out->unknown, alert.unknown);
    take_over(out->labels, alert.labels);
    take_over(out->annotations, alert.annotations);
    take_over(out->notify, alert.notify);
  }
  return out;
}

void rules_twice(const DaemonConfig& config, std::span<const ConfigRule> rules,
                 ConfigProblems& problems) {
  std::map<std::string, std::vector<const ConfigRule*>> by_name;
  std::set<std::pair<std::string, uint32_t>> files_told;  // and the block that has it again
  for (const ConfigRule& rule : rules) {
    const RulesBlock& block = config.rules[rule.block];
    if (!block.has_rule(rule.name)) continue;
    std::vector<const ConfigRule*>& there = by_name[rule.name];
    for (const ConfigRule* other : there) {
      if (other->joins_hosts && rule.joins_hosts) {
        problems.add(ProblemCode::rule_of_all_twice, block.place, rule.name)
            .help(fmt::format("{} and {} have it; give one of them another name, or disable it",
                              other->file, rule.file));
        break;
      }
      const auto host = common_host(config.rules[other->block], block);
      if (!host) continue;
      if (other->file == rule.file) {
        if (!files_told.emplace(rule.file, rule.block).second) break;
        problems
            .add(ProblemCode::rule_file_twice, block.place_of("files"), rule.file,
                 config.hosts[*host].name)
            .help("leave one of the two out, or choose hosts by labels");
        break;
      }
      problems.add(ProblemCode::rule_twice, block.place, rule.name, config.hosts[*host].name)
          .help(fmt::format("{} and {} have it; choose hosts by labels, or disable one",
                            other->file, rule.file));
      break;
    }
    there.push_back(&rule);
  }
}

void restart_problems(const DaemonConfig& running, const DaemonConfig& next,
                      ConfigProblems& problems) {
  add_restarts(running.daemon, next.daemon, next, problems);
  add_restarts(running.log, next.log, next, problems);
  add_restarts(running.fetch, next.fetch, next, problems);
  add_restarts(running.derived, next.derived, next, problems);
  add_restarts(running.alerts, next.alerts, next, problems);
  add_restarts(running.host_down, next.host_down, next, problems);
  add_restarts(running.actions, next.actions, next, problems);
  add_restarts(running.http, next.http, next, problems);
}

}  // namespace pmjit
