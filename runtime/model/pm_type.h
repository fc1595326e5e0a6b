// The types of the PMAPI (PM_TYPE_*) and their texts. Any number may stand in a file, so a type is
// an int, and the names are constants. The closed set stands in pm_types.def.
#pragma once

#include <string_view>

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

}  // namespace pmjit
