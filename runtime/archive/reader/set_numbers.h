// The numbers of a value set of a record, all at once.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "runtime/archive/reader/record.h"

namespace pmjit {

// The first of them in the machine's order, as many as `out` has room for; of those of 4 bytes the
// lower half counts. `words`: scratch memory.
void numbers_of(const RecordHead& head, const RecordLayout& layout, const ValueSet& set,
                std::vector<uint32_t>& words, std::span<uint64_t> out);

}  // namespace pmjit
