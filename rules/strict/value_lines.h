// What pmie prints, of strict rules: actions as they come, and behind each evaluation the values of
// -v, -V, -W and -X. Source: spec rules-language.md §11, §14.
//
//   ValueLines lines(set, {.verbose = Verbose::plain}, zone, put);
//   replay.watch(lines);
//   auto done = replay.run(lines, stop);
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "rules/compat/value_report.h"
#include "rules/strict/strict_replay.h"

namespace pmjit::strict {

class ValueLines final : public EventWriter, public ReplayWatcher {
 public:
  using Put = std::function<void(std::string_view)>;
  // All outlive it.
  ValueLines(const RuleSet& set, pmie::Verbose verbose, Zone& zone, Put put)
      : set_(set), verbose_(verbose), zone_(zone), put_(std::move(put)) {}

  void begin(const ReplaySchema&) override {}
  void put(const RuleTransition&) override {}
  void put(const RuleAction& event) override;
  void end(double, std::span<const RuleState>) override {}
  void evaluated(std::span<const Evaluated> rules, double when) override;

 private:
  void put_value(std::string& out, const Evaluated& rule) const;
  void put_values(std::string& out, const Evaluated& rule) const;
  void put_satisfying(std::string& out, const Evaluated& rule) const;
  static void put_place(std::string& out, const std::optional<std::string>& host,
                        const std::optional<std::string>& instance);
  [[nodiscard]] std::string label_of(const Evaluated& rule) const;
  [[nodiscard]] std::string time_of(double when) const;

  const RuleSet& set_;
  pmie::Verbose verbose_;
  Zone& zone_;
  Put put_;
  std::optional<double> action_when_{};  // of the action before, and
  std::string action_time_;              // its text
  std::string line_;                     // of the action at hand
};

}  // namespace pmjit::strict
