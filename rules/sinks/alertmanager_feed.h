// AlertmanagerFeed: what one Alertmanager is told: all alerts that fire, and those that have ended
// until it has heard so, as a whole, at each change and each `resend`. Source: spec alerting.md
// §8.1.
//
//   AlertmanagerFeed feed(block, url, clock, hooks);
//   feed.put(told);                      // it is sent at once
//   feed.stop(clock.now() + 5s);
#pragma once

#include <condition_variable>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "rules/sinks/alert_json.h"
#include "rules/sinks/event_sink.h"

namespace pmjit {

// An alert that sinks are told as a level.
struct LevelAlert {
  AlertKey key;
  ToldAlert told;
  std::chrono::milliseconds interval{0};  // of its rule
};

class AlertmanagerFeed {
 public:
  // `ended`: it has heard that this one has ended, and needs not be told again.
  using Ended = std::function<void(const std::string& url, const LevelAlert& alert)>;
  AlertmanagerFeed(SinkBlock block, std::string url, const Clock& clock, SinkHooks hooks,
                   Ended ended);
  ~AlertmanagerFeed() { stop(clock_.now()); }
  AlertmanagerFeed(const AlertmanagerFeed&) = delete;
  AlertmanagerFeed& operator=(const AlertmanagerFeed&) = delete;

  // In place of what was told of the same labels. With `unknown_label` one that is unknown fires
  // there twice, and one that is known again ends the second. Without `send_resolved`
  // what has ended is not sent any more.
  void put(const LevelAlert& alert);
  [[nodiscard]] size_t waiting() const;  // alerts of which it has not heard the newest
  void stop(Instant deadline);

 private:
  struct Entry {
    LevelAlert alert;
    bool heard = false;
  };
  using Batch = std::vector<LevelAlert>;

  void run();
  [[nodiscard]] Batch all() const;
  // With the label unknown="true": an alert of its own there.
  void put_twin(const LevelAlert& alert);
  void forget(const LevelAlert& alert);
  // True: each has been taken or given up.
  [[nodiscard]] bool send(std::span<const LevelAlert> alerts);
  [[nodiscard]] std::string body_of(std::span<const LevelAlert> alerts) const;
  void give_up(const LevelAlert& alert, const std::string& why);
  void heard(std::span<const LevelAlert> alerts);
  void forget_old();
  [[nodiscard]] bool stops_now();

  const SinkBlock block_;
  const std::string url_;
  const Clock& clock_;
  SinkHooks hooks_;
  Ended ended_;
  std::unique_ptr<Network> network_;
  RetryDelay delay_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::map<uint64_t, Entry> alerts_;  // by fingerprint
  bool dirty_ = false;
  std::optional<Instant> ends_{};
  std::thread thread_;
};

}  // namespace pmjit
