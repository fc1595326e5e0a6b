// The reference walks from record to record to find the last time, but stays where it is at one
// that says "missed": the time printed as the last is then that of the first missed record, which
// is also counted again for every record behind it. The output is its, so the walk is too.
#include <fmt/format.h>

#include <iterator>

#include "runtime/model/event_bytes.h"
#include "runtime/text/print_value.h"
#include "runtime/text/time_text.h"

namespace pmjit {

namespace {

struct EventsWalk {
  EventHeader last{};
  bool ok = true;       // false: the array ends before the last record
  uint32_t missed = 0;  // wraps as the reference's int does
};

EventsWalk walk_to_last(EventBytes in, bool highres, uint32_t count) {
  EventsWalk out;
  for (uint32_t i = 0; i < count && in.ok(); ++i) {
    out.last = take_event_header(in, highres);
    const uint32_t behind = count - 1 - i;
    if ((out.last.flags & kEventMissed) != 0) {
      out.missed = behind * static_cast<uint32_t>(out.last.parameters);
      break;
    }
    if (behind == 0) break;
    for (int32_t p = 0; p < out.last.parameters && in.ok(); ++p) (void)take_parameter(in);
  }
  out.ok = in.ok();
  return out;
}

}  // namespace

void append_event_summary(std::string& out, const Value& value, bool highres, const Zone& zone) {
  EventBytes in(value.block);
  const auto count = in.take<int32_t>();
  fmt::format_to(std::back_inserter(out), "[{} event record{}", count, count == 1 ? "" : "s");
  const auto append_time = [&](Stamp stamp, bool known) {
    if (!known) {
      out += '?';  // the array is cut short
      return;
    }
    put_time_of_day(out, stamp, highres ? Fraction::nano : Fraction::milli, zone);
  };
  if (count > 0) {
    EventBytes at_first = in;
    const EventHeader first = take_event_header(at_first, highres);
    const EventsWalk walk = walk_to_last(in, highres, static_cast<uint32_t>(count));
    if (const auto missed = static_cast<int32_t>(walk.missed); missed > 0) {
      fmt::format_to(std::back_inserter(out), " ({} missed)", missed);
    }
    out += count == 1 ? " timestamp " : " timestamps ";
    append_time(first.stamp, at_first.ok());
    if (count > 1) {
      out += "...";
      append_time(walk.last.stamp, walk.ok);
    }
  }
  out += ']';
}

}  // namespace pmjit
