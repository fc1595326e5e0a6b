// SetColumn: the value sets of a metric at several times, as columns: what an expression over whole
// sets is evaluated from at many times at once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "runtime/model/desc.h"

namespace pmjit {

// The value sets of an operand at several times, which bring the same instances with a value each.
struct SetColumn {
  PmId pmid{};
  std::span<const int32_t> instances{};        // as they were delivered
  std::span<const int32_t> lanes{};            // the place of each among the values of a time
  std::span<const std::byte* const> values{};  // of each time, of the operand's elem
};

// A result at these times, the same instances at each of them. It lives until the next run.
struct MadeColumn {
  std::span<const int32_t> instances{};  // in the order of a set
  const std::byte* values = nullptr;     // of the result's elem, time after time
};

}  // namespace pmjit
