#include "rules/sinks/event_sink.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

namespace pmjit {

namespace {

constexpr uint32_t kDoublingsMost = 20;

}  // namespace

std::chrono::nanoseconds RetryDelay::next() {
  const int64_t longest =
      std::min(most_.count(), least_.count() << std::min(failures_, kDoublingsMost));
  ++failures_;
  // Full jitter, but never none at all.
  std::uniform_int_distribution<int64_t> some(least_.count() / 10,
                                              std::max(longest, least_.count()));
  return std::chrono::nanoseconds(some(random_));
}

EventSink::EventSink(SinkBlock block, const Clock& clock, SinkHooks hooks)
    : block_(std::move(block)),
      clock_(clock),
      hooks_(std::move(hooks)),
      deliverer_(make_deliverer(block_, clock)),
      delay_(block_,
             fnv1a(block_.name) ^ static_cast<uint64_t>(clock.wall().time_since_epoch().count())) {}

void EventSink::start(std::deque<Entry> left) {
  const std::scoped_lock lock(mutex_);
  waiting_.insert(waiting_.begin(), std::move_iterator(left.begin()),
                  std::move_iterator(left.end()));
  thread_ = std::thread([this] { run(); });
}

void EventSink::post(OutboxMessage message, uint32_t attempts) {
  const std::scoped_lock lock(mutex_);
  waiting_.push_back({.message = std::move(message), .attempts = attempts});
  changed_.notify_all();
}

size_t EventSink::waiting() const {
  const std::scoped_lock lock(mutex_);
  return waiting_.size();
}

std::optional<WallTime> EventSink::oldest() const {
  const std::scoped_lock lock(mutex_);
  if (waiting_.empty()) return std::nullopt;
  return waiting_.front().message.created;
}

void EventSink::stop(Instant deadline) {
  {
    const std::scoped_lock lock(mutex_);
    ends_ = deadline;
    changed_.notify_all();
  }
  if (thread_.joinable()) thread_.join();
}

bool EventSink::stops_now() {
  const std::scoped_lock lock(mutex_);
  return ends_ && clock_.now() >= *ends_;
}

void EventSink::run() {
  std::unique_lock lock(mutex_);
  for (;;) {
    changed_.wait(lock, [&] { return ends_ || !waiting_.empty(); });
    if (waiting_.empty() || (ends_ && clock_.now() >= *ends_)) return;
    Entry entry = waiting_.front();
    lock.unlock();
    const bool settled = deliver(entry);
    lock.lock();
    if (settled) {
      waiting_.pop_front();
      continue;
    }
    waiting_.front().attempts = entry.attempts;
    // A receiver that is out of reach when the daemon stops is not waited for.
    if (ends_) return;
    changed_.wait_for(lock, pause_, [&] { return ends_.has_value(); });
  }
}

bool EventSink::deliver(Entry& entry) {
  if (is_too_old(entry.message)) return give_up(entry, "it is older than `give_up`"), true;
  const Instant began = clock_.now();
  const Delivery done = deliverer_->deliver(entry.message, [this] { return stops_now(); });
  if (hooks_.timed) {
    hooks_.timed(block_.name, std::chrono::duration<double>(clock_.now() - began).count());
  }
  ++entry.attempts;
  if (done.outcome == Delivery::Outcome::accepted) {
    if (delay_.failures() > 0) hooks_.log(block_.name, "accepts messages again");
    delay_.succeeded();
    hooks_.counted(block_.name, "sent");
    settle(entry, OutboxOutcome::State::sent, "");
    return true;
  }
  if (done.outcome == Delivery::Outcome::refused || is_too_old(entry.message)) {
    return give_up(entry, done.why), true;
  }
  if (delay_.failures() == 0) {
    hooks_.log(block_.name, fmt::format("does not take messages, they wait: {}", done.why));
  }
  hooks_.counted(block_.name, "failed");
  pause_ = delay_.next();
  if (done.after) pause_ = std::max<std::chrono::nanoseconds>(pause_, *done.after);
  settle(entry, OutboxOutcome::State::waiting, done.why);
  return false;
}

bool EventSink::is_too_old(const OutboxMessage& message) const {
  return clock_.wall() - message.created > block_.give_up;
}

void EventSink::give_up(const Entry& entry, const std::string& why) {
  hooks_.log(block_.name, fmt::format("message {} is given up: {}", entry.message.dedup, why));
  hooks_.counted(block_.name, "given_up");
  settle(entry, OutboxOutcome::State::given_up, why);
}

void EventSink::settle(const Entry& entry, OutboxOutcome::State state, const std::string& why) {
  hooks_.settled({.sink = block_.name,
                  .dedup = entry.message.dedup,
                  .state = state,
                  .attempts = entry.attempts,
                  .error = why});
}

}  // namespace pmjit
