// AlertSinks: all sinks of a configuration at work. Source: spec alerting.md §8.
//
//   AlertSinks sinks(clock, hooks, "http://web1:9145");
//   sinks.change(config.sinks);                   // at the start, and at each reload
//   sinks.restore(stored alerts, waiting messages);
//   sinks.tell(batch);                            // what is on disk now
//   sinks.stop(clock.now() + 5s);
//
// A sink whose keys have not changed goes on; another one is stopped, and what it had goes first to
// the new one of its name. Messages of a sink that is no more wait for a day: it may come back.
#pragma once

#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "rules/sinks/alertmanager_feed.h"
#include "rules/state/state_store.h"

namespace pmjit {

class AlertSinks {
 public:
  // `clock` outlives it. `page`: the address of our own pages; empty: none.
  AlertSinks(const Clock& clock, SinkHooks hooks, std::string page)
      : clock_(clock), hooks_(std::move(hooks)), page_(std::move(page)) {}
  ~AlertSinks() { stop(clock_.now()); }
  AlertSinks(const AlertSinks&) = delete;
  AlertSinks& operator=(const AlertSinks&) = delete;

  // From one thread at a time.
  void change(const std::vector<SinkBlock>& blocks);
  void stop(Instant deadline);

  // From any thread.
  void tell(const StateBatch& committed);
  void restore(const std::vector<StoredAlert>& alerts,
               const std::vector<StateStore::Waiting>& waiting);

  // Of each sink, by name.
  struct Load {
    size_t waiting = 0;
    std::optional<WallTime> oldest{};
  };
  [[nodiscard]] std::map<std::string, Load> loads() const;

 private:
  struct Running {
    SinkBlock block;
    std::unique_ptr<EventSink> events{};  // where the sink takes events
    bool started = false;
    std::vector<std::unique_ptr<AlertmanagerFeed>> feeds{};  // one a URL
  };

  using Messages = std::deque<EventSink::Entry>;

  [[nodiscard]] std::unique_ptr<Running> make(const SinkBlock& block);
  void stop_old(Running& old);
  void start_new();
  void post(const OutboxMessage& message, uint32_t attempts);
  void give_up_left();
  [[nodiscard]] std::vector<AlertKey> forget_old_urls();
  void tell_level(const StoredAlert& alert);
  void end_elsewhere(const StoredAlert& now);
  void heard_end(const std::string& sink, const std::string& url, const LevelAlert& alert);

  const Clock& clock_;
  SinkHooks hooks_;
  std::string page_;
  mutable std::mutex mutex_;
  std::map<std::string, std::unique_ptr<Running>> sinks_;
  // Alerts that are told as levels, for a sink that is new; and who has still to hear of an end.
  std::map<AlertKey, StoredAlert> levels_;
  std::map<AlertKey, std::set<std::string>> unheard_;  // "sink url"
  std::map<std::string, Messages> left_;               // of sinks that are not there, oldest first
};

[[nodiscard]] bool tells_levels(SinkType type);
[[nodiscard]] bool same_sink(const SinkBlock& one, const SinkBlock& other);

}  // namespace pmjit
