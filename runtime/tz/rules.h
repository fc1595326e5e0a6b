// Rules: all that a zone does, made once from the text that $TZ would have, and never changed.
// Copies of a zone share them, and any thread converts with them: no environment, no lock.
//
//   const SharedRules rules = load_rules("Europe/Berlin");   // ":UTC", "EST5EDT" too
//   rules->at(1'710'500'000).east                            // 3'600
//   std::tm tm{};
//   rules->local(1'710'500'000, tm);                         // as localtime_r()
//
// Every answer is the C library's (glibc 2.36), quirks included: its reading of texts that are no
// zone, of years before 1970, of the years behind a file's last change, of leap seconds. Tests
// compare the two. Where the clock stays as it is for long, a table says so, in which the usual
// years are found without a search.
#pragma once

#include <cstdint>
#include <ctime>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/tz/file.h"
#include "runtime/tz/posix_text.h"

namespace pmjit::tz {

// What a clock shows: at `sec` it is sec + shift, counted as in UTC, and `extra` seconds more
// within a leap second. `east` is what it says of itself; leap seconds make the two differ.
struct UtcOffset {
  int64_t east = 0, shift = 0;
  int extra = 0;
  bool summer = false;
  bool operator==(const UtcOffset&) const = default;
};

class Rules {
 public:
  explicit Rules(ZoneData data);
  explicit Rules(const PosixZone& text);

  [[nodiscard]] UtcOffset at(int64_t sec) const;
  // False: an int does not hold the year. tm_zone stays as it is.
  [[nodiscard]] bool local(int64_t sec, std::tm& tm) const;
  // What the clock is called then, "CEST"; a text that is no zone may leave that empty.
  [[nodiscard]] const std::string& name_at(int64_t sec) const;

 private:
  struct Stretch {
    int64_t from;
    UtcOffset clock;
  };
  void make_table();
  void add_years(std::vector<int64_t>& borders) const;
  [[nodiscard]] UtcOffset reckon(int64_t sec) const;
  [[nodiscard]] Offset offset_at(int64_t sec) const;
  [[nodiscard]] const ZoneType* type_at(int64_t sec) const;  // null: the text says

  ZoneData data_;
  std::optional<PosixZone> text_;  // behind the last time, or all there is
  std::vector<Stretch> table_;     // from the first one's time to kTableEnd
  std::vector<uint16_t> buckets_;  // for each of equal spans since 1970 its first stretch
};

using SharedRules = std::shared_ptr<const Rules>;

// As the C library sets itself to $TZ. Null: $TZ is not set, and the system's zone counts.
[[nodiscard]] SharedRules load_rules(const char* name);

// Names of the data base as users write them: Europe/Berlin, UTC. Reads folders.
[[nodiscard]] std::vector<std::string> zone_names();
// Whether there is a file of that name, good or not.
[[nodiscard]] bool is_in_data_base(std::string_view name);

// make_time(): the moment at which a clock shows some fields, as mktime() finds it.
//
//   std::tm tm{.tm_mday = 27, .tm_mon = 9, .tm_year = 124, .tm_isdst = -1};   // and tm_hour = 2
//   int64_t guess = 0;
//   make_time(*rules, tm, guess)              // Berlin: 02:00 comes twice that night
//
// Which of two moments, and what is made of an hour that was left out, depends on the offset that
// the call before came to: the C library keeps that for the process, the caller here. 0 is what a
// process begins with. Of several texts that belong together, as of a window, pass one guess on.

// Fields need not be in range; tm_isdst says by which clock they are, -1 by that of the time. -1:
// no such moment.
[[nodiscard]] int64_t make_time(const Rules& rules, const std::tm& fields, int64_t& guess);

}  // namespace pmjit::tz
