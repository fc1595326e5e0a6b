// The window of a verb over archives, and single times in it, as pmjit's own verbs take them: what
// lies beside the recording is refused, for nothing would be there to be evaluated.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "runtime/archive/recording/archives.h"
#include "runtime/base/clock.h"
#include "runtime/text/window.h"

namespace pmjit {

class ArchivesSource;

// What is recorded, and now.
[[nodiscard]] Recorded recorded_between(Stamp start, Stamp end, const Clock& clock);

// As parse_window(); says what is good to know of it.
[[nodiscard]] Result<Window> recorded_window(const WindowSpec& spec, const Recorded& recorded,
                                             const Zone& zone);
// An error of recorded_window(), with what to know where the archives are damaged at their end.
[[nodiscard]] Error window_error(const Error& error, std::span<const Archives* const> archives);
// Of an option that names one time, and takes it as -S does.
[[nodiscard]] Result<Stamp> recorded_time(const std::string& option, const std::string& text,
                                          const Recorded& recorded, const Zone& zone);

// 14:00, @14:00: a time of whichever day.
[[nodiscard]] bool is_time_of_day(std::string_view text);

// 25:00 is a time to PCP, of day 25. Says so of an option that is written like this.
void warn_of_hour(const std::string& option, std::string_view text, Stamp meant, const Zone& zone);
void warn_of_hours(const WindowSpec& spec, const Window& window, const Zone& zone);

// Evaluated at times of its own, an archive seems to end where it is damaged. An error: it does,
// and the window reaches that far.
[[nodiscard]] Result<void> whole_up_to(Stamp end, const Archives& archives);
// False: volumes are missing, which Archive::warnings() says.
[[nodiscard]] bool has_all_volumes(const Archives& archives);
// Warnings about archives for `check`; those that have been said already, too.
using WarnOfArchive = std::function<void(const std::string& warning, bool is_said)>;
// Reads all records, and warns of damage in them that is not the end of them. True: there is some.
bool warn_of_records(const Archives& archives, const WarnOfArchive& warn);
struct GridTimes {
  Stamp from, to;
  Nanos step = 0;  // above zero
};
// Warns of times that go back between the records of a grid's window. Values that fall into a pause
// of the recording are interpolated: says so of pauses that are much longer than usual.
void warn_of_times(const GridTimes& grid, const Archives& archives, const Zone& zone);
// An error: records that were read up to then have values of metrics that the archives do not
// describe.
[[nodiscard]] Result<void> described_up_to(Stamp end, const ArchivesSource& source);

}  // namespace pmjit
