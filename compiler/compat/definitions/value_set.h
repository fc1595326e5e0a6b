// Values as a fetch delivers them: numbers of 32 bits in place, everything else in blocks.
#pragma once

#include <vector>

#include "compiler/compat/definitions/evaluate.h"

namespace pmjit::pcp {

// `blocks` keeps the numbers of `out` that do not stand in place.
void put_values(const PcpValues& values, const Desc& desc, std::vector<uint64_t>& blocks,
                FetchedSet& out);

}  // namespace pmjit::pcp
