// LiveActions: what actions of rules do over live hosts. Source: spec rules-language.md §12.
//
//   LiveActions actions(put, flush);
//   actions.perform({.verb = PmieOp::shell, .text = "reboot"}, "Tue Nov 24 12:00:00 2026");
#pragma once

#include <sys/types.h>

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "compiler/compat/pmie/expr.h"
#include "runtime/base/installed.h"

namespace pmjit::pmie {

struct LiveAction {
  PmieOp verb = PmieOp::print;
  std::optional<std::string> text{};  // none: nothing is left of its arguments
  std::string syslog_tag{};           // empty: that of pmie
  std::optional<int> syslog_priority{};
  const void* of = nullptr;  // whose action it is: an alarm is shown once at a time
};

class LiveActions {
 public:
  // `put`: standard output, which `flush` empties before another program writes there. What such a
  // one writes goes to standard error if `to_stderr` says so. `stomp`: sends a text.
  LiveActions(std::function<void(std::string_view)> put, std::function<void()> flush,
              std::function<bool(const std::string&)> stomp, bool to_stderr)
      : put_(std::move(put)),
        flush_(std::move(flush)),
        stomp_(std::move(stomp)),
        to_stderr_(to_stderr) {}

  // False: it failed.
  [[nodiscard]] bool perform(const LiveAction& action, const std::string& when);
  // Alarms that have been closed leave no process behind. To be called from time to time.
  void reap();

 private:
  [[nodiscard]] pid_t fork_child();
  [[nodiscard]] bool run_shell(const std::string& command);
  void show_alarm(const LiveAction& action, const std::string& when);

  std::function<void(std::string_view)> put_;
  std::function<void()> flush_;
  std::function<bool(const std::string&)> stomp_;
  bool to_stderr_;
  std::map<const void*, pid_t> alarms_;  // that may be shown still; 0: is not
  std::optional<InstalledSettings> settings_{};
};

// What the operator of a rule is called.
[[nodiscard]] std::optional<PmieOp> verb_named(std::string_view name);

}  // namespace pmjit::pmie
