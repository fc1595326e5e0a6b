// SIGINT and SIGTERM: the first one asks to stop after what is at hand, so that what was written is
// whole.
#pragma once

#include <cstdint>

namespace pmjit {

enum class Second : uint8_t { ends_the_process, is_as_the_first };
// The latter: for those who leave files behind that must go.
void catch_interrupts(Second second = Second::ends_the_process);
// The signal that came; 0: none.
[[nodiscard]] int interrupted();

// SIGHUP: asks for another log file, or for nothing.
void catch_hangups();
// Has one come since the last call?
[[nodiscard]] bool take_hangup();

}  // namespace pmjit
