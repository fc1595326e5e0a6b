// SIGINT and SIGTERM: the first one asks to stop after what is at hand, so that what was written is
// whole.
#pragma once

#include <cstdint>
#include <string_view>

#include "runtime/base/clock.h"
#include "runtime/report/sink/sink.h"

namespace pmjit {

enum class Second : uint8_t { ends_the_process, is_as_the_first };
// The former: where it comes a while after the first. The latter: for those who leave files behind
// that must go.
void catch_interrupts(Second second = Second::ends_the_process);
// For those who leave nothing behind: the first one ends the process at once, with a message and
// the exit status 128 + its number.
void end_at_interrupts();
// From now on such a signal also ends a read of a file: File::read() throws ReadingStopped.
void stop_reading_at_interrupts();
// Likewise what nobody takes of the output, which has failed then.
inline constexpr std::string_view kRowCutShort = "output closed early; its last row is incomplete";
void stop_writing_at_interrupts(Sink& sink, const Clock& clock);
// The signal that came; 0: none.
[[nodiscard]] int interrupted();

// Signals that ask for something and end nothing: another log file, a reload, a dump.
enum class Asking : uint8_t { hangup, user1, user2 };
void catch_asking(Asking signal);
// Has it come since the last call?
[[nodiscard]] bool take_asked(Asking signal);

}  // namespace pmjit
