// The points of a sweep: one expression with every combination of values of its parameters, the
// first parameter slowest. A point is a result of its own, in this order.
#pragma once

#include <string>
#include <vector>

namespace pmjit {

struct SweepPoints {
  std::string expression;               // as written
  std::vector<std::string> parameters;  // names, without $
  // Of each point: a number for each parameter, in text.
  std::vector<std::vector<std::string>> values;
};

}  // namespace pmjit
