// Value: one value of a metric as a fetch delivers it, of any type, with the bytes that its printer
// and converter need. The typed columns of column.h are for evaluation; this is for tools that
// print what was recorded. Source: spec pmapi.md §3.3.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "runtime/base/bytes.h"
#include "runtime/model/desc.h"
#include "runtime/model/pm_codes.h"
#include "runtime/model/stamp.h"
#include "runtime/model/units.h"

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

// Atom: the value itself, taken out of its wrapping (pmAtomValue). Which member counts is said by
// the PM_TYPE_* that travels beside it, as in the PMAPI; the bytes belong to whoever made the
// Value. Source: spec pmapi.md §3.3, §15, §16.4.
//
//   auto load = atom_of(ValueFormat::in_place, pm_type::f32, value, pm_type::f64);
//   if (load) use(load->f64);
struct Atom {
  union {
    int32_t i32;
    uint32_t u32;
    int64_t i64;
    uint64_t u64 = 0;
    float f32;
    double f64;
  };
  Bytes bytes = {};        // of texts and aggregates
  bool has_bytes = false;  // false: what is NULL in C
  uint8_t block_type = 0;  // the PM_TYPE_* that the block of an aggregate or event array names

  // Up to the first NUL: what C takes for the text.
  [[nodiscard]] std::string_view text() const;
};

// pmExtractValue: the value, that is recorded as `from`, as a `to`. Refused with PM_ERR_CONV, TRUNC
// or SIGN, at exactly the limits of the reference, odd ones among them.
[[nodiscard]] OrPmError<Atom> atom_of(ValueFormat format, int from, const Value& value, int to);

// The value in the type that it is recorded as: atom_of() with `from` and `to` alike.
[[nodiscard]] OrPmError<Atom> load_atom(ValueFormat format, int type, const Value& value);

// pmConvScale: a number of type `type` in other units. Refused with PM_ERR_CONV (other dimensions,
// no number, or a factor that 64 bits do not hold) or PM_ERR_UNIT (a scale without a factor).
[[nodiscard]] OrPmError<Atom> scaled_atom(int type, const Atom& atom, Units from, Units to);
// Whether it scales by another factor than the exact one, because one on the way has wrapped.
[[nodiscard]] bool scales_wrongly(Units from, Units to);

}  // namespace pmjit
