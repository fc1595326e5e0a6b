// DaemonLog: the daemon's log, a line an event, as logfmt or JSON. Source: spec alerting.md §2.2.
//
//   log.write(LogLevel::warn, "host is down", {{"host", "web1"}, {"reason", why}});
//   time=2026-11-25T10:00:00.000Z level=warn msg="host is down" host=web1 reason="no route"
//
// Any thread may write, and none waits for a reader: lines that there is no room for are counted,
// and a later one tells their number. A file is opened again by change(), so logs can be moved
// away.
#pragma once

#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "rules/daemon_config/daemon_config.h"
#include "runtime/base/clock.h"
#include "runtime/base/log_output.h"
#include "runtime/base/result.h"

namespace pmjit {

class DaemonLog {
 public:
  using Fields = std::vector<std::pair<std::string_view, std::string>>;

  explicit DaemonLog(const Clock& clock);
  DaemonLog(const DaemonLog&) = delete;
  DaemonLog& operator=(const DaemonLog&) = delete;

  // An error: the file cannot be opened; then the one before goes on.
  [[nodiscard]] Result<void> change(const LogSection& section);
  // The same file, by its name: another program has moved it.
  [[nodiscard]] Result<void> reopen();
  void write(LogLevel level, std::string_view message, const Fields& fields = {});

 private:
  [[nodiscard]] std::string line(LogLevel level, std::string_view message,
                                 const Fields& fields) const;

  const Clock& clock_;
  std::mutex mutex_;
  LogSection section_{.file = "-"};
  LogOutput output_;
};

}  // namespace pmjit
