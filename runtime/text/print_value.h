// pmPrintValue: a value as pminfo, pmprobe, pmval and pmdumplog print it. It is called for every
// value of an archive, so it appends to a text that the caller reuses. Source: spec pmapi.md §16.6.
//
//   std::string line;
//   append_value(line, set.format, desc.pm_type, set.values[0], {.zone = zone});
#pragma once

#include <string>

#include "runtime/model/value.h"
#include "runtime/text/zone.h"

namespace pmjit {

struct ValuePrinting {
  int min_width =
      1;             // shorter ones get blanks on the left; negative: numbers get them on the right
  const Zone& zone;  // for the times in an event array
};

void append_value(std::string& out, ValueFormat format, int type, const Value& value,
                  const ValuePrinting& how);

// "[2 event records timestamps 00:01:40.123...00:02:30.000]", the text for an event array.
void append_event_summary(std::string& out, const Value& value, bool highres, const Zone& zone);

}  // namespace pmjit
