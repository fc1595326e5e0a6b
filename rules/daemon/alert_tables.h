// AlertTable: what the configuration says of a rule's alert on a host: when it fires, its labels
// and texts, who is told. A reload makes new ones; alerts go on with them. Source: spec alerting.md
// §2.4, §3.3, §4.3.
//
//   const AlertTable table = alert_table(config, config.rules[0], key, &config.hosts[3], nullptr);
//   expand_text("%i on %h", facts)
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/strict_rules/rule_file.h"
#include "rules/daemon_config/config_problems.h"
#include "rules/daemon_config/daemon_config.h"
#include "rules/state/state_batch.h"

namespace pmjit {

struct AlertTable {
  bool is_wanted = false;  // some [rules.alert] names it
  AlertRule rule{};
  AlertLabels labels{};     // all of them
  AlertLabels notes{};      // with their selectors
  AlertLabels constants{};  // that %{value.NAME} of notes is
  std::string zone{};       // of %{since}; empty: the local one
  std::vector<std::string> sinks{};
  // Where it is to be told that the rule is unknown as a whole: the labels of that.
  AlertLabels unknown_labels{};
  bool tells_unknown = false;

  [[nodiscard]] std::string severity() const;  // as labels say it
};

// An `alert` of strict rules; `delta`: seconds between its evaluations.
struct BlockAlert {
  strict::AlertTerms terms;
  double delta = 10;
};

// `host`: null for a rule about all of them. `said`: by the rule itself; null: it is no `alert`.
[[nodiscard]] AlertTable alert_table(const DaemonConfig& config, const RulesBlock& block,
                                     const AlertKey& key, const ConfigHost* host,
                                     const BlockAlert* said);
// Of the built-in rule pmjit.host_down.
inline constexpr std::string_view kHostDownRule = "pmjit.host_down";
[[nodiscard]] AlertTable host_down_table(const DaemonConfig& config, const ConfigHost& host);
// Of the built-in rule pmjit.overflow.
inline constexpr std::string_view kOverflowRule = "pmjit.overflow";
[[nodiscard]] AlertTable overflow_table(const DaemonConfig& config);
// Of the built-in rule pmjit.state_lost; `daemon`: the daemon itself, as a host.
inline constexpr std::string_view kStateLostRule = "pmjit.state_lost";
[[nodiscard]] AlertTable state_lost_table(const DaemonConfig& config, const ConfigHost& daemon);

// The sinks that [[route]] chooses for these labels; without any route that matches those that no
// route names.
[[nodiscard]] std::vector<std::string> routed_sinks(const DaemonConfig& config,
                                                    const AlertLabels& labels);

// What selectors in notes stand for.
struct TextFacts {
  std::string host, instance, value, connection;
  std::string rule, severity;
  std::string since, held, reason;
  AlertLabels labels{};
  AlertLabels values{};  // of %{value.NAME}; what is not there is unknown
};
// %h %i %v %c, and the names in braces that note_name() knows; other % are literal. At most 4 KiB.
[[nodiscard]] std::string expand_text(std::string_view text, const TextFacts& facts);
// Other names in %{…} are errors.
void check_texts(const DaemonConfig& config, ConfigProblems& problems);

}  // namespace pmjit
