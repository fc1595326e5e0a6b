// Daemon: what a pmie that stays on its own does before it works: another user, a session of its
// own, the file that says which process is the primary one. It is the process that was started:
// nothing is forked. Source: spec rules-language.md §18, §20.
//
//   Daemon daemon({.user = "pcp", .primary = true});
//   if (!daemon.change_user(log)) return 1;
//   …                                           open what that user may write
//   daemon.settle();
#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace pmjit::pmie {

struct DaemonOptions {
  std::string user = "pcp";
  bool primary = false;
  bool own_session = true;  // not where a service manager has made one (-F)
};

class Daemon {
 public:
  using Log = std::function<void(std::string_view severity, std::string_view text)>;

  explicit Daemon(DaemonOptions options) : options_(std::move(options)) {}
  ~Daemon();  // takes the primary's file away
  Daemon(const Daemon&) = delete;
  Daemon& operator=(const Daemon&) = delete;

  // Before anything is opened: as the user. False: `log` was told why not.
  [[nodiscard]] bool change_user(const Log& log) const;
  // Once nothing of the start can fail any more.
  void settle();
  // Tells the service manager that waits for it, if one does.
  static void notify(std::string_view state);

 private:
  DaemonOptions options_;
  std::string pid_file_;  // that was written
};

}  // namespace pmjit::pmie
