// An alert as sinks have it. Source: spec alerting.md §8.1, §8.2.
//
//   alertmanager_json(told)     an element of what POST /api/v2/alerts takes
//   webhook_json(told, "am")    Alertmanager's webhook, version 4, of one alert
//   event_line(told)            the alert alone, on one line
//
// Text that is not UTF-8 becomes U+FFFD, and so do control characters and those that turn the
// direction of text: Alertmanager forwards them as they are.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "rules/alerts/alert_labels.h"

namespace pmjit {

// What is told of an alert at one time.
struct ToldAlert {
  AlertLabels labels, notes;
  std::string event{};  // firing, unknown, known, resolved
  WallTime since{};
  std::optional<WallTime> ended{};
  std::string value{}, reason{};
  std::string episode{};
  std::string url{};  // of our own page of it; empty: there is none
};

// `ends`: of one that fires, when Alertmanager takes it for resolved unless it hears of it again.
[[nodiscard]] std::string alertmanager_json(const ToldAlert& told, WallTime ends);
[[nodiscard]] std::string webhook_json(const ToldAlert& told, std::string_view receiver);
[[nodiscard]] std::string event_line(const ToldAlert& told);

// `{"name":"value"}`
[[nodiscard]] std::string labels_json(const AlertLabels& labels);
// RFC 3339, UTC, milliseconds.
[[nodiscard]] std::string rfc3339(WallTime when);
// Control characters but tab and newline, and those that turn the direction, become U+FFFD.
[[nodiscard]] std::string clean_text(std::string_view text);

}  // namespace pmjit
