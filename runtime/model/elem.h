// Elem: the type of one value. The closed set stands in elem.def.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace pmjit {

enum class Elem : uint8_t {
#define ELEM(name, text, bytes, pm) name,
#include "runtime/model/elem.def"
#undef ELEM
};

std::string_view elem_text(Elem elem);
std::optional<Elem> elem_from_text(std::string_view text);
size_t elem_bytes(Elem elem);                // bytes a value takes in a column
std::optional<Elem> elem_from_pm(int type);  // PM_TYPE_*; none: events and unknown types
int pm_type_of(Elem elem);                   // PM_TYPE_* of a metric with such values; truth: U32
std::string_view pm_type_name(Elem elem);    // "32", "U64", "DOUBLE" … as PCP's tools name it

inline constexpr bool is_number(Elem e) { return e <= Elem::f64; }
inline constexpr bool is_float(Elem e) { return e == Elem::f32 || e == Elem::f64; }
inline constexpr bool is_unsigned(Elem e) { return e == Elem::u32 || e == Elem::u64; }

}  // namespace pmjit
