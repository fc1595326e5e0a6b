// lane_text(): one value of a column as text, whatever its type: for tests that compare what came
// out with what they have written down.
#pragma once

#include <fmt/format.h>

#include <string>

#include "runtime/model/column.h"

namespace pmjit::cases {

// The value at `lane` of all that the column has; texts in quotes.
inline std::string lane_text(const Column& column, uint64_t lane) {
  switch (column.elem) {
    case Elem::i32: return fmt::format("{}", column.values.as<int32_t>()[lane]);
    case Elem::u32: return fmt::format("{}", column.values.as<uint32_t>()[lane]);
    case Elem::i64: return fmt::format("{}", column.values.as<int64_t>()[lane]);
    case Elem::u64: return fmt::format("{}", column.values.as<uint64_t>()[lane]);
    case Elem::f32: return fmt::format("{}", column.values.as<float>()[lane]);
    case Elem::f64: return fmt::format("{}", column.values.as<double>()[lane]);
    case Elem::truth: return fmt::format("{}", column.values.as<uint8_t>()[lane]);
    default: return fmt::format("'{}'", column.dictionary[column.values.as<uint32_t>()[lane]]);
  }
}

}  // namespace pmjit::cases
