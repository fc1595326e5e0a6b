// check(): our own bug stops the program, with its place. A user's mistake is a diagnostic
// (compiler/diag), the world's failure a Result (result.h); neither ever ends here.
#pragma once

#include <source_location>
#include <string_view>

namespace pmjit {

[[noreturn]] void stop_for_bug(std::string_view what, std::source_location where);

inline void check(bool holds, std::string_view what,
                  std::source_location where = std::source_location::current()) {
  if (!holds) [[unlikely]]
    stop_for_bug(what, where);
}

}  // namespace pmjit
