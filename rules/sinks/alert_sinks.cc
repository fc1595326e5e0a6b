#include "rules/sinks/alert_sinks.h"

#include <algorithm>
#include <iterator>
#include <tuple>
#include <utility>

namespace pmjit {

namespace {

constexpr auto kLeftWaits = std::chrono::hours(24);

auto facts(const SinkBlock& sink) {
  return std::tie(sink.name, sink.type, sink.send_resolved, sink.timeout, sink.retry_min,
                  sink.retry_max, sink.give_up, sink.token_file, sink.user, sink.password_file,
                  sink.alertmanager.urls, sink.alertmanager.resend, sink.alertmanager.unknown_label,
                  sink.webhook.url, sink.exec.argv, sink.exec.env, sink.file.path);
}

bool is_told(const StoredAlert& alert, const std::string& sink) {
  return std::ranges::find(alert.sinks, sink) != alert.sinks.end();
}

LevelAlert level_of(const StoredAlert& alert, const std::string& page) {
  const char* const event = alert.ended ? "resolved" : alert.life.noted ? "unknown" : "firing";
  return {.key = alert.key,
          .told = {.labels = alert.labels,
                   .notes = alert.notes,
                   .event = event,
                   .since = alert.life.since,
                   .ended = alert.ended,
                   .value = alert.value,
                   .reason = alert.reason,
                   .episode = episode_id(alert.labels, alert.life.since),
                   .url = page},
          .interval = std::chrono::milliseconds(alert.interval_ms)};
}

}  // namespace

bool tells_levels(SinkType type) { return type == SinkType::alertmanager; }

bool same_sink(const SinkBlock& one, const SinkBlock& other) { return facts(one) == facts(other); }

std::unique_ptr<AlertSinks::Running> AlertSinks::make(const SinkBlock& block) {
  auto out = std::make_unique<Running>(Running{.block = block});
  if (!tells_levels(block.type)) {
    out->events = std::make_unique<EventSink>(block, clock_, hooks_);
    return out;
  }
  for (const std::string& url : block.alertmanager.urls) {
    out->feeds.push_back(std::make_unique<AlertmanagerFeed>(
        block, url, clock_, hooks_,
        [this, name = block.name](const std::string& from, const LevelAlert& alert) {
          heard_end(name, from, alert);
        }));
  }
  return out;
}

// A sink that goes is stopped outside of the lock: its thread may be about to take it. Meanwhile
// messages wait in the new one, which begins with what the old one has left.
void AlertSinks::change(const std::vector<SinkBlock>& blocks) {
  std::vector<std::unique_ptr<Running>> gone;
  std::vector<AlertKey> heard;
  {
    const std::scoped_lock lock(mutex_);
    std::map<std::string, std::unique_ptr<Running>> next;
    for (const SinkBlock& block : blocks) {
      const auto running = sinks_.find(block.name);
      const bool stays = running != sinks_.end() && same_sink(running->second->block, block);
      next[block.name] = stays ? std::move(running->second) : make(block);
      if (stays || !tells_levels(block.type)) continue;
      for (const auto& [key, alert] : levels_) {
        if (!is_told(alert, block.name)) continue;
        for (const auto& feed : next[block.name]->feeds) feed->put(level_of(alert, page_));
      }
    }
    for (auto& [name, running] : sinks_) {
      if (running != nullptr) gone.push_back(std::move(running));
    }
    sinks_ = std::move(next);
    heard = forget_old_urls();
  }
  for (const auto& running : gone) stop_old(*running);
  start_new();
  for (const AlertKey& key : heard) hooks_.acknowledged(key);
}

void AlertSinks::stop_old(Running& old) {
  if (!old.events) return;
  old.events->stop(clock_.now());
  Messages rest = old.events->take_rest();
  const std::scoped_lock lock(mutex_);
  Messages& left = left_[old.block.name];
  left.insert(left.begin(), std::move_iterator(rest.begin()), std::move_iterator(rest.end()));
}

void AlertSinks::start_new() {
  const std::scoped_lock lock(mutex_);
  for (const auto& [name, sink] : sinks_) {
    if (!sink->events || std::exchange(sink->started, true)) continue;
    const auto left = left_.extract(name);
    sink->events->start(left.empty() ? Messages() : std::move(left.mapped()));
  }
  give_up_left();
}

// Alertmanagers that are no more need not hear that an alert has ended. Those whose end all have
// heard now.
std::vector<AlertKey> AlertSinks::forget_old_urls() {
  std::set<std::string> listening;
  for (const auto& [name, sink] : sinks_) {
    if (!sink->block.send_resolved) continue;
    for (const std::string& url : sink->block.alertmanager.urls) listening.insert(name + ' ' + url);
  }
  std::vector<AlertKey> heard;
  for (auto& [key, urls] : unheard_) {
    std::erase_if(urls, [&](const std::string& url) { return !listening.contains(url); });
    if (urls.empty()) heard.push_back(key);
  }
  for (const AlertKey& key : heard) unheard_.erase(key), levels_.erase(key);
  return heard;
}

void AlertSinks::post(const OutboxMessage& message, uint32_t attempts) {
  const auto sink = sinks_.find(message.sink);
  if (sink != sinks_.end() && sink->second->events) {
    sink->second->events->post(message, attempts);
  } else {
    left_[message.sink].push_back({.message = message, .attempts = attempts});
  }
}

void AlertSinks::give_up_left() {
  for (auto& [name, messages] : left_) {
    while (!messages.empty() && clock_.wall() - messages.front().message.created > kLeftWaits) {
      hooks_.settled({.sink = name,
                      .dedup = messages.front().message.dedup,
                      .state = OutboxOutcome::State::given_up,
                      .attempts = messages.front().attempts,
                      .error = "the configuration has no such sink any more"});
      messages.pop_front();
    }
  }
}

void AlertSinks::stop(Instant deadline) {
  std::map<std::string, std::unique_ptr<Running>> sinks;
  {
    const std::scoped_lock lock(mutex_);
    sinks.swap(sinks_);
  }
  for (const auto& [name, sink] : sinks) {
    if (sink->events) sink->events->stop(deadline);
    for (const auto& feed : sink->feeds) feed->stop(deadline);
  }
}

void AlertSinks::tell(const StateBatch& committed) {
  const std::scoped_lock lock(mutex_);
  for (const StoredAlert& alert : committed.alerts) tell_level(alert);
  for (const OutboxMessage& message : committed.messages) post(message, 0);
  give_up_left();
}

// Pending ones are nobody's business yet.
void AlertSinks::tell_level(const StoredAlert& alert) {
  if (alert.life.phase != Phase::firing && !alert.ended) return;
  end_elsewhere(alert);
  const LevelAlert level = level_of(alert, page_);
  std::set<std::string> unheard;
  for (const auto& [name, sink] : sinks_) {
    if (!tells_levels(sink->block.type) || !is_told(alert, name)) continue;
    for (const auto& feed : sink->feeds) feed->put(level);
    if (alert.ended && !sink->block.send_resolved) continue;
    for (const std::string& url : sink->block.alertmanager.urls) unheard.insert(name + ' ' + url);
  }
  if (!alert.ended) {
    levels_.insert_or_assign(alert.key, alert);
    unheard_.erase(alert.key);
    return;
  }
  levels_.erase(alert.key);
  if (unheard.empty()) return hooks_.acknowledged(alert.key);
  levels_.insert_or_assign(alert.key, alert);
  unheard_.insert_or_assign(alert.key, std::move(unheard));
}

// Sinks that had it and have it no more, because a route is another one, hear that it has ended.
void AlertSinks::end_elsewhere(const StoredAlert& now) {
  const auto before = levels_.find(now.key);
  if (before == levels_.end() || before->second.ended) return;
  StoredAlert left = before->second;
  left.ended = clock_.wall();
  for (const auto& [name, sink] : sinks_) {
    if (!tells_levels(sink->block.type) || !is_told(left, name) || is_told(now, name)) continue;
    for (const auto& feed : sink->feeds) feed->put(level_of(left, page_));
  }
}

void AlertSinks::heard_end(const std::string& sink, const std::string& url,
                           const LevelAlert& alert) {
  {
    const std::scoped_lock lock(mutex_);
    // Others of the same key have ended before: under other labels, or as unknown.
    const auto ended = levels_.find(alert.key);
    if (ended == levels_.end() || ended->second.ended != alert.told.ended ||
        ended->second.labels != alert.told.labels) {
      return;
    }
    const auto waiting = unheard_.find(alert.key);
    if (waiting == unheard_.end()) return;
    waiting->second.erase(sink + ' ' + url);
    if (!waiting->second.empty()) return;
    unheard_.erase(waiting);
    levels_.erase(alert.key);
  }
  hooks_.acknowledged(alert.key);
}

void AlertSinks::restore(const std::vector<StoredAlert>& alerts,
                         const std::vector<StateStore::Waiting>& waiting) {
  const std::scoped_lock lock(mutex_);
  for (const StoredAlert& alert : alerts) tell_level(alert);
  for (const StateStore::Waiting& one : waiting) post(one.message, one.attempts);
  give_up_left();
}

std::map<std::string, AlertSinks::Load> AlertSinks::loads() const {
  const std::scoped_lock lock(mutex_);
  std::map<std::string, Load> out;
  for (const auto& [name, sink] : sinks_) {
    Load& load = out[name];
    if (sink->events) load = {.waiting = sink->events->waiting(), .oldest = sink->events->oldest()};
    for (const auto& feed : sink->feeds) load.waiting = std::max(load.waiting, feed->waiting());
  }
  return out;
}

}  // namespace pmjit
