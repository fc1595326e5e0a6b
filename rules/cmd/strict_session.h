// Strict rules under the name pmie: read, checked and run over archives and a live host.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "rules/cmd/live_actions.h"
#include "rules/cmd/live_pmie.h"
#include "rules/cmd/rule_files.h"
#include "rules/cmd/stats_file.h"
#include "rules/compat/value_report.h"
#include "rules/model/events.h"
#include "rules/strict/definitions.h"
#include "rules/strict/rule_set.h"
#include "runtime/cmd/options.h"
#include "runtime/model/stamp.h"
#include "runtime/text/zone.h"

namespace pmjit::pmie {

class StrictSession {
 public:
  // What is wrong goes to `complain`, whole lines.
  explicit StrictSession(std::function<void(std::string_view)> complain)
      : complain_(std::move(complain)) {}

  // A file more. False: it has mistakes, which were told.
  [[nodiscard]] bool read(const RuleFileText& file, double delta);
  [[nodiscard]] bool any() const { return !set_.sources.empty(); }
  [[nodiscard]] bool has_stomp() const;

  struct ReplayWindow {
    std::vector<std::string> archives;
    // Where -n names metrics; outlives the run.
    const Options* names = nullptr;
    Stamp origin, end;
    Verbose verbose = Verbose::off;
    Zone zone{};
    std::function<bool()> stop = [] { return false; };
    // Live: then there are no archives.
    LivePmie* live = nullptr;
    LiveActions* actions = nullptr;
    std::function<void(const HostChange&)> tell{};
  };
  // Are they right for these archives? False: it was told why not.
  [[nodiscard]] bool check(const ReplayWindow& window);
  [[nodiscard]] bool run(const ReplayWindow& window, std::function<void(std::string_view)> put);

  // For the statistics of a live run: of the rules, without names of files; and of what came of
  // them so far. `host`: as it calls itself; empty: it has not been reached.
  [[nodiscard]] StatsAbout about() const;
  // Of evaluations over live hosts; over archives nobody counts them.
  [[nodiscard]] const StatsCounts& counts() const { return counts_; }
  [[nodiscard]] const std::string& host() const { return host_; }

 private:
  struct Opened;
  [[nodiscard]] std::optional<Opened> open(const ReplayWindow& window);
  [[nodiscard]] Result<void> open_archives(const ReplayWindow& window, Opened& out) const;
  [[nodiscard]] static Result<void> open_host(const ReplayWindow& window, Opened& out);
  [[nodiscard]] Result<void> run_live(const Opened& opened, const ReplayWindow& window,
                                      EventWriter& writer);
  [[nodiscard]] bool perform(const RuleAction& action, const ReplayWindow& window, Zone& zone);

  std::function<void(std::string_view)> complain_;
  strict::RuleSet set_;
  StatsCounts counts_;
  std::string host_;
};

}  // namespace pmjit::pmie
