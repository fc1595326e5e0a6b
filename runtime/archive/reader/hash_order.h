// The order in which PCP 6.0.3 lists what it keeps in a chained hash table: descriptors by PMID and
// instance domains by their identifier. Source: spec tools.md §2.7.
//
//   for (const PmId pmid : hash_order(metadata.pmids)) print(metadata.descs.at(pmid));
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace pmjit {

// `keys` in the order in which they were entered, each once.
[[nodiscard]] std::vector<uint32_t> hash_order(std::span<const uint32_t> keys);

}  // namespace pmjit
