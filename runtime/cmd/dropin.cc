#include "runtime/cmd/dropin.h"

#include "runtime/cmd/options.h"

namespace pmjit {

bool is_dropin(int argc, const char* const* argv) {
  const std::string program = program_name(argc, argv);
#define DROPIN(name, run) \
  if (program == #name) return true;
#include "runtime/cmd/dropins.def"
#undef DROPIN
  return false;
}

std::optional<int> run_dropin(int argc, const char* const* argv, DerivedMetrics& derived,
                              const Clock& clock) {
  const std::string program = program_name(argc, argv);
#define DROPIN(name, run) \
  if (program == #name) return run(argc, argv, derived, clock);
#include "runtime/cmd/dropins.def"
#undef DROPIN
  return std::nullopt;
}

}  // namespace pmjit
