// Value: one value of a metric as a fetch delivers it, of any type, with the bytes that its printer
// and converter need. The typed columns of column.h are for evaluation; this is for tools that
// print what was recorded. Source: spec pmapi.md §3.3.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "runtime/base/bytes.h"
#include "runtime/model/desc.h"
#include "runtime/model/stamp.h"

namespace pmjit {

// PM_VAL_INSITU, PM_VAL_DPTR, PM_VAL_SPTR.
enum class ValueFormat : int32_t { in_place = 0, block = 1, shared_block = 2 };

struct Value {
  int32_t instance = kSingular;
  uint32_t word = 0;  // in_place: the value's 32 bits
  uint8_t type = 0;   // of the block: its PM_TYPE_*
  Bytes block = {};   // without its header word; numbers and event arrays in host byte order
};

struct FetchedSet {
  PmId pmid = kNullId;
  int32_t count = 0;  // numval: values, or a negative PM_ERR_*
  ValueFormat format = ValueFormat::in_place;
  std::vector<Value> values{};  // their blocks belong to whoever made the set
  // Instead of values, of a set of numbers, where Fetched::in_columns: the bits of each number, and
  // whose it is. They belong to whoever made the set.
  std::span<const uint64_t> numbers{};
  std::span<const int32_t> instances{};
};

struct Fetched {
  bool in_columns = false;  // whoever fetches can read FetchedSet::numbers
  Stamp stamp{};
  std::vector<FetchedSet> sets{};  // none: a mark
};

}  // namespace pmjit
