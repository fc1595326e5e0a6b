// JSON lines: an object an event.
#include <fmt/core.h>

#include <cmath>

#include "rules/event_writers/event_formats.h"
#include "runtime/model/stamp.h"
#include "runtime/report/text/quoting.h"

namespace pmjit {

namespace {

std::string text_or_null(const std::optional<std::string>& text) {
  return text ? json_text(*text) : "null";
}

std::string number_or_null(double value) {
  return std::isfinite(value) ? fmt::format("{}", value) : "null";
}

std::string binding_json(const RuleBinding& binding) {
  std::string values = binding.text ? json_text(*binding.text) : "";
  for (const double value : binding.values) {
    if (!values.empty()) values += ',';
    values += number_or_null(value);
  }
  return fmt::format(R"({{"host":{},"instance":{},"values":[{}]}})", text_or_null(binding.host),
                     text_or_null(binding.instance), values);
}

std::string bindings_json(const std::vector<RuleBinding>& bindings) {
  std::string out;
  for (const RuleBinding& binding : bindings) {
    if (!out.empty()) out += ',';
    out += binding_json(binding);
  }
  return out;
}

class JsonWriter final : public EventWriter {
 public:
  explicit JsonWriter(Sink& sink) : sink_(sink) {}

  void begin(const ReplaySchema& schema) override { schema_ = schema; }

  void put(const RuleTransition& event) override {
    if (schema_.is_told_as_alert(event)) return;
    const Transition& t = event.transition;
    sink_.put(fmt::format(
        R"({{"event":"transition","time":"{}","rule":{}{},"from":{},"to":"{}","lasted":{},)"
        R"("bindings":[{}]}})"
        "\n",
        event_iso(t.when), json_text(schema_.rules[event.rule]), host(event.rule),
        t.is_first ? "null" : fmt::format("\"{}\"", rule_truth_text(t.from)), rule_truth_text(t.to),
        t.is_first ? "null" : fmt::format("{}", whole_micros(t.lasted)),
        bindings_json(event.bindings)));
  }

  void put_alert(const RuleAlert& event) override {
    sink_.put(fmt::format(
        R"({{"event":"alert","time":"{}","rule":{}{},"state":"{}","severity":"{}","since":"{}",)"
        R"("reason":{},"bindings":[{}]}})"
        "\n",
        event_iso(event.when), json_text(schema_.rules[event.rule]), host(event.rule), event.event,
        event.severity, event_iso(event.since),
        event.reason.empty() ? "null" : json_text(event.reason), bindings_json(event.bindings)));
  }

  void put(const RuleAction& event) override {
    sink_.put(fmt::format(
        R"({{"event":"action","time":"{}","rule":{}{},"verb":"{}","text":{},"performed":false}})"
        "\n",
        event_iso(event.when), json_text(schema_.rules[event.rule]), host(event.rule), event.verb,
        json_text(event.text)));
  }

  void end(double, std::span<const RuleState>) override {}

 private:
  // Where there are several; null: the rule is about all of them.
  [[nodiscard]] std::string host(uint32_t rule) const {
    if (schema_.hosts.empty()) return {};
    const std::string& host = schema_.hosts[rule];
    return ",\"host\":" + (host.empty() ? "null" : json_text(host));
  }

  Sink& sink_;
  ReplaySchema schema_;
};

}  // namespace

std::string event_iso(double when) {
  const auto us = static_cast<int64_t>(std::llround(when * 1e6));
  const int64_t sec = (us >= 0 ? us : us - 999'999) / 1'000'000;
  return iso_utc({sec, static_cast<int32_t>((us - sec * 1'000'000) * 1000)});
}

std::unique_ptr<EventWriter> make_event_json(Sink& sink, Zone) {
  return std::make_unique<JsonWriter>(sink);
}

}  // namespace pmjit
