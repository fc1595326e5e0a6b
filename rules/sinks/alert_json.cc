#include "rules/sinks/alert_json.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <chrono>

#include "runtime/report/text/quoting.h"

namespace pmjit {

namespace {

constexpr std::string_view kNever = "0001-01-01T00:00:00Z";

bool is_unwanted(uint32_t code) {
  const bool controls = code < 0x20 && code != '\t' && code != '\n';
  const bool turns = (code >= 0x202a && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069);
  return controls || code == 0x7f || turns;
}

std::string safe_json(std::string_view text) { return json_text(clean_text(text)); }

std::string ended_text(const ToldAlert& told) {
  return told.ended ? rfc3339(*told.ended) : std::string(kNever);
}

// The alert of a webhook's list, and of a file.
std::string alert_object(const ToldAlert& told) {
  return fmt::format(
      R"({{"status":"{}","labels":{},"annotations":{},"startsAt":"{}","endsAt":"{}",)"
      R"("generatorURL":{},"fingerprint":"{}","pmjit":{{"event":{},"episode":{},)"
      R"("value":{},"reason":{}}}}})",
      told.ended ? "resolved" : "firing", labels_json(told.labels), labels_json(told.notes),
      rfc3339(told.since), ended_text(told), safe_json(told.url),
      fingerprint_text(fingerprint(told.labels)), safe_json(told.event), safe_json(told.episode),
      safe_json(told.value), safe_json(told.reason));
}

}  // namespace

std::string clean_text(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const Utf8Char c = first_char(text);
    if (!c.valid || is_unwanted(c.code)) {
      out += "\xef\xbf\xbd";
    } else {
      out += text.substr(0, c.bytes);
    }
    text.remove_prefix(c.bytes);
  }
  return out;
}

std::string rfc3339(WallTime when) {
  const auto ms = std::chrono::floor<std::chrono::milliseconds>(when.time_since_epoch());
  const auto seconds = std::chrono::floor<std::chrono::seconds>(ms);
  return fmt::format("{:%Y-%m-%dT%H:%M:%S}.{:03}Z", fmt::gmtime(seconds.count()),
                     (ms - seconds).count());
}

std::string labels_json(const AlertLabels& labels) {
  std::string out = "{";
  for (const auto& [name, value] : labels) {
    if (out.size() > 1) out += ',';
    out += fmt::format("{}:{}", safe_json(name), safe_json(value));
  }
  return out += '}';
}

std::string alertmanager_json(const ToldAlert& told, WallTime ends) {
  std::string out = fmt::format(R"({{"labels":{},"annotations":{},"startsAt":"{}","endsAt":"{}")",
                                labels_json(told.labels), labels_json(told.notes),
                                rfc3339(told.since), rfc3339(told.ended.value_or(ends)));
  if (!told.url.empty()) out += fmt::format(R"(,"generatorURL":{})", safe_json(told.url));
  return out += '}';
}

std::string webhook_json(const ToldAlert& told, std::string_view receiver) {
  const auto name = told.labels.find("alertname");
  const AlertLabels group{{"alertname", name == told.labels.end() ? "" : name->second}};
  const std::string group_key = fmt::format("{{}}:{{alertname=\"{}\"}}", group.begin()->second);
  return fmt::format(
      R"({{"version":"4","receiver":{},"status":"{}","groupKey":{},"truncatedAlerts":0,)"
      R"("groupLabels":{},"commonLabels":{},"commonAnnotations":{},"externalURL":{},)"
      R"("alerts":[{}]}})",
      safe_json(receiver), told.ended ? "resolved" : "firing", safe_json(group_key),
      labels_json(group), labels_json(told.labels), labels_json(told.notes), safe_json(told.url),
      alert_object(told));
}

std::string event_line(const ToldAlert& told) { return alert_object(told) + '\n'; }

}  // namespace pmjit
