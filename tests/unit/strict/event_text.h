// EventText: events as text, for tests that compare what came out with what they have written down.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <string>

#include "rules/model/events.h"

namespace pmjit::strict {

// A line per event.
class EventText final : public EventWriter {
 public:
  // `epoch`: in seconds; times are told from there.
  explicit EventText(int64_t epoch) : epoch_(epoch) {}

  void begin(const ReplaySchema& schema) override { schema_ = schema; }
  void put(const RuleTransition& event) override {
    text_ += fmt::format("{:g} {} {}", seconds(event.transition.when), schema_.label(event.rule),
                         rule_truth_text(event.transition.to));
    for (const RuleBinding& binding : event.bindings) {
      text_ += fmt::format(" {}[{}]", binding.host.value_or("?"), binding.instance.value_or(""));
    }
    text_ += "\n";
  }
  void put(const RuleAction& event) override {
    text_ += fmt::format("{:g} {} {}: {}\n", seconds(event.when), schema_.label(event.rule),
                         event.verb, event.text);
  }
  void put_alert(const RuleAlert& event) override {
    text_ +=
        fmt::format("{:g} {} {} {} since {:g} {}", seconds(event.when), schema_.label(event.rule),
                    event.event, event.severity, seconds(event.since), event.reason);
    for (const RuleBinding& binding : event.bindings) {
      text_ += fmt::format(" {}[{}]", binding.host.value_or("?"), binding.instance.value_or(""));
    }
    text_ += "\n";
  }
  void end(double, std::span<const RuleState> states) override { states_ = states.size(); }

  [[nodiscard]] const std::string& text() const { return text_; }
  [[nodiscard]] size_t states() const { return states_; }

 private:
  [[nodiscard]] double seconds(double when) const { return when - static_cast<double>(epoch_); }

  int64_t epoch_;
  ReplaySchema schema_;
  std::string text_;
  size_t states_ = 0;
};

}  // namespace pmjit::strict
