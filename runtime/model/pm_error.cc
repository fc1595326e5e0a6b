#include "runtime/model/pm_error.h"

#include <fmt/format.h>

#include <system_error>

namespace pmjit {

namespace {
constexpr int kPmErrBase = -12345;
}

std::string pm_error_text(int code) {
  switch (code) {
    case 0: return "No error";
#define PM_ERROR(name, number, text) \
  case number: return text;
#include "runtime/model/pm_errors.def"
#undef PM_ERROR
    default: break;
  }
  if (code < 0 && code > kPmErrBase) return std::generic_category().message(-code);
  return fmt::format("No such PMAPI error code ({})", code);
}

}  // namespace pmjit
