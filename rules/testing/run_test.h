// One test: its samples as archives in memory, its rules over them, and what came of it.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/compat/pmie/settings.h"
#include "compiler/diag/diag.h"
#include "rules/model/events.h"
#include "rules/testing/test_file.h"
#include "runtime/client/deriver.h"
#include "runtime/testing/case_file.h"

namespace pmjit {

// What happens to rules as the lines of an expectation, in one layout, so that lines that mean the
// same are the same text:
//
//   t=20s busy true web1[sda]      a transition, and for what the rule holds
//   t=20s busy print: sda is busy  an action
//   t=20s busy firing warning web1[sda]  an alert
struct EventLine {
  std::string rule, text;
};

enum class EventKind : uint8_t { transition, action, alert };

[[nodiscard]] EventLine event_line(const std::string& rule, const RuleTransition& event);
[[nodiscard]] EventLine event_line(const std::string& rule, const RuleAction& event);
[[nodiscard]] EventLine event_line(const std::string& rule, const RuleAlert& event);
[[nodiscard]] Result<std::vector<EventLine>> read_event_lines(const cases::Section& section,
                                                              EventKind kind);
// For what a rule holds is compared where the expectation says it.
[[nodiscard]] bool same_event(const std::string& expected, const std::string& actual);

// Of one rule in one test.
struct RuleSeen {
  std::string file;  // in which it stands; empty: in the test
  std::string name;
  bool was_true = false, was_false = false;
};

struct RuleTestOutcome {
  std::vector<EventLine> transitions, actions, alerts;
  std::vector<std::string> messages;     // of the reader of rules
  std::vector<std::string> mistakes;     // what they are about, each with its lines
  std::vector<std::string> unlike;       // comparisons of different things, each with its lines
  std::vector<std::string> names;        // of all statements, values too
  std::vector<std::string> alert_names;  // rules that are alerts
  std::vector<RuleSeen> rules;
  pmie::MacroNames macros;  // that the rules define
};

// What a test needs of its surroundings.
struct RuleTestWorld {
  DerivedMetrics& derived;
  const pmie::Settings& settings;
  std::span<const SourceText> definitions{};  // those of `derived`, for strict rules
  std::function<bool()> stop;                 // asked while it runs
};

// A failure: the test cannot be run.
[[nodiscard]] Result<RuleTestOutcome> run_rule_test(const RuleTestFile& file, const RuleTest& test,
                                                    const RuleTestWorld& world);

// A test of rules in the strict dialect.

// A text of rules; `file`: in which it stands, as tests of it are counted; empty: in the test.
struct RuleText {
  std::string name, text, file;
  std::string shown;        // the file, for people
  uint32_t first_line = 1;  // in it
};

// Its rules have errors: those are the messages, and nothing of them runs.
[[nodiscard]] Result<RuleTestOutcome> run_strict_test(const std::vector<RuleText>& texts,
                                                      double delta, TestHosts hosts,
                                                      const RuleTestWorld& world);

// TestEvents: what becomes of rules, as the outcome of a test has it.
class TestEvents final : public EventWriter {
 public:
  explicit TestEvents(RuleTestOutcome& to) : to_(to) {}

  void begin(const ReplaySchema& schema) override {
    schema_ = schema;
    to_.names.clear();
    to_.alert_names.clear();
    for (size_t i = 0; i < schema.rules.size(); ++i) {
      to_.names.push_back(schema.label(i));
      if (schema.is_alert(i)) to_.alert_names.push_back(schema.label(i));
    }
  }
  void put(const RuleTransition& event) override {
    to_.transitions.push_back(event_line(to_.names[event.rule], event));
    RuleSeen& seen = to_.rules[schema_.number(event.rule)];
    seen.was_true |= event.transition.to == RuleTruth::yes;
    seen.was_false |= event.transition.to == RuleTruth::no;
  }
  void put(const RuleAction& event) override {
    to_.actions.push_back(event_line(to_.names[event.rule], event));
  }
  void put_alert(const RuleAlert& event) override {
    to_.alerts.push_back(event_line(to_.names[event.rule], event));
  }
  void end(double, std::span<const RuleState>) override {}

 private:
  RuleTestOutcome& to_;
  ReplaySchema schema_;
};

}  // namespace pmjit
