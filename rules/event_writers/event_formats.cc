#include "rules/event_writers/event_formats.h"

#include <algorithm>

namespace pmjit {

namespace {
constexpr EventFormat kFormats[] = {
    {"table", "a line an event, for people", make_event_table},
    {"json", "JSON lines, an object an event; times in UTC", make_event_json},
    {"timeline", "a line of blocks a rule: when it was true", make_event_timeline},
};
}  // namespace

std::span<const EventFormat> event_formats() { return kFormats; }

const EventFormat* find_event_format(std::string_view name) {
  const auto* const found = std::ranges::find(kFormats, name, &EventFormat::name);
  return found == std::end(kFormats) ? nullptr : found;
}

}  // namespace pmjit
