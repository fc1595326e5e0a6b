// The formats of rule events, each in its file.
#pragma once

#include "rules/model/events.h"

namespace pmjit {

[[nodiscard]] std::unique_ptr<EventWriter> make_event_table(Sink& sink, Zone zone);
[[nodiscard]] std::unique_ptr<EventWriter> make_event_json(Sink& sink, Zone zone);
[[nodiscard]] std::unique_ptr<EventWriter> make_event_timeline(Sink& sink, Zone zone);

// A time as JSON has it, in UTC.
[[nodiscard]] std::string event_iso(double when);

}  // namespace pmjit
