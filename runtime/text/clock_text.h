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
#pragma once

#include <optional>
#include <string_view>

#include "runtime/base/result.h"
#include "runtime/model/stamp.h"
#include "runtime/text/zone.h"

namespace pmjit {

// Fields before the first one given come from `base`, later ones are their least; a first field
// below the base's means the next one to come: tomorrow, next month, next year. Nothing given at
// all is `base` itself. Texts of one window share a `guess`, 0 at first: an hour that comes twice
// is read as the text before was (Zone::seconds_of).
[[nodiscard]] Result<Stamp> parse_ctime(std::string_view text, Stamp base, const Zone& zone,
                                        int64_t& guess);

// yyyy-mm-dd[(T or blanks)hh:mm[:ss[.fraction]]][Z, UTC, GMT or ±hh[:]mm]; the time of `zone` if
// none is written. None: another form. A date that does not exist is none too.
[[nodiscard]] std::optional<Stamp> parse_iso(std::string_view text, const Zone& zone);

}  // namespace pmjit
