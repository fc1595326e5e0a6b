#include "rules/sinks/alertmanager_feed.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "runtime/client/net/asio_network.h"

namespace pmjit {

namespace {

constexpr size_t kAlertsOfRequest = 1'000;
constexpr int kSharesUntilResolved = 4;  // of `resend`, or of the rule's interval
constexpr auto kEndedIsTold = std::chrono::minutes(15);
constexpr auto kEndedAtMost = std::chrono::hours(24);
constexpr int kBadRequest = 400;

ToldAlert with_note(ToldAlert told) {
  if (told.event != "unknown") return told;
  told.notes["unknown"] = told.reason.empty() ? "yes" : "because of: " + told.reason;
  return told;
}

}  // namespace

AlertmanagerFeed::AlertmanagerFeed(SinkBlock block, std::string url, const Clock& clock,
                                   SinkHooks hooks, Ended ended)
    : block_(std::move(block)),
      url_(std::move(url)),
      clock_(clock),
      hooks_(std::move(hooks)),
      ended_(std::move(ended)),
      network_(make_network(clock)),
      delay_(block_, fnv1a(url_) ^ static_cast<uint64_t>(clock.wall().time_since_epoch().count())),
      thread_([this] { run(); }) {}

void AlertmanagerFeed::put(const LevelAlert& alert) {
  const std::scoped_lock lock(mutex_);
  if (alert.told.ended && !block_.send_resolved) return forget(alert);
  Entry entry{.alert = alert};
  entry.alert.told = with_note(std::move(entry.alert.told));
  if (block_.alertmanager.unknown_label) put_twin(entry.alert);
  alerts_.insert_or_assign(fingerprint(entry.alert.told.labels), std::move(entry));
  dirty_ = true;
  changed_.notify_all();
}

// What is no longer sent ends there when its time has passed.
void AlertmanagerFeed::forget(const LevelAlert& alert) {
  AlertLabels labels = alert.told.labels;
  alerts_.erase(fingerprint(labels));
  labels["unknown"] = "true";
  alerts_.erase(fingerprint(labels));
}

void AlertmanagerFeed::put_twin(const LevelAlert& alert) {
  LevelAlert twin = alert;
  twin.told.labels["unknown"] = "true";
  const uint64_t id = fingerprint(twin.told.labels);
  if (twin.told.event == "unknown") {
    alerts_.insert_or_assign(id, Entry{.alert = std::move(twin)});
    return;
  }
  const auto fires = alerts_.find(id);
  if (fires == alerts_.end() || fires->second.alert.told.ended) return;
  if (!block_.send_resolved) return void(alerts_.erase(fires));
  ToldAlert& told = fires->second.alert.told;
  told.ended = alert.told.ended.value_or(clock_.wall());
  told.event = "resolved";
  fires->second.heard = false;
}

size_t AlertmanagerFeed::waiting() const {
  const std::scoped_lock lock(mutex_);
  return static_cast<size_t>(
      std::ranges::count_if(alerts_, [](const auto& entry) { return !entry.second.heard; }));
}

void AlertmanagerFeed::stop(Instant deadline) {
  {
    const std::scoped_lock lock(mutex_);
    ends_ = deadline;
    changed_.notify_all();
  }
  if (thread_.joinable()) thread_.join();
}

bool AlertmanagerFeed::stops_now() {
  const std::scoped_lock lock(mutex_);
  return ends_ && clock_.now() >= *ends_;
}

void AlertmanagerFeed::run() {
  std::chrono::nanoseconds pause = block_.alertmanager.resend;
  std::unique_lock lock(mutex_);
  for (;;) {
    // After a failure what has changed waits as well.
    changed_.wait_for(lock, pause, [&] { return ends_ || (dirty_ && delay_.failures() == 0); });
    if (ends_ && (!dirty_ || clock_.now() >= *ends_)) return;
    dirty_ = false;
    const Batch batch = all();
    lock.unlock();
    bool sent = true;
    for (size_t at = 0; at < batch.size() && sent; at += kAlertsOfRequest) {
      const size_t size = std::min(kAlertsOfRequest, batch.size() - at);
      sent = send(std::span(batch).subspan(at, size));
    }
    pause = block_.alertmanager.resend;
    if (sent) {
      delay_.succeeded();
      forget_old();
    } else {
      pause = std::min<std::chrono::nanoseconds>(delay_.next(), pause);
    }
    lock.lock();
    dirty_ = dirty_ || !sent;
    if (ends_ && !sent) return;
  }
}

AlertmanagerFeed::Batch AlertmanagerFeed::all() const {
  Batch out;
  for (const auto& [id, entry] : alerts_) out.push_back(entry.alert);
  return out;
}

std::string AlertmanagerFeed::body_of(std::span<const LevelAlert> alerts) const {
  std::string out = "[";
  for (const LevelAlert& alert : alerts) {
    if (out.size() > 1) out += ',';
    const auto lasts = kSharesUntilResolved * std::max(block_.alertmanager.resend, alert.interval);
    out += alertmanager_json(alert.told, clock_.wall() + lasts);
  }
  return out += ']';
}

bool AlertmanagerFeed::send(std::span<const LevelAlert> alerts) {
  const auto url = read_http_url(url_);
  auto headers = authorization(block_);
  if (!url || !headers) {
    hooks_.log(block_.name, url ? headers.error().text() : "its URL cannot be used: " + url_);
    return false;
  }
  HttpPost post{.url = *url, .headers = *std::move(headers), .body = body_of(alerts)};
  if (post.url.path.ends_with('/')) post.url.path.pop_back();
  post.url.path += "/api/v2/alerts";
  const Instant began = network_->now();
  const auto answer =
      http_post(*network_, post, began + block_.timeout, [this] { return stops_now(); });
  if (hooks_.timed) {
    hooks_.timed(block_.name, std::chrono::duration<double>(network_->now() - began).count());
  }
  // Of a request with a bad label set the others were taken; which one it is is not said.
  if (answer && answer->status == kBadRequest) {
    if (alerts.size() == 1) return give_up(alerts.front(), answer->body), true;
    return send(alerts.first(alerts.size() / 2)) && send(alerts.subspan(alerts.size() / 2));
  }
  const Delivery done = delivery_of(answer);
  if (done.outcome == Delivery::Outcome::accepted) {
    if (delay_.failures() > 0) hooks_.log(block_.name, url_ + " takes alerts again");
    hooks_.counted(block_.name, "sent");
    heard(alerts);
    return true;
  }
  hooks_.counted(block_.name, "failed");
  if (delay_.failures() == 0) {
    hooks_.log(block_.name, fmt::format("{} does not take alerts, they wait: {}", url_, done.why));
  }
  return false;
}

void AlertmanagerFeed::give_up(const LevelAlert& alert, const std::string& why) {
  hooks_.counted(block_.name, "given_up");
  hooks_.log(block_.name, fmt::format("{} refuses alert {}, which is given up: {}", url_,
                                      labels_json(alert.told.labels), why));
  const std::scoped_lock lock(mutex_);
  alerts_.erase(fingerprint(alert.told.labels));
}

// What has changed since it was sent has not been heard.
void AlertmanagerFeed::heard(std::span<const LevelAlert> alerts) {
  const std::scoped_lock lock(mutex_);
  for (const LevelAlert& alert : alerts) {
    const auto found = alerts_.find(fingerprint(alert.told.labels));
    if (found == alerts_.end()) continue;
    const ToldAlert& now = found->second.alert.told;
    const bool same = now.since == alert.told.since && now.ended == alert.told.ended &&
                      now.event == alert.told.event;
    found->second.heard = found->second.heard || same;
  }
}

void AlertmanagerFeed::forget_old() {
  std::vector<LevelAlert> over;
  {
    const std::scoped_lock lock(mutex_);
    const WallTime now = clock_.wall();
    for (auto at = alerts_.begin(); at != alerts_.end();) {
      const auto& ended = at->second.alert.told.ended;
      const bool old = ended && ((at->second.heard && now - *ended > kEndedIsTold) ||
                                 now - *ended > kEndedAtMost);
      if (old) over.push_back(at->second.alert);
      at = old ? alerts_.erase(at) : std::next(at);
    }
  }
  for (const LevelAlert& alert : over) ended_(url_, alert);
}

}  // namespace pmjit
