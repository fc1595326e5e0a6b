// RunningDaemon: the parts of the daemon, in the order in which they start, and what goes on until
// it stops: reloads, pages, hang-ups. Source: spec alerting.md §2.6, §5.5, §10.
//
//   RunningDaemon daemon(call, clock);
//   auto started = daemon.start(generation);     // state, listeners, sinks, hosts
//   daemon.run();                                // until call.stop()
//
// | thread            | does                                                    |
// |---|---|
// | the caller's      | reloads, and waits                                      |
// | one per [[rules]] | hosts, rules, alerts (RuleGroup)                        |
// | the state's       | SQLite; then sinks are told what is on disk             |
// | one per sink      | delivery                                                |
// | actions           | programs of rules                                       |
// | the web's         | HTTP                                                    |
#pragma once

#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "rules/actions/action_performer.h"
#include "rules/daemon/daemon.h"
#include "rules/daemon/daemon_log.h"
#include "rules/daemon/generation.h"
#include "rules/daemon/overflow_watch.h"
#include "rules/sinks/alert_sinks.h"
#include "rules/state/state_writer.h"
#include "rules/web/web_server.h"

namespace pmjit {

class RunningDaemon {
 public:
  // Both outlive it.
  RunningDaemon(const DaemonCall& call, const Clock& clock);
  ~RunningDaemon();
  RunningDaemon(const RunningDaemon&) = delete;
  RunningDaemon& operator=(const RunningDaemon&) = delete;

  [[nodiscard]] Result<void> start(Generation first);
  void run();

 private:
  [[nodiscard]] Result<void> open_state();
  [[nodiscard]] Result<void> open_web();
  [[nodiscard]] Result<void> make_folders() const;
  [[nodiscard]] Result<void> make_token(const HttpSection& http);
  void start_sinks();
  void fire_state_lost();
  void start_actions();
  [[nodiscard]] GroupWorld world();
  // What is wrong with the new configuration; none: it runs.
  [[nodiscard]] std::optional<std::string> reload();
  [[nodiscard]] std::optional<std::string> swap_to(Generation next, bool is_first);
  void tell_reloaded(const std::string& warnings);
  [[nodiscard]] std::vector<std::unique_ptr<RuleGroup>> take_groups(
      const GroupPlan& plan, std::shared_ptr<const DaemonConfig> config);
  void post(StateBatch batch);
  void drop_old_holds();
  void resolve_left(std::map<AlertKey, StoredAlert> left);
  void answer_reloads();
  void watch_overflow();
  void reopen_log();
  void dump();
  void print_action(const ActionJob& job, const PlannedAction& action);
  void stop();

  // daemon_pages.cc: what HTTP asks for.
  void handle(const WebRequest& request, WebRespond respond);
  [[nodiscard]] WebAnswer page(const WebRequest& request);
  [[nodiscard]] WebAnswer health(bool ready);
  [[nodiscard]] std::string metrics_text();
  void set_group_gauges();
  void set_state_bytes();
  [[nodiscard]] bool may_read(const WebRequest& request);

  const DaemonCall& call_;
  const Clock& clock_;
  DaemonLog log_;
  AlertBoard board_;
  MetricSheet metrics_;
  Generation current_{};  // of the caller's thread
  std::unique_ptr<StateStore> store_;
  std::unique_ptr<AlertSinks> sinks_;
  std::unique_ptr<StateWriter> writer_;
  std::unique_ptr<ActionPerformer> actions_;
  std::unique_ptr<WebServer> web_;
  std::unique_ptr<OverflowWatch> overflow_;
  Instant next_overflow_{};
  std::string page_, state_folder_;
  uint64_t generation_ = 0;
  std::map<AlertKey, StoredAlert> stored_;  // that no group has taken over yet
  std::vector<StoredHold> holds_;

  std::mutex mutex_;  // of what follows
  std::condition_variable changed_;
  std::vector<std::unique_ptr<RuleGroup>> groups_;
  std::shared_ptr<const DaemonConfig> config_;
  std::string token_;               // empty: the configuration names a file
  std::deque<WebRespond> reloads_;  // who waits for one
  bool ready_ = false;
};

}  // namespace pmjit
