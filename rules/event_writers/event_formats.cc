#include "rules/event_writers/event_formats.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

namespace pmjit {

namespace {

constexpr EventFormat kEventFormats[] = {
    {"table", "one line per event, for people", make_event_table},
    {"json", "JSON lines, one object per event; times in UTC", make_event_json},
    {"timeline", "one line of blocks per rule: when it was true", make_event_timeline},
};

// For people: a line an event, columns of the widest name.
std::string binding_text(const RuleBinding& binding) {
  std::string out = binding.host.value_or("");
  if (binding.instance) out += fmt::format("[{}]", *binding.instance);
  if (binding.text) out += fmt::format(" \"{}\"", *binding.text);
  for (size_t i = 0; i < binding.values.size(); ++i) {
    const double value = binding.values[i];
    if (i > 0) out += ',';
    if (i == 0 && !out.empty()) out += ' ';
    out += std::isnan(value) ? "?" : fmt::format("{:.6g}", value);
  }
  return out;
}

class EventTableWriter final : public EventWriter {
 public:
  EventTableWriter(Sink& sink, Zone zone) : sink_(sink), zone_(std::move(zone)) {}

  void begin(const ReplaySchema& schema) override {
    schema_ = schema;
    size_t width = 0, host_width = 0;
    for (const std::string& rule : schema.rules) width = std::max(width, rule.size());
    for (const std::string& host : schema.hosts) host_width = std::max(host_width, host.size());
    names_.clear();
    for (size_t i = 0; i < schema.rules.size(); ++i) {
      std::string& to = names_.emplace_back("  ");
      if (!schema.hosts.empty()) to += fmt::format("{:<{}}  ", schema.hosts[i], host_width);
      to += fmt::format("{:<{}}  ", schema.rules[i], width);
    }
  }

  void put(const RuleTransition& event) override {
    if (schema_.is_told_as_alert(event)) return;
    const Transition& t = event.transition;
    std::string line = head(t.when, event.rule);
    line += t.is_first ? std::string(rule_truth_text(t.to))
                       : fmt::format("{} -> {} after {}", rule_truth_text(t.from),
                                     rule_truth_text(t.to), duration_text(t.lasted));
    sink_.put(line + bindings_text(event.bindings) + "\n");
  }

  void put_alert(const RuleAlert& event) override {
    std::string line = head(event.when, event.rule) + std::string(event.event);
    if (event.event == "firing") line += fmt::format(" {}", event.severity);
    if (!event.reason.empty()) line += fmt::format(" ({})", event.reason);
    const double lasted = whole_micros(event.when - event.since);
    if (lasted > 0) line += fmt::format(" after {}", duration_text(lasted));
    sink_.put(line + bindings_text(event.bindings) + "\n");
  }

  void put(const RuleAction& event) override {
    put_head(event.when, event.rule);
    line_.append(event.verb).append(": ").append(event.text) += '\n';
    sink_.put(line_);
  }

  void end(double, std::span<const RuleState>) override {}

 private:
  static constexpr size_t kBindingsMax = 4;  // in a line

  static std::string bindings_text(const std::vector<RuleBinding>& bindings) {
    std::string out;
    for (size_t i = 0; i < bindings.size(); ++i) {
      out += i == 0 ? "  " : "; ";
      if (i == kBindingsMax) return out + fmt::format("and {} more", bindings.size() - i);
      out += binding_text(bindings[i]);
    }
    return out;
  }

  std::string head(double when, uint32_t rule) {
    put_head(when, rule);
    return line_;
  }
  void put_head(double when, uint32_t rule) {
    if (when_ != when) time_ = event_time_text(when, zone_);
    when_ = when;
    line_.assign(time_).append(names_[rule]);
  }

  Sink& sink_;
  Zone zone_;
  ReplaySchema schema_;
  std::vector<std::string> names_;  // of each rule, as wide as the widest
  std::optional<double> when_;      // of the event before, and
  std::string time_;                // its text
  std::string line_;                // the one at hand: there are many of actions
};

}  // namespace

std::span<const EventFormat> event_formats() { return kEventFormats; }

const EventFormat* find_event_format(std::string_view name) {
  const auto* const found = std::ranges::find(kEventFormats, name, &EventFormat::name);
  return found == std::end(kEventFormats) ? nullptr : found;
}

std::unique_ptr<EventWriter> make_event_table(Sink& sink, Zone zone) {
  return std::make_unique<EventTableWriter>(sink, std::move(zone));
}

}  // namespace pmjit
