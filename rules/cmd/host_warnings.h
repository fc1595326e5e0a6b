// Warnings about live hosts, whoever says them: a verb, or the drop-in pmie.
#pragma once

#include <cstdint>
#include <string>

namespace pmjit {

struct HostTally;

// At how many times the host did not answer. Empty: it always did.
[[nodiscard]] std::string missed_warning(const std::string& name, const HostTally& tally);
// How many times of evaluation were skipped. Empty: none.
[[nodiscard]] std::string skipped_warning(uint64_t skipped);

}  // namespace pmjit
