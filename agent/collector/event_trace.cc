#include "agent/collector/event_trace.h"

#include <fmt/format.h>

#include <array>
#include <cstdlib>
#include <ctime>
#include <utility>

#include "runtime/wire/pdu.h"

namespace pmjit {

EventTrace::EventTrace(const Clock& clock, const CollectorState& state)
    : clock_(&clock), state_(&state), zone_(tz::load_rules(std::getenv("TZ"))) {}

void EventTrace::came(uint32_t client, Place place, const std::string& address) {
  places_[client] = place;
  if (state_->traces_connections == 0) return;
  add(fmt::format("New client: [{}] addr={}, fd={}", place.slot, address, place.fd));
}

void EventTrace::went(uint32_t client) {
  const auto known = places_.extract(client);
  if (state_->traces_connections == 0 || known.empty()) return;
  add(fmt::format("End client: [{}] fd={}", known.mapped().slot, known.mapped().fd));
}

void EventTrace::add_pdu(const char* way, uint32_t client, uint32_t code) {
  const auto place = places_.find(client);
  add(fmt::format("{}: {} PDU, fd={}", way, wire::pdu_name(code),
                  place == places_.end() ? -1 : place->second.fd));
}

void EventTrace::add(std::string text) {
  if (state_->traces_unbuffered != 0) {
    lines_.push_back(fmt::format("->{} {}", time_text(clock_->wall(), "%H:%M:%S"), text));
    return;
  }
  kept_.push_back({.at = clock_->wall(), .text = std::move(text)});
  while (kept_.size() > static_cast<size_t>(state_->trace_buffers)) kept_.pop_front();
}

std::vector<std::string> EventTrace::take_lines() { return std::exchange(lines_, {}); }

// A time stands only where it is another one than that of the line before.
std::string EventTrace::take_dump() {
  if (kept_.empty()) return "";
  std::string out = fmt::format("\n->PMCD event trace: starting at {}\n",
                                time_text(kept_.front().at, "%a %b %e %H:%M:%S %Y"));
  std::string before = time_text(kept_.front().at, "%H:%M:%S");
  for (const Event& event : std::exchange(kept_, {})) {
    const std::string at = time_text(event.at, "%H:%M:%S");
    out += fmt::format("->{:<8} {}\n", at == before ? "" : at, event.text);
    before = at;
  }
  return out;
}

std::string EventTrace::time_text(WallTime at, const char* form) const {
  std::tm parts{};
  std::array<char, 64> out{};
  if (!zone_->local(unix_seconds(at), parts)) return "";
  return {out.data(), std::strftime(out.data(), out.size(), form, &parts)};
}

}  // namespace pmjit
