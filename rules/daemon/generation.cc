#include "rules/daemon/generation.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/resource.h>

#include <algorithm>
#include <optional>
#include <set>
#include <string_view>
#include <thread>
#include <utility>

#include "rules/strict/definitions.h"

namespace pmjit {

namespace {

// Besides connections to hosts: state, log, listeners, sinks. A program has pipes.
constexpr uint64_t kOwnDescriptors = 128, kDescriptorsPerProgram = 4;

// What PCP's library says of definitions, those of the environment before all others.
std::string said_of_definitions(const std::vector<std::string>& files) {
  std::string out;
  const auto loaded = Definitions::load(files, [&out](std::string_view text) { out += text; });
  if (!loaded) out += loaded.error().text() + '\n';
  return out;
}

void check_definitions(const DaemonConfig& config, ConfigProblems& problems) {
  if (config.derived.files.empty()) return;
  const std::string wrong =
      said_of_definitions(config.derived.files).substr(said_of_definitions({}).size());
  if (wrong.empty()) return;
  const auto place = config.places.find("derived.files");
  // One by one, for what one defines may be wrong in the next.
  std::string bad;
  for (const std::string& file : config.derived.files) {
    if (said_of_definitions({file}).size() == said_of_definitions({}).size()) continue;
    bad += (bad.empty() ? "" : " ") + file;
  }
  if (bad.empty()) bad = fmt::format("{}", fmt::join(config.derived.files, " "));
  problems
      .add(ProblemCode::definitions, place == config.places.end() ? ConfigPlace{} : place->second)
      .help(fmt::format("pmjit check {} shows them", bad));
}

// What the configuration reads, and this daemon does not do yet.
void check_built(const DaemonConfig& config, ConfigProblems& problems) {
  const auto refuse = [&](const std::string& key, const std::string& what) {
    const auto place = config.places.find(key);
    problems.add(ProblemCode::not_yet, place == config.places.end() ? ConfigPlace{} : place->second,
                 what);
  };
  const auto is_tls = [](const std::string& url) { return url.starts_with("https://"); };
  for (const SinkBlock& sink : config.sinks) {
    if (is_tls(sink.webhook.url) || std::ranges::any_of(sink.alertmanager.urls, is_tls)) {
      refuse("sink.url", fmt::format("https:// of sink `{}`", sink.name));
    }
  }
  if (!config.http.socket.empty()) refuse("http.socket", "[http] socket");
  if (config.daemon.threads) refuse("daemon.threads", "[daemon] threads");
  for (const HostsBlock& hosts : config.host_blocks) {
    if (hosts.interval_min != Milliseconds(100)) refuse("hosts.interval_min", "interval_min");
  }
}

}  // namespace

Generation read_generation(const ConfigInput& input) {
  ConfigRead read = read_config(input, SystemConfigFiles());
  Generation out{.config = nullptr, .problems = std::move(read.problems), .blocks = {}};
  if (!out.problems.has_errors()) {
    out.blocks = read_rule_blocks(read.config, out.problems);
    check_definitions(read.config, out.problems);
    check_texts(read.config, out.problems);
    if (read.config.hosts.empty() && !read.config.rules.empty()) {
      out.problems.add(ProblemCode::no_hosts, read.config.rules.front().place)
          .help("for instance: [[hosts]] with names = [\"web1\"]");
    }
    if (read.config.rules.empty() && !read.config.hosts.empty()) {
      out.problems.add(ProblemCode::no_rules, ConfigPlace{})
          .help("name files of rules: [[rules]] with files = [\"busy.pmie\"]");
    }
    const bool says_nothing = read.config.hosts.empty() && read.config.rules.empty() &&
                              read.config.sinks.empty() && read.config.places.empty();
    if (says_nothing) {
      out.problems.add(ProblemCode::out_of_range, ConfigPlace{}, "the configuration is empty")
          .help(
              "name hosts and rules: [[hosts]] with names = [\"web1\"], [[rules]] with files "
              "= [\"busy.pmie\"]");
    }
    check_built(read.config, out.problems);
  }
  out.config = std::make_shared<const DaemonConfig>(std::move(read.config));
  return out;
}

std::vector<GroupSetup> group_setups(const Generation& generation, const std::string& page) {
  std::vector<GroupSetup> out;
  std::set<uint32_t> watched;
  for (const RuleBlock& block : generation.blocks) {
    GroupSetup& setup = out.emplace_back(
        GroupSetup{.config = generation.config, .block = block.block, .page = page});
    for (const uint32_t host : setup.rules().host_ids) {
      if (watched.insert(host).second) setup.watched.push_back(host);
    }
  }
  return out;
}

namespace {

std::vector<std::string> watched_by(const GroupSetup& setup) {
  std::vector<std::string> out;
  for (const uint32_t host : setup.watched) out.push_back(setup.config->hosts[host].name);
  return out;
}

// How many rules of the block are the same in the group.
size_t rules_in_common(const RuleBlock& group, const RuleBlock& block) {
  std::set<std::pair<std::string_view, std::string_view>> own;
  for (const BlockRule& rule : group.rules) own.emplace(rule.name, rule.keys.whole);
  return static_cast<size_t>(std::ranges::count_if(block.rules, [&](const BlockRule& rule) {
    return own.contains({rule.name, rule.keys.whole});
  }));
}

// Null: a new one.
RuleGroup* group_for(const RuleBlock& block, const GroupSetup& setup,
                     const std::vector<RuleGroup*>& running) {
  const std::vector<std::string> watched = watched_by(setup);
  RuleGroup* out = nullptr;
  size_t most = 0;
  for (RuleGroup* const group : running) {
    if (group == nullptr || !group->can_take(block) || group->watched() != watched) continue;
    const size_t common = rules_in_common(group->latest(), block);
    if (out != nullptr && common <= most) continue;
    out = group;
    most = common;
  }
  return out;
}

}  // namespace

GroupPlan plan_groups(const Generation& next, const std::vector<GroupSetup>& setups,
                      const std::vector<RuleGroup*>& running) {
  GroupPlan out;
  std::vector<RuleGroup*> free = running;
  for (size_t i = 0; i < setups.size(); ++i) {
    if (setups[i].rules().host_ids.empty()) continue;
    RuleGroup* const group = group_for(next.blocks[i], setups[i], free);
    if (group != nullptr) std::erase(free, group);
    if (group == nullptr) out.connections += setups[i].rules().host_ids.size();
    out.parts.push_back({.group = group, .rules = next.blocks[i], .setup = setups[i]});
  }
  for (const RuleGroup* const group : running) out.connections += group->connections();
  return out;
}

Result<std::vector<std::unique_ptr<RuleGroup>>> open_groups(const GroupPlan& plan,
                                                            const GroupWorld& world,
                                                            const Clock& clock) {
  std::vector<std::unique_ptr<RuleGroup>> out;
  for (const GroupPlan::Part& part : plan.parts) {
    if (part.group != nullptr) {
      part.group->prepare(part.setup, part.rules);
    } else {
      out.push_back(std::make_unique<RuleGroup>(part.rules, part.setup, world, clock));
    }
  }
  std::vector<std::optional<Error>> errors(out.size());
  std::vector<std::thread> opening;
  for (size_t i = 0; i < out.size(); ++i) {
    opening.emplace_back([&group = *out[i], &error = errors[i]] {
      if (auto opened = group.open(); !opened) error = opened.error();
    });
  }
  for (std::thread& thread : opening) thread.join();
  for (const GroupPlan::Part& part : plan.parts) {
    if (part.group == nullptr) continue;
    if (auto prepared = part.group->prepared(); !prepared) errors.emplace_back(prepared.error());
  }
  for (std::optional<Error>& error : errors) {
    if (!error) continue;
    forget_prepared(plan);
    return fail(*std::move(error));
  }
  return out;
}

void forget_prepared(const GroupPlan& plan) {
  for (const GroupPlan::Part& part : plan.parts) {
    if (part.group != nullptr) part.group->forget();
  }
}

Result<void> check_connections(const DaemonConfig& config, uint64_t connections) {
  uint64_t wanted = 0;
  for (const RulesBlock& block : config.rules) wanted += block.host_ids.size();
  if (wanted > static_cast<uint64_t>(config.fetch.connections)) {
    return fail(Error(Fault::limit, fmt::format("the rules need {} connections to hosts, and "
                                                "[fetch] connections is {}",
                                                wanted, config.fetch.connections))
                    .help("raise [fetch] connections; each [[rules]] block has one per host"));
  }
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return {};
  if (limit.rlim_cur < limit.rlim_max) {
    limit.rlim_cur = limit.rlim_max;
    ::setrlimit(RLIMIT_NOFILE, &limit);
    ::getrlimit(RLIMIT_NOFILE, &limit);
  }
  const uint64_t own =
      kOwnDescriptors + kDescriptorsPerProgram * static_cast<uint64_t>(config.actions.concurrency);
  const uint64_t others = connections > wanted ? connections - wanted : 0;
  const uint64_t needed = wanted + others + own;
  if (limit.rlim_cur >= needed) return {};
  const std::string until_then =
      others == 0 ? "" : fmt::format(", {} that are open until these are", others);
  return fail(Error(Fault::limit,
                    fmt::format("too few file descriptors: {}, and {} connections to hosts{}, "
                                "programs and our own files need {}",
                                limit.rlim_cur, wanted, until_then, needed))
                  .help("raise the limit before the start: ulimit -n, LimitNOFILE= in a unit"));
}

}  // namespace pmjit
