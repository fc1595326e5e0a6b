#include "runtime/model/pm_codes.h"

#include <fmt/format.h>

#include <string_view>
#include <system_error>

namespace pmjit {

namespace {

constexpr int kPmErrBase = -12345;
constexpr int kSaslBase =
    -21344;  // codes below are those of the authentication library, this far down
constexpr int kSocketsBase = -22344;  // codes below are those of a secure-sockets library of old

std::string_view sasl_text(int code) {
  switch (code) {
#define SASL_ERROR(number, text) \
  case number: return text;
#include "runtime/model/sasl_errors.def"
#undef SASL_ERROR
    default: return "undefined error!";
  }
}

}  // namespace

std::string_view pm_type_text(int type) {
  switch (type) {
#define PM_TYPE(name, number, text, title) \
  case number: return text;
#include "runtime/model/pm_types.def"
#undef PM_TYPE
    default: return "???";
  }
}

std::string_view pm_type_title(int type) {
  switch (type) {
#define PM_TYPE(name, number, text, title) \
  case number: return title;
#include "runtime/model/pm_types.def"
#undef PM_TYPE
    default: return "";
  }
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
  if (code < kSocketsBase) {
    return fmt::format("Unknown secure sockets error {} ({})", code, code - kSaslBase);
  }
  if (code < kSaslBase) return fmt::format("Authentication - {}", sasl_text(code - kSaslBase));
  return fmt::format("No such PMAPI error code ({})", code);
}

std::string pm_reason(const Error& error) {
  return error.pm_code() != 0 ? pm_error_text(error.pm_code()) : error.text();
}

}  // namespace pmjit
