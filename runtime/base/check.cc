#include "runtime/base/check.h"

#include <fmt/core.h>

#include <cstdio>
#include <cstdlib>

namespace pmjit {

void stop_for_bug(std::string_view what, std::source_location where) {
  fmt::print(stderr, "pmjit: internal error at {}:{}: {}\n", where.file_name(), where.line(), what);
  std::abort();
}

}  // namespace pmjit
