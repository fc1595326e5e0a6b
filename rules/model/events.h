// What happens to rules while they run, as data for whoever writes it.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "runtime/report/sink/sink.h"
#include "runtime/text/zone.h"

namespace pmjit {

// What is known of a rule from one evaluation to the next, and what changes: pure values.
enum class RuleTruth : uint8_t { no, yes, unknown };
[[nodiscard]] std::string_view rule_truth_text(RuleTruth truth);  // "false", "true", "unknown"

struct RuleState {
  std::optional<RuleTruth> truth{};  // none: it has not been evaluated
  double since = 0;                  // seconds: when it became so
};

struct Transition {
  RuleTruth from = RuleTruth::unknown, to = RuleTruth::unknown;
  bool is_first = false;  // nothing was before: `from` says nothing
  double when = 0;        // seconds
  double lasted = 0;      // seconds that it had been as before
};

struct RuleStep {
  RuleState state;
  std::optional<Transition> transition{};  // none: as before
};
[[nodiscard]] RuleStep step(const RuleState& state, RuleTruth truth, double now);

// For which element a rule is true, and its value there.
struct RuleBinding {
  std::optional<std::string> host{}, instance{};
  std::vector<double> values{};       // newest first; NaN where there is none
  std::optional<std::string> text{};  // instead, where the value is a text
  // What `%{value.NAME}` of an alert's notes is, by name.
  std::vector<std::pair<std::string, std::string>> named{};
};

struct RuleTransition {
  uint32_t rule = 0;  // of ReplaySchema::rules
  Transition transition;
  std::vector<RuleBinding> bindings{};  // where it became true
};

struct RuleAction {
  uint32_t rule = 0;
  double when = 0;
  std::string_view verb;
  std::string text;
};

// What becomes of an alert (`alert` in strict rules): of the rule's only one, or of an instance's.
// Source: spec alerting.md §4.
struct RuleAlert {
  uint32_t rule = 0;
  double when = 0;
  std::string_view event;     // pending, inactive, firing, unknown, known, resolved
  std::string_view severity;  // info, warning, critical
  double since = 0;           // seconds: when it became true, or unknown
  std::vector<RuleBinding> bindings{};
  std::string reason{};  // why it is unknown, or has ended; empty: no other than that it is false
};

struct ReplaySchema {
  std::vector<std::string> rules;  // names, in the order of the text
  double start = 0;                // of the run, seconds; nobody needs to know its end yet
  // Over several hosts a rule runs once per host. Of each of `rules`: its host, empty where it is
  // about all of them, and which rule of the text it is. Both are empty over one host.
  std::vector<std::string> hosts{};
  std::vector<size_t> numbers{};

  // Of each of `rules`: is it an alert? Empty: none is.
  std::vector<bool> alerts{};

  [[nodiscard]] bool is_alert(size_t rule) const { return !alerts.empty() && alerts[rule]; }
  // Is it what a RuleAlert says: that it fires, or does no more?
  [[nodiscard]] bool is_told_as_alert(const RuleTransition& event) const;
  [[nodiscard]] size_t number(size_t rule) const { return numbers.empty() ? rule : numbers[rule]; }

  // `web1:busy`, or the name alone.
  [[nodiscard]] std::string label(size_t rule) const {
    if (hosts.empty() || hosts[rule].empty()) return rules[rule];
    return hosts[rule] + ":" + rules[rule];
  }
};

// One format: rules in, text out. Gets what happens in the order in which it does.
class EventWriter {
 public:
  virtual ~EventWriter() = default;
  virtual void begin(const ReplaySchema& schema) = 0;
  virtual void put(const RuleTransition& event) = 0;
  virtual void put(const RuleAction& event) = 0;
  // Before the rule's actions, and behind its transition, which is true while an alert fires.
  virtual void put_alert(const RuleAlert& event) { (void)event; }
  // `when`: the end of the run, seconds. `states`: of each rule then.
  virtual void end(double when, std::span<const RuleState> states) = 0;
};

struct EventFormat {
  std::string_view name, what;
  std::unique_ptr<EventWriter> (*make)(Sink& sink, Zone zone);
};
[[nodiscard]] std::span<const EventFormat> event_formats();
[[nodiscard]] const EventFormat* find_event_format(std::string_view name);

// 2023-11-14 23:13:20.123+01:00: with the milliseconds that it has, if any.
[[nodiscard]] std::string event_time_text(double when, Zone& zone);
// A difference of two times, which as binary64 has noise behind the microseconds.
[[nodiscard]] double whole_micros(double seconds);
// `0.1s`, `10s`, `2m30.5s`, `1h`, `3d2h`: the two largest units, seconds with their milliseconds.
[[nodiscard]] std::string duration_text(double seconds);

}  // namespace pmjit
