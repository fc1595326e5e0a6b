// Drop-ins: the program under the names of PCP's tools, for scripts that call those. Under such a
// name it takes that tool's options and prints what that tool prints.
//
//   if (const auto status = run_dropin(argc, argv, *derived, clock)) return *status;
#pragma once

#include <optional>

#include "runtime/base/clock.h"
#include "runtime/client/deriver.h"

namespace pmjit {

// argv[0] is the name of one.
[[nodiscard]] bool is_dropin(int argc, const char* const* argv);

// None: it is not. Else the exit status.
[[nodiscard]] std::optional<int> run_dropin(int argc, const char* const* argv,
                                            DerivedMetrics& derived, const Clock& clock);

#define DROPIN(name, run) \
  [[nodiscard]] int run(int argc, const char* const* argv, DerivedMetrics& derived, const Clock&);
#include "runtime/cmd/dropins.def"
#undef DROPIN

}  // namespace pmjit
