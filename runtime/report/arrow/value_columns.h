// Which columns the values of results stand in. That has to be said before the first value, so it
// follows from the types alone: one column `value` of a type that holds all of them exactly, or
// where there is none a column a kind of values.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "runtime/model/results.h"

namespace pmjit::arrow {

struct ValueColumn {
  std::string name;  // value; value_int64, value_float64 … where there are several
  Elem elem = Elem::f64;
  std::vector<uint32_t> results{};  // whose values stand here: indices of infos
};

std::vector<ValueColumn> value_columns(std::span<const ResultInfo> infos);

}  // namespace pmjit::arrow
