// SIGINT and SIGTERM: the first one asks to stop after what is at hand, so that what was written is
// whole; a second one ends the process.
#pragma once

namespace pmjit {

void catch_interrupts();
// The signal that came; 0: none.
[[nodiscard]] int interrupted();

}  // namespace pmjit
