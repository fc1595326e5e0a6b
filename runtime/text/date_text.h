// Free-format English dates, as -S -T -O take them where an interval or "@" and a date in ctime's
// order do not fit: "3/15/2024 14:00", "mon 12:30 pst", "2 hours ago", "tomorrow 5pm".
//
//   parse_date("1 hour ago", {.start = start, .end = end, .now = now}, zone)
//
// Words stand in any order, each class at most once, relative ones as often as one likes. What is
// odd is the reference's: the offset of summer time is an hour whatever the zone, every fourth year
// is a leap year, and a month that has no such day gives the epoch. Source: spec pmapi.md §13.4,
// archives.md §17.4; where these leave room, what PCP 6.0.3 answers.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "runtime/base/result.h"
#include "runtime/model/stamp.h"
#include "runtime/text/zone.h"

namespace pmjit {

struct DateBases {  // seconds since the epoch
  int64_t start;
  std::optional<int64_t> end;  // none: not known, as for a live host
  int64_t now;
};

// None: not understood, or no such date.
[[nodiscard]] std::optional<int64_t> parse_date(std::string_view text, const DateBases& bases,
                                                const Zone& zone);

// Times of day and dates as users write them, read in a zone.
//
//   int64_t guess = 0;
//   parse_ctime("Mar 15 12:00", base, zone, guess)  pmCtime's order; parts that are missing come
//                                                   from `base`
//   parse_iso("2023-11-14T22:13:20.5Z", zone)       what our own CSV and JSON print, and its looser
//                                                   forms
//
// Source: spec pmapi.md §13.3, archives.md §17.3; where these leave room, what PCP 6.0.3 answers:
// fields are taken greedily from the left, and a field that does not fit is left for the next one
// to take.

// Fields before the first one given come from `base`, later ones are their least; a first field
// below the base's means the next one to come: tomorrow, next month, next year. Nothing given at
// all is `base` itself. Texts of one window share a `guess`, 0 at first: an hour that comes twice
// is read as the text before was (Zone::seconds_of).
[[nodiscard]] Result<Stamp> parse_ctime(std::string_view text, Stamp base, const Zone& zone,
                                        int64_t& guess);

// yyyy-mm-dd[(T or blanks)hh:mm[:ss[.fraction]]][Z, UTC, GMT or ±hh[:]mm]; the time of `zone` if
// none is written. None: another form. A date that does not exist is none too.
[[nodiscard]] std::optional<Stamp> parse_iso(std::string_view text, const Zone& zone);

// The tokens of a free-format date: numbers, words of date_words.def, signs. Blanks and comments in
// nested parentheses are skipped. For date_text.cc alone.
enum class DateKind : uint8_t {
  end,
  number,         // without a sign, or an ordinal word
  signed_number,  // + or − directly before it
  half,           // am, pm: hours to add
  month,
  day,
  zone,
  summer_zone,
  summer,  // "dst" behind a zone
  seconds,
  months,
  whole_days,
  word_seconds,
  ago,
  sign,  // value: the character
  unknown,
};

struct DateToken {
  DateKind kind;
  int64_t value = 0;
};

class DateTokens {
 public:
  explicit DateTokens(std::string_view text) : text_(text) { take(); }
  [[nodiscard]] DateToken next() const { return next_; }  // as often as one likes
  DateToken take();                                       // and go on

 private:
  DateToken scan();
  DateToken scan_number(bool has_sign, bool negative);
  void skip_comment();

  std::string_view text_;
  DateToken next_{DateKind::end};
};

}  // namespace pmjit
