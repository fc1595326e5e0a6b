#include "rules/daemon/generation.h"

#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <optional>
#include <set>
#include <thread>
#include <utility>

namespace pmjit {

namespace {

// Besides connections to hosts: state, log, listeners, sinks. A program has pipes.
constexpr uint64_t kOwnDescriptors = 128, kDescriptorsPerProgram = 4;

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
    check_texts(read.config, out.problems);
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

bool goes_on(const RuleGroup& group, const RuleBlock& block, const GroupSetup& setup) {
  if (group.engine_key() != block.engine_key) return false;
  std::vector<std::string> watched;
  for (const uint32_t host : setup.watched) watched.push_back(setup.config->hosts[host].name);
  return group.watched() == watched;
}

Result<std::vector<std::unique_ptr<RuleGroup>>> open_new_groups(
    const Generation& generation, const std::vector<GroupSetup>& setups,
    const std::vector<RuleGroup*>& running, const GroupWorld& world, const Clock& clock) {
  std::vector<std::unique_ptr<RuleGroup>> out(setups.size());
  std::vector<std::optional<Error>> errors(setups.size());
  std::vector<std::thread> opening;
  for (size_t i = 0; i < setups.size(); ++i) {
    const RuleBlock& block = generation.blocks[i];
    const bool is_running = std::ranges::any_of(
        running, [&](const RuleGroup* group) { return goes_on(*group, block, setups[i]); });
    if (is_running || setups[i].rules().host_ids.empty()) continue;
    out[i] = std::make_unique<RuleGroup>(block, setups[i], world, clock);
    opening.emplace_back([&group = *out[i], &error = errors[i]] {
      if (auto opened = group.open(); !opened) error = opened.error();
    });
  }
  for (std::thread& thread : opening) thread.join();
  for (std::optional<Error>& error : errors) {
    if (error) return fail(*std::move(error));
  }
  return out;
}

uint64_t leaving_connections(const std::vector<RuleGroup*>& running, const Generation& next,
                             const std::vector<GroupSetup>& setups) {
  uint64_t out = 0;
  for (const RuleGroup* group : running) {
    bool stays = false;
    for (size_t i = 0; i < setups.size(); ++i) {
      stays = stays || goes_on(*group, next.blocks[i], setups[i]);
    }
    if (!stays) out += group->connections();
  }
  return out;
}

Result<void> check_connections(const DaemonConfig& config, uint64_t leaving) {
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
  const uint64_t needed = wanted + leaving + own;
  if (limit.rlim_cur >= needed) return {};
  const std::string until_then =
      leaving == 0 ? "" : fmt::format(", {} that are open until these are", leaving);
  return fail(Error(Fault::limit,
                    fmt::format("too few file descriptors: {}, and {} connections to hosts{}, "
                                "programs and our own files need {}",
                                limit.rlim_cur, wanted, until_then, needed))
                  .help("raise the limit before the start: ulimit -n, LimitNOFILE= in a unit"));
}

}  // namespace pmjit
