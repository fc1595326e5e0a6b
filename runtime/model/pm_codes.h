// The types of the PMAPI (PM_TYPE_*) and their texts. Any number may stand in a file, so a type is
// an int, and the names are constants. The closed set stands in pm_types.def.
#pragma once

#include <expected>
#include <string>
#include <string_view>

#include "runtime/base/result.h"

namespace pmjit {

namespace pm_type {
enum PmTypeCode : int {
#define PM_TYPE(name, number, text, title) name = number,
#include "runtime/model/pm_types.def"
#undef PM_TYPE
};
}  // namespace pm_type

std::string_view pm_type_text(int type);   // pmTypeStr: "U64", "???" for other numbers
std::string_view pm_type_title(int type);  // "64-bit unsigned int"; "" for other numbers

inline constexpr bool is_event_type(int type) {
  return type == pm_type::event || type == pm_type::highres_event;
}

// The error numbers of the PMAPI and their texts. The closed set stands in pm_errors.def.

// PM_ERR_LOGREC is pm_err::E_LOGREC, and so on (C's EOF is a macro).
namespace pm_err {
enum PmErrorCode : int {
#define PM_ERROR(name, code, text) E_##name = code,
#include "runtime/model/pm_errors.def"
#undef PM_ERROR
};
}  // namespace pm_err

// As pmErrStr has it: errno values (negative, above the PMAPI's range) are the C library's texts.
std::string pm_error_text(int code);
// As PCP's tools give it: the text of the code, where there is one.
std::string pm_reason(const Error& error);

// A value, or why there is none as the PMAPI says it: a PM_ERR_* or a negative errno. For what is
// asked once a value, where an Error with its texts would cost too much.
template <class T>
using OrPmError = std::expected<T, int>;
inline std::unexpected<int> pm_fail(int code) { return std::unexpected<int>(code); }

}  // namespace pmjit
