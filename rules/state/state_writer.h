// StateWriter: the thread that commits batches, in their order. Source: spec alerting.md §7.
//
//   StateWriter writer(*store, clock, {.committed = [&](const StateBatch& batch) {
//   sinks.tell(batch); },
//                                      .failed = [&](const Error& why) { log(why); }});
//   writer.post(std::move(batch));          // returns at once
//   writer.stop();                          // commits what is left, and ends
//
// Batches that wait are committed together. Where a commit fails they are tried again each second.
// After 30 s they are told although they are not on disk.
#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "rules/state/state_store.h"

namespace pmjit {

inline constexpr size_t kStateEventsMost = 100'000;

class StateWriter {
 public:
  struct Hooks {
    // On the writer's thread: what is on disk now, with the numbers of its messages. Also what
    // could not be written for so long that it is told all the same.
    std::function<void(const StateBatch&)> committed{};
    std::function<void(const Error&)> failed{};
    std::function<void(std::chrono::nanoseconds took)> timed{};  // of each commit
  };
  struct Patience {
    std::chrono::milliseconds again{1'000}, told_anyway{30'000};
  };
  // `store` and `clock` outlive it.
  StateWriter(StateStore& store, const Clock& clock, Hooks hooks, Patience patience);
  StateWriter(StateStore& store, const Clock& clock, Hooks hooks)
      : StateWriter(store, clock, std::move(hooks), Patience{}) {}
  ~StateWriter() { stop(); }
  StateWriter(const StateWriter&) = delete;
  StateWriter& operator=(const StateWriter&) = delete;

  // From any thread. Beyond kStateEventsMost events what is new of the history is dropped.
  void post(StateBatch batch);
  // From any thread: when it returns the batch is on disk, or it cannot be written (false). Later
  // than what was posted before.
  [[nodiscard]] bool commit_now(StateBatch batch);
  // Events that wait.
  [[nodiscard]] size_t waiting() const;
  // What waits is tried once more. To be called once nobody posts any more.
  void stop();

 private:
  void run();
  void commit();
  [[nodiscard]] bool write(StateBatch& batch);
  void tell_anyway();
  void compact_if_due();

  StateStore& store_;
  const Clock& clock_;
  Hooks hooks_;
  Patience patience_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  StateBatch next_;
  uint64_t posted_ = 0, settled_ = 0, written_ = 0;  // batches: posted, tried, on disk
  size_t held_ = 0;                                  // events that failed commits have kept
  bool stops_ = false;
  // Of the thread: what is not on disk. `told_` was told although it is not.
  StateBatch untold_{}, told_{};
  std::optional<Instant> failing_since_{};
  Instant compacts_{};
  std::thread thread_;
};

}  // namespace pmjit
