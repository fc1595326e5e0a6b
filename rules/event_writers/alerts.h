// Alerts: the times in which rules are true, and how those of two runs differ.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "rules/model/events.h"

namespace pmjit {

struct Alert {
  std::string rule;
  double from = 0, to = 0;              // seconds
  bool goes_on = false;                 // at the end of the run
  std::vector<RuleBinding> bindings{};  // when it began
};

// Takes the place of a format: what it was told is in alerts(), by beginning.
class AlertCollector final : public EventWriter {
 public:
  void begin(const ReplaySchema& schema) override;
  void put(const RuleTransition& event) override;
  void put(const RuleAction&) override {}
  void end(double when, std::span<const RuleState> states) override;

  [[nodiscard]] const std::vector<Alert>& alerts() const { return alerts_; }
  // Of several hosts with the host: web1:busy.
  [[nodiscard]] const std::vector<std::string>& rules() const { return rules_; }

 private:
  std::vector<std::string> rules_;
  std::vector<Alert> open_;  // one a rule; `from` is set where it is true
  std::vector<Alert> alerts_;
};

enum class AlertChange : uint8_t { gained, lost, moved, same };
[[nodiscard]] std::string_view alert_change_text(AlertChange change);

struct AlertDiff {
  AlertChange change;
  std::string rule;
  std::vector<Alert> before{}, after{};  // that overlap; of gained none before, of lost none after
};

// Rules meet by name. Alerts of a rule that overlap, at a moment at least, belong together. By rule
// in the order of `rules`, then by time.
[[nodiscard]] std::vector<AlertDiff> compare_alerts(const std::vector<std::string>& rules,
                                                    const std::vector<Alert>& before,
                                                    const std::vector<Alert>& after);

// How two runs' alerts differ, as text.
struct DiffInput {
  std::vector<std::string> only_before, only_after;  // rules that one side alone has
  std::vector<AlertDiff> diffs;
};

[[nodiscard]] bool changes_something(const DiffInput& input);

struct DiffFormat {
  std::string_view name, what;
  std::string (*make)(const DiffInput& input, Zone& zone);
};
[[nodiscard]] std::span<const DiffFormat> diff_formats();
[[nodiscard]] const DiffFormat* find_diff_format(std::string_view name);

}  // namespace pmjit
