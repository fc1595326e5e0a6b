#include "rules/web/alert_board.h"

#include <fmt/format.h>

#include <utility>

#include "rules/sinks/alert_json.h"
#include "runtime/report/text/quoting.h"

namespace pmjit {

namespace {

std::string view_json(const AlertView& view) {
  std::string out = fmt::format(
      R"({{"labels":{},"annotations":{},"state":"{}","activeAt":"{}","value":{})",
      labels_json(view.labels), labels_json(view.notes), view.firing ? "firing" : "pending",
      rfc3339(view.since), json_text(clean_text(view.value)));
  if (view.unknown_since) {
    out += fmt::format(R"(,"unknownSince":"{}","unknownReason":{})", rfc3339(*view.unknown_since),
                       json_text(clean_text(view.reason)));
  }
  return out += '}';
}

}  // namespace

void AlertBoard::put(const AlertKey& key, AlertView view) {
  const std::scoped_lock lock(mutex_);
  alerts_.insert_or_assign(key, std::move(view));
}

void AlertBoard::drop(const AlertKey& key) {
  const std::scoped_lock lock(mutex_);
  alerts_.erase(key);
}

size_t AlertBoard::size() const {
  const std::scoped_lock lock(mutex_);
  return alerts_.size();
}

std::string AlertBoard::json() const {
  const std::scoped_lock lock(mutex_);
  std::string out = R"({"status":"success","data":{"alerts":[)";
  bool first = true;
  for (const auto& [key, view] : alerts_) {
    if (!std::exchange(first, false)) out += ',';
    out += view_json(view);
  }
  return out += "]}}\n";
}

std::map<AlertLabels, size_t> AlertBoard::counts() const {
  const std::scoped_lock lock(mutex_);
  std::map<AlertLabels, size_t> out;
  for (const auto& [key, view] : alerts_) {
    const auto severity = view.labels.find("severity");
    ++out[{{"state", view.firing ? "firing" : "pending"},
           {"severity", severity == view.labels.end() ? "" : severity->second}}];
  }
  return out;
}

}  // namespace pmjit
