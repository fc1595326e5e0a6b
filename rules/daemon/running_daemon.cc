#include "rules/daemon/running_daemon.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <set>
#include <utility>

#include "rules/compat/value_report.h"
#include "rules/daemon_config/config_steps.h"
#include "rules/web/web_access.h"

namespace pmjit {

namespace {

using namespace std::chrono_literals;

constexpr auto kLongestPause = 100ms;
constexpr auto kSinksGet = 5s;

Result<void> make_folder(const std::string& path, const char* key) {
  if (::mkdir(path.c_str(), 0700) == 0 || errno == EEXIST) return {};
  return fail(Error(Fault::io, fmt::format("cannot make this folder: {}", std::strerror(errno)))
                  .at(key, path)
                  .help("make it, for the user of the daemon, or set this key"));
}

std::string name_of_this_host() {
  std::array<char, 256> own{};
  return ::gethostname(own.data(), own.size() - 1) == 0 ? own.data() : "localhost";
}

ActionBounds bounds_of(const ActionsSection& section) {
  return {.concurrency = static_cast<size_t>(section.concurrency),
          .queue = static_cast<size_t>(section.queue),
          .time = section.timeout,
          .shell = section.shell != ShellAction::off};
}

}  // namespace

RunningDaemon::RunningDaemon(const DaemonCall& call, const Clock& clock)
    : call_(call), clock_(clock), log_(clock) {}

RunningDaemon::~RunningDaemon() { stop(); }

// ---- starting

Result<void> RunningDaemon::start(Generation first) {
  current_ = std::move(first);
  config_ = current_.config;
  if (auto enough = check_connections(*config_); !enough) return enough;
  if (auto opened = log_.change(config_->log); !opened) return opened;
  if (auto made = make_folders(); !made) return made;
  if (auto opened = open_state(); !opened) return opened;
  if (auto opened = open_web(); !opened) return opened;
  start_sinks();
  if (store_->lost()) fire_state_lost();
  start_actions();
  overflow_ = std::make_unique<OverflowWatch>(board_, metrics_, page_);
  web_->start();
  metrics_.set(WebMetric::build_info, {{"version", call_.version}}, 1);
  metrics_.set(WebMetric::start_time_seconds, {},
               static_cast<double>(clock_.wall().time_since_epoch().count()) / 1e9);
  if (auto wrong = swap_to(std::exchange(current_, {}), true)) return fail(Fault::usage, *wrong);
  size_t rules = 0;
  for (const RuleBlock& block : current_.blocks) rules += block.rules.size();
  log_.write(LogLevel::info, "started",
             {{"version", call_.version},
              {"hosts", fmt::format("{}", config_->hosts.size())},
              {"rules", fmt::format("{}", rules)}});
  {
    const std::scoped_lock lock(mutex_);
    ready_ = true;
  }
  if (call_.notify) call_.notify("READY=1");
  return {};
}

Result<void> RunningDaemon::make_folders() const {
  if (auto made = make_folder(config_->daemon.run, "[daemon] run"); !made) return made;
  return make_folder(config_->daemon.state, "[daemon] state");
}

Result<void> RunningDaemon::open_state() {
  auto store = StateStore::open({.folder = config_->daemon.state}, clock_);
  if (!store) return fail(store.error());
  store_ = *std::move(store);
  state_folder_ = config_->daemon.state;
  if (store_->lost()) {
    log_.write(LogLevel::error, "the state was damaged: all alerts begin anew",
               {{"moved_to", *store_->lost()}});
  }
  return {};
}

Result<void> RunningDaemon::open_web() {
  WebOptions options{.host_names = config_->http.allowed_hosts};
  for (const std::string& text : config_->http.listen) {
    if (const auto address = read_listen_address(text)) {
      options.listen.push_back({.host = address->host, .port = address->port});
      options.host_names.push_back(address->host);
    }
  }
  options.host_names.push_back(name_of_this_host());
  web_ = std::make_unique<WebServer>(std::move(options),
                                     [this](const WebRequest& request, WebRespond respond) {
                                       handle(request, std::move(respond));
                                     });
  if (auto listening = web_->listen(); !listening) return listening;
  for (const std::string& place : web_->places()) {
    log_.write(LogLevel::info, "listens", {{"address", place}});
    if (page_.empty()) page_ = fmt::format("http://{}/api/v1/alerts", place);
  }
  if (!config_->http.external_url.empty()) page_ = config_->http.external_url + "/api/v1/alerts";
  return make_token(config_->http);
}

// Where the configuration names none, or no more.
Result<void> RunningDaemon::make_token(const HttpSection& http) {
  if (!http.token_file.empty() || !token_.empty()) return {};
  auto token = make_token_file(config_->daemon.run + "/token");
  if (!token) return fail(token.error());
  const std::scoped_lock lock(mutex_);
  token_ = *std::move(token);
  return {};
}

// What was decided before a crash, and not told, is told now.
void RunningDaemon::start_sinks() {
  SinkHooks hooks{
      .settled = [this](const OutboxOutcome& outcome) { writer_->post({.outcomes = {outcome}}); },
      .acknowledged = [this](const AlertKey& key) { writer_->post({.acknowledged = {key}}); },
      .counted =
          [this](const std::string& sink, std::string_view result) {
            metrics_.add(WebMetric::notifications_total,
                         {{"sink", sink}, {"result", std::string(result)}});
          },
      .timed =
          [this](const std::string& sink, double seconds) {
            metrics_.observe(WebMetric::notification_seconds, {{"sink", sink}}, seconds);
          },
      .log = [this](
                 const std::string& sink,
                 const std::string& line) { log_.write(LogLevel::warn, line, {{"sink", sink}}); }};
  sinks_ = std::make_unique<AlertSinks>(clock_, std::move(hooks), page_);
  auto alerts = store_->alerts();
  auto waiting = store_->waiting();
  const auto holds = store_->holds();
  writer_ = std::make_unique<StateWriter>(
      *store_, clock_,
      StateWriter::Hooks{.committed = [this](const StateBatch& batch) { sinks_->tell(batch); },
                         .failed =
                             [this](const Error& why) {
                               metrics_.add(WebMetric::state_errors_total, {});
                               log_.write(LogLevel::error,
                                          "the state cannot be written: events wait in memory",
                                          {{"reason", why.text()}});
                             },
                         .timed =
                             [this](std::chrono::nanoseconds took) {
                               metrics_.observe(WebMetric::state_commit_seconds, {},
                                                std::chrono::duration<double>(took).count());
                             }});
  sinks_->change(config_->sinks);
  if (alerts && waiting) sinks_->restore(*alerts, *waiting);
  if (alerts) {
    for (StoredAlert& alert : *alerts) {
      if (!alert.ended) stored_.emplace(alert.key, std::move(alert));
    }
  }
  if (holds) holds_ = *holds;
}

// It fires until the next start: then no group goes on with it, and it resolves.
void RunningDaemon::fire_state_lost() {
  const ConfigHost daemon{.name = name_of_this_host(), .spec = {}};
  AlertBinding alert({.rule = std::string(kStateLostRule), .host = daemon.name},
                     state_lost_table(*config_, daemon), "", 1s, "");
  AlertOutput out{.sinks = &config_->sinks,
                  .board = board_,
                  .metrics = metrics_,
                  .page = page_,
                  .most = static_cast<size_t>(config_->alerts.max)};
  const WallTime now(
      std::chrono::floor<std::chrono::milliseconds>(clock_.wall().time_since_epoch()));
  alert.step({.truth = RuleTruth::yes, .at = now, .interval = 1s}, out);
  writer_->post(std::move(out.batch));
}

void RunningDaemon::start_actions() {
  ActionWorld world{
      .print = [this](const ActionJob& job,
                      const PlannedAction& action) { print_action(job, action); },
      .syslog = write_syslog,
      .hold = [this](const StoredHold& hold) { return writer_->commit_now({.holds = {hold}}); },
      .held = [this](const StoredHold& hold) { writer_->post({.holds = {hold}}); },
      .done =
          [this](const ActionJob& job, const PlannedAction& action, ActionOutcome outcome,
                 const std::string& why) {
            metrics_.add(
                WebMetric::actions_total,
                {{"verb", action.verb}, {"result", std::string(action_outcome_text(outcome))}});
            if (outcome == ActionOutcome::ok) return;
            log_.write(LogLevel::warn, "an action was not done",
                       {{"rule", job.rule},
                        {"host", job.host},
                        {"verb", action.verb},
                        {"result", std::string(action_outcome_text(outcome))},
                        {"reason", why}});
          }};
  actions_ = std::make_unique<ActionPerformer>(bounds_of(config_->actions), std::move(world),
                                               clock_, holds_);
}

void RunningDaemon::print_action(const ActionJob& job, const PlannedAction& action) {
  const std::string text = action.text.value_or("(null)");
  PrintAction where{};
  std::string zone_name;
  {
    const std::scoped_lock lock(mutex_);
    where = config_->actions.print;
    zone_name = config_->daemon.zone;
  }
  if (where == PrintAction::log) {
    log_.write(LogLevel::info, text,
               {{"rule", job.rule}, {"host", job.host}, {"action", action.verb}});
    return;
  }
  const Zone zone = zone_name.empty() ? Zone() : Zone(zone_name);
  const std::string when =
      pmie::time_text(zone.local(static_cast<int64_t>(job.plans.front().when)));
  const std::string line = fmt::format("{}: {}\n", when, text);
  (void)std::fwrite(line.data(), 1, line.size(), stdout);
  (void)std::fflush(stdout);
}

GroupWorld RunningDaemon::world() {
  return {
      .post = [this](StateBatch batch) { writer_->post(std::move(batch)); },
      .act =
          [this](const std::string& rule, const std::string& host, std::vector<ActionPlan> plans) {
            actions_->post({.rule = rule, .host = host, .plans = std::move(plans)});
          },
      .log = [this](LogLevel level, const std::string& message,
                    DaemonLog::Fields fields) { log_.write(level, message, fields); },
      .stop = call_.stop,
      .board = board_,
      .metrics = metrics_};
}

// ---- reloading

std::optional<std::string> RunningDaemon::reload() {
  log_.write(LogLevel::info, "reads the configuration again");
  if (call_.notify) call_.notify("RELOADING=1");
  Generation next = read_generation(call_.config);
  if (!next.problems.has_errors()) {
    restart_problems(*current_.config, *next.config, next.problems);
  }
  std::optional<std::string> wrong;
  if (next.problems.has_errors()) {
    wrong = next.problems.text();
  } else {
    const std::string warnings = next.problems.text();
    wrong = swap_to(std::move(next), false);
    if (!wrong) tell_reloaded(warnings);
  }
  metrics_.set(WebMetric::config_last_reload_successful, {}, wrong ? 0 : 1);
  if (wrong && !call_.stop()) {
    log_.write(LogLevel::error, "the new configuration has errors: all goes on as before",
               {{"errors", *wrong}});
  }
  if (call_.notify) call_.notify("READY=1");
  return wrong;
}

void RunningDaemon::tell_reloaded(const std::string& warnings) {
  if (warnings.empty()) return log_.write(LogLevel::info, "the new configuration is in use");
  log_.write(LogLevel::warn, "the new configuration is in use, and has warnings",
             {{"warnings", warnings}});
}

// Everything new is opened beside what runs; what cannot go on is then stopped, and hands over its
// states.
std::optional<std::string> RunningDaemon::swap_to(Generation next, bool is_first) {
  const std::vector<GroupSetup> setups = group_setups(next, page_);
  std::vector<RuleGroup*> running;
  for (const auto& group : groups_) running.push_back(group.get());
  const GroupPlan plan = plan_groups(next, setups, running);
  if (auto enough = check_connections(*next.config, plan.connections); !enough) {
    return enough.error().text() + '\n';
  }
  const Instant began = clock_.now();
  auto opened = open_groups(plan, world(), clock_);
  metrics_.add(WebMetric::compile_seconds_total, {},
               std::chrono::duration<double>(clock_.now() - began).count());
  if (!opened) return opened.error().text() + '\n';
  if (!is_first) {
    auto taken = make_token(next.config->http);
    if (taken) taken = log_.change(next.config->log);
    if (!taken) {
      forget_prepared(plan);
      return taken.error().text() + '\n';
    }
    sinks_->change(next.config->sinks);
    actions_->change_bounds(bounds_of(next.config->actions));
  }
  std::vector<std::unique_ptr<RuleGroup>> groups = std::move(*opened);
  const size_t fresh = groups.size();
  for (auto& group : take_groups(plan, next.config)) groups.push_back(std::move(group));
  for (size_t i = 0; i < groups.size(); ++i) {
    i < fresh ? groups[i]->restore(stored_) : groups[i]->receive(stored_);
  }
  post(overflow_->change(next.config, clock_.wall()));
  if (is_first) overflow_->restore(stored_);
  resolve_left(std::exchange(stored_, {}));
  for (size_t i = 0; i < fresh; ++i) groups[i]->start();
  const std::scoped_lock lock(mutex_);
  groups_ = std::move(groups);
  current_ = std::move(next);
  drop_old_holds();
  metrics_.set(WebMetric::config_generation, {}, static_cast<double>(++generation_));
  metrics_.set(WebMetric::config_last_reload_successful, {}, 1);
  metrics_.set(WebMetric::config_last_reload_success_timestamp_seconds, {},
               static_cast<double>(unix_seconds(clock_.wall())));
  return std::nullopt;
}

// Those that go on, with what is new for them. The others end; and what nobody goes on with there
// is in stored_.
std::vector<std::unique_ptr<RuleGroup>> RunningDaemon::take_groups(
    const GroupPlan& plan, std::shared_ptr<const DaemonConfig> config) {
  std::vector<std::unique_ptr<RuleGroup>> out, gone;
  {
    const std::scoped_lock lock(mutex_);
    for (auto& group : groups_) {
      const auto part = std::ranges::find(plan.parts, group.get(), &GroupPlan::Part::group);
      if (part == plan.parts.end()) {
        gone.push_back(std::move(group));
        continue;
      }
      group->adopt(part->setup, part->rules);
      out.push_back(std::move(group));
    }
    groups_.clear();
    config_ = std::move(config);
  }
  const auto keep = [this](std::vector<StoredAlert> states) {
    for (StoredAlert& state : states) stored_.insert_or_assign(state.key, std::move(state));
  };
  for (const auto& group : gone) keep(group->stop());
  for (const auto& group : out) keep(group->given_up());
  return out;
}

void RunningDaemon::drop_old_holds() {
  std::set<std::string> rules, hosts{""};  // some rules are about all hosts
  for (const RuleBlock& block : current_.blocks) {
    for (const BlockRule& rule : block.rules) rules.insert(rule.name);
  }
  for (const ConfigHost& host : current_.config->hosts) hosts.insert(host.name);
  StateBatch batch{.holds_gone = actions_->keep_only([&](const HoldKey& key) {
    return rules.contains(key.rule) && hosts.contains(key.host);
  })};
  if (batch.size() > 0) writer_->post(std::move(batch));
}

// Rules and hosts that are no more.
void RunningDaemon::resolve_left(std::map<AlertKey, StoredAlert> left) {
  AlertOutput out{.sinks = &config_->sinks, .board = board_, .metrics = metrics_, .page = page_};
  for (auto& [key, alert] : left) resolve_removed(std::move(alert), clock_.wall(), out);
  post(std::move(out.batch));
}

void RunningDaemon::post(StateBatch batch) {
  if (writer_ && batch.size() > 0) writer_->post(std::move(batch));
}

// ---- running

void RunningDaemon::run() {
  while (!call_.stop()) {
    bool wanted = call_.hangup();
    // Also where the configuration is found to be wrong then.
    if (wanted || (call_.reopens_log && call_.reopens_log())) reopen_log();
    if (call_.wants_dump && call_.wants_dump()) dump();
    watch_overflow();
    {
      std::unique_lock lock(mutex_);
      changed_.wait_for(lock, kLongestPause, [&] { return wanted || !reloads_.empty(); });
      wanted = wanted || !reloads_.empty();
    }
    if (wanted) answer_reloads();
  }
  log_.write(LogLevel::info, "stops");
  if (call_.notify) call_.notify("STOPPING=1");
}

void RunningDaemon::watch_overflow() {
  if (clock_.now() < next_overflow_) return;
  next_overflow_ = clock_.now() + OverflowWatch::kBetweenLooks;
  const bool was_full = overflow_->is_full();
  post(overflow_->look(std::chrono::floor<Milliseconds>(clock_.wall())));
  if (was_full == overflow_->is_full()) return;
  log_.write(
      was_full ? LogLevel::info : LogLevel::error,
      was_full ? "there is room for alerts again" : "[alerts] max is reached: more are dropped",
      {{"max", fmt::format("{}", config_->alerts.max)}});
}

void RunningDaemon::reopen_log() {
  if (const auto opened = log_.reopen(); !opened) {
    log_.write(LogLevel::error, "the log cannot be opened again",
               {{"reason", opened.error().text()}});
  }
}

// What the pages of HTTP say, for those who have no port.
void RunningDaemon::dump() {
  log_.write(LogLevel::info, "state: alerts", {{"alerts", board_.json()}});
  log_.write(LogLevel::info, "state: metrics", {{"metrics", metrics_text()}});
}

// Those who ask while one goes on are answered by another one.
void RunningDaemon::answer_reloads() {
  std::deque<WebRespond> waiting;
  {
    const std::scoped_lock lock(mutex_);
    waiting.swap(reloads_);
  }
  const auto wrong = reload();
  for (WebRespond& respond : waiting) {
    respond({.status = wrong ? 422 : 200, .body = wrong ? *wrong : "reloaded\n"});
  }
}

// Nothing resolves: what fires is told again after the next start.
void RunningDaemon::stop() {
  std::vector<std::unique_ptr<RuleGroup>> groups;
  {
    const std::scoped_lock lock(mutex_);
    groups.swap(groups_);
    ready_ = false;
  }
  for (const auto& group : groups) {
    post({.alerts = group->stop()});
  }
  if (actions_) actions_->stop();
  if (writer_) (void)writer_->commit_now({});
  if (sinks_) sinks_->stop(clock_.now() + kSinksGet);
  if (writer_) writer_->stop();
  if (web_) web_->stop();
}

}  // namespace pmjit
