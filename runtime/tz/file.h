// ZoneData: what a file of the tz database says (TZif, RFC 8536): the moments at which a zone's
// clocks changed, what they showed from then on, and a text for the years after the last one.
//
//   auto data = read_zone_data(bytes);        // every prefix and every flipped bit: data or an
//   error data->times[0]                            // Europe/Berlin: 1893, from local mean time to
//   CET data->rules                               // "CET-1CEST,M3.5.0,M10.5.0/3"
//
// Every index in it is good: `kinds` are of `types`, of which there is one at least. Times ascend.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "runtime/base/bytes.h"
#include "runtime/base/result.h"

namespace pmjit::tz {

struct ZoneType {
  int64_t east = 0;
  bool summer = false;
  std::string name;  // "CEST"
  // How the rules wrote the time of a change to it; only "posixrules" is read for that.
  bool by_standard_time = false, by_universal_time = false;
};

struct LeapSecond {
  int64_t at = 0;      // counted with those before it
  int64_t change = 0;  // all so far
};

struct ZoneData {
  std::vector<int64_t> times;
  std::vector<uint8_t> kinds;  // one for each time: the type from then on
  std::vector<ZoneType> types;
  std::vector<LeapSecond> leaps;
  std::string rules;  // empty: the last type stays
};

[[nodiscard]] Result<ZoneData> read_zone_data(Bytes bytes);

}  // namespace pmjit::tz
