// EventSink: the queue of a sink that takes events, and the thread that empties it. Source: spec
// alerting.md §8.
//
//   EventSink sink(block, clock, hooks);
//   sink.start({});                     // first what another one has left
//   sink.post(message, 0);              // returns at once
//   sink.stop(clock.now() + 5s);        // what cannot be delivered until then waits in the outbox
//
// Messages go in order, one at a time. One that fails is tried again after retry_min × 2ⁿ with full
// jitter, at most retry_max or what the receiver says, and is given up after `give_up`.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <random>
#include <string>
#include <string_view>
#include <thread>
#include <utility>

#include "rules/sinks/delivery.h"

namespace pmjit {

// What becomes of messages. Called by the threads of sinks.
struct SinkHooks {
  std::function<void(const OutboxOutcome&)> settled{};
  std::function<void(const AlertKey&)> acknowledged{};  // an alert that has ended: all have heard
  std::function<void(const std::string& sink, std::string_view result)> counted{};
  std::function<void(const std::string& sink, double seconds)> timed{};  // an attempt; or none
  std::function<void(const std::string& sink, const std::string& line)> log{};
};

class RetryDelay {
 public:
  RetryDelay(const SinkBlock& sink, uint64_t seed)
      : least_(sink.retry_min), most_(sink.retry_max), random_(seed) {}
  // After one more failure.
  [[nodiscard]] std::chrono::nanoseconds next();
  void succeeded() { failures_ = 0; }
  [[nodiscard]] uint32_t failures() const { return failures_; }

 private:
  std::chrono::nanoseconds least_, most_;
  uint32_t failures_ = 0;
  std::mt19937_64 random_;
};

class EventSink {
 public:
  // `clock` outlives it.
  EventSink(SinkBlock block, const Clock& clock, SinkHooks hooks);
  ~EventSink() { stop(clock_.now()); }
  EventSink(const EventSink&) = delete;
  EventSink& operator=(const EventSink&) = delete;

  // A message, and how often it was tried.
  struct Entry {
    OutboxMessage message;
    uint32_t attempts = 0;
  };
  // Delivers `left` and then what is posted; before that, messages wait.
  void start(std::deque<Entry> left);
  void post(OutboxMessage message, uint32_t attempts);
  [[nodiscard]] size_t waiting() const;
  // When the oldest one was made; none: nothing waits.
  [[nodiscard]] std::optional<WallTime> oldest() const;
  void stop(Instant deadline);
  // What is not settled; of one that has been stopped.
  [[nodiscard]] std::deque<Entry> take_rest() { return std::exchange(waiting_, {}); }

 private:
  void run();
  // False: it is to be tried again, after `delay_`.
  [[nodiscard]] bool deliver(Entry& entry);
  [[nodiscard]] bool is_too_old(const OutboxMessage& message) const;
  void settle(const Entry& entry, OutboxOutcome::State state, const std::string& why);
  void give_up(const Entry& entry, const std::string& why);
  [[nodiscard]] bool stops_now();

  const SinkBlock block_;
  const Clock& clock_;
  SinkHooks hooks_;
  std::unique_ptr<Deliverer> deliverer_;
  RetryDelay delay_;
  std::chrono::nanoseconds pause_{0};
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Entry> waiting_;
  std::optional<Instant> ends_{};
  std::thread thread_;
};

}  // namespace pmjit
