// The values of one value set: do they fit the metric's type, and into its column with them.
// Source: spec archives.md §5 (which types stand in place and which in blocks).
#pragma once

#include "runtime/model/column.h"
#include "runtime/model/value_layout.h"

namespace pmjit {

// 32 and U32 in place, FLOAT either way (old writers), all else in blocks of the type's length.
[[nodiscard]] OrDamage<void> check_values(const RecordLayout& layout, const ValueSet& set,
                                          Elem elem);

// Appends the values; the set has some, and check_values() has agreed.
void append_values(const RecordHead& head, const RecordLayout& layout, const ValueSet& set,
                   Column& column);

}  // namespace pmjit
