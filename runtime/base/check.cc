#include "runtime/base/check.h"

#include <fmt/core.h>

#include <cstdio>
#include <cstdlib>
#include <string>

namespace pmjit {

void stop_for_bug(std::string_view what, std::source_location where) {
  const std::string text =
      fmt::format("pmjit: internal error at {}:{}: {}\n", where.file_name(), where.line(), what);
  std::fputs(text.c_str(), stderr);  // stops even where nobody can be told
  std::abort();
}

}  // namespace pmjit
