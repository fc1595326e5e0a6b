// What the daemon answers over HTTP. Source: spec alerting.md §10.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "rules/daemon/running_daemon.h"
#include "rules/web/process_metrics.h"
#include "rules/web/web_access.h"

namespace pmjit {

namespace {

using namespace std::chrono_literals;

constexpr int kIntervalsUntilUnhealthy = 3;
constexpr auto kUnhealthyAtLeast = 10s;
// Other paths are counted together: their number is up to who asks.
constexpr auto kPaths = std::to_array<std::string_view>(
    {"/-/healthy", "/-/ready", "/-/reload", "/metrics", "/api/v1/alerts"});

WebAnswer text(int status, std::string body) { return {.status = status, .body = std::move(body)}; }

}  // namespace

void RunningDaemon::handle(const WebRequest& request, WebRespond respond) {
  const bool known = std::ranges::find(kPaths, request.path) != kPaths.end();
  const auto answer = [&](WebAnswer out) {
    metrics_.add(WebMetric::http_requests_total, {{"path", known ? request.path : "other"},
                                                  {"code", fmt::format("{}", out.status)}});
    respond(std::move(out));
  };
  if (request.path != "/-/reload") return answer(page(request));
  if (request.method != "POST") return answer(text(405, "reload is a POST\n"));
  std::string token;
  {
    const std::scoped_lock lock(mutex_);
    token = token_;
    if (!config_->http.token_file.empty()) {
      token = read_token_file(config_->http.token_file).value_or("");
    }
  }
  if (!bears_token(request.authorization, token)) {
    return answer(text(401,
                       "what changes something needs the token of [http] token_file, or of "
                       "the file `token` in [daemon] run: Authorization: Bearer TOKEN\n"));
  }
  const std::scoped_lock lock(mutex_);
  reloads_.push_back(std::move(respond));
  changed_.notify_all();
}

bool RunningDaemon::may_read(const WebRequest& request) {
  const std::scoped_lock lock(mutex_);
  const std::string& file = config_->http.read_token_file;
  return file.empty() || bears_token(request.authorization, read_token_file(file).value_or(""));
}

WebAnswer RunningDaemon::page(const WebRequest& request) {
  if (std::ranges::find(kPaths, request.path) == kPaths.end()) {
    return text(404, fmt::format("there are {}\n", fmt::join(kPaths, " ")));
  }
  if (request.method != "GET" && request.method != "HEAD") return text(405, "this is for GET\n");
  if (request.path == "/-/healthy") return health(false);
  if (request.path == "/-/ready") return health(true);
  if (!may_read(request)) return text(401, "this needs the token of [http] read_token_file\n");
  if (request.path == "/metrics") {
    return {.type = "text/plain; version=0.0.4; charset=utf-8", .body = metrics_text()};
  }
  return {.type = "application/json", .body = board_.json()};
}

WebAnswer RunningDaemon::health(bool ready) {
  const std::scoped_lock lock(mutex_);
  if (ready && !ready_) return text(503, "starting, or stopping\n");
  for (const auto& group : groups_) {
    const auto patience = kIntervalsUntilUnhealthy * group->shortest_interval() + kUnhealthyAtLeast;
    if (clock_.now() - group->alive_at() > patience) {
      return text(503, fmt::format("the rules of {} hang\n", group->name()));
    }
  }
  return text(200, ready ? "ready\n" : "healthy\n");
}

// Gauges are of the moment.
std::string RunningDaemon::metrics_text() {
  metrics_.clear(WebMetric::alerts);
  for (const auto& [labels, count] : board_.counts()) {
    metrics_.set(WebMetric::alerts, labels, static_cast<double>(count));
  }
  metrics_.clear(WebMetric::outbox);
  metrics_.clear(WebMetric::outbox_oldest_seconds);
  for (const auto& [sink, load] : sinks_->loads()) {
    metrics_.set(WebMetric::outbox, {{"sink", sink}}, static_cast<double>(load.waiting));
    const auto age = load.oldest ? clock_.wall() - *load.oldest : std::chrono::nanoseconds(0);
    metrics_.set(WebMetric::outbox_oldest_seconds, {{"sink", sink}},
                 std::chrono::duration<double>(age).count());
  }
  set_group_gauges();
  set_state_bytes();
  return metrics_.text() + process_metrics_text();
}

// Of hosts and rules, over all groups.
void RunningDaemon::set_group_gauges() {
  std::map<std::string, HostCondition> hosts;
  std::map<std::string, size_t> unknown;
  {
    const std::scoped_lock lock(mutex_);
    for (const auto& group : groups_) {
      for (const auto& [host, state] : group->hosts()) {
        HostCondition& known = hosts.try_emplace(host, state).first->second;
        known = std::max(known, state);
      }
      for (const auto& [reason, count] : group->unknown()) unknown[reason] += count;
    }
  }
  for (const auto& [state, name] :
       {std::pair{HostCondition::connecting, "connecting"}, std::pair{HostCondition::up, "up"},
        std::pair{HostCondition::late, "late"}, std::pair{HostCondition::down, "down"}}) {
    const auto count = std::ranges::count_if(
        hosts, [state = state](const auto& host) { return host.second == state; });
    metrics_.set(WebMetric::hosts, {{"state", name}}, static_cast<double>(count));
  }
  metrics_.clear(WebMetric::bindings_unknown);
  for (const auto& [reason, count] : unknown) {
    metrics_.set(WebMetric::bindings_unknown, {{"reason", reason}}, static_cast<double>(count));
  }
}

// With the log that SQLite writes ahead.
void RunningDaemon::set_state_bytes() {
  uintmax_t bytes = 0;
  for (const char* const end : {"", "-wal"}) {
    std::error_code failed;
    const auto size = std::filesystem::file_size(state_folder_ + "/pmjit.db" + end, failed);
    if (!failed) bytes += size;
  }
  metrics_.set(WebMetric::state_bytes, {}, static_cast<double>(bytes));
}

}  // namespace pmjit
