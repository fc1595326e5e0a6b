#include "runtime/archive/reader/set_numbers.h"

#include <algorithm>

#include "runtime/model/bulk.h"
#include "runtime/model/fetched_values.h"

namespace pmjit {

namespace {

constexpr uint32_t kHeader = 4;   // bytes in front of a block
constexpr uint32_t kNumber8 = 8;  // bytes

}  // namespace

void numbers_of(const RecordHead& head, const RecordLayout& layout, const ValueSet& set,
                std::vector<uint32_t>& words, std::span<uint64_t> out) {
  if (set.in_place) {
    words.resize(out.size());
    bulk::values_in_pairs(head.bytes.data() + set.pairs, out.size(), words.data());
    std::ranges::copy(words, out.begin());
  } else if (set.header != 0 && is_of_8(block_type(set.header)) &&
             block_length(set.header) == kHeader + kNumber8) {
    bulk::values_of_8(head.bytes.data() + set.first, out.size(), out.data());
  } else {
    for (uint32_t k = 0; k < out.size(); ++k) {
      out[k] = number_in(stored_block(head, layout, set, k));
    }
  }
}

}  // namespace pmjit
