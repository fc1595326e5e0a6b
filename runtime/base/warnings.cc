#include "runtime/base/warnings.h"

#include <fmt/core.h>

#include <utility>

#include "runtime/base/limits.h"

namespace pmjit {

void Warnings::add(std::string text) {
  if (kept_.size() < limits::kWarningsMax) {
    kept_.push_back(std::move(text));
  } else {
    ++left_out_;
  }
}

std::vector<std::string> Warnings::take() {
  std::vector<std::string> out = std::exchange(kept_, {});
  const uint64_t more = std::exchange(left_out_, 0);
  if (more != 0) {
    out.push_back(
        fmt::format("{} more {} not shown", more, more == 1 ? "warning is" : "warnings are"));
  }
  return out;
}

}  // namespace pmjit
