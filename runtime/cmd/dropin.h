// Drop-ins: the program under the names of PCP's tools, for scripts that call those. Under such a
// name it takes that tool's options and prints what that tool prints.
//
//   if (const auto status = run_dropin(argc, argv)) return *status;
#pragma once

#include <optional>

namespace pmjit {

// None: argv[0] is not the name of a drop-in. Else its exit status.
[[nodiscard]] std::optional<int> run_dropin(int argc, const char* const* argv);

#define DROPIN(name, run) [[nodiscard]] int run(int argc, const char* const* argv);
#include "runtime/cmd/dropins.def"
#undef DROPIN

}  // namespace pmjit
