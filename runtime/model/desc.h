// Desc: what is known of a metric before any value: identity, type, instance domain, semantics,
// units.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "runtime/base/ids.h"
#include "runtime/model/units.h"

namespace pmjit {

enum class Semantics : uint8_t { counter = 1, instant = 3, discrete = 4 };  // PM_SEM_*
std::string_view semantics_text(Semantics semantics);  // "counter" …; "???" for other numbers
std::optional<Semantics> semantics_from_text(std::string_view text);

using PmId = uint32_t;     // flag:1 domain:9 cluster:12 item:10
using InDomId = uint32_t;  // flag:1 domain:9 serial:22
constexpr uint32_t domain_of(uint32_t id) { return id >> 22 & 0x1ff; }  // of either: its agent's
inline constexpr uint32_t kNullId = UINT32_MAX;  // PM_ID_NULL, PM_INDOM_NULL, PM_IN_NULL
inline constexpr int32_t kSingular = -1;         // instance of the one value of a singular metric
// Beside the identifier of an instance without a name, where it stands in an equivalent domain.
inline constexpr int32_t kElsewhere = INT32_MIN;

std::string pmid_text(PmId pmid);       // "60.2.17"; "60.*.*" for the root of a dynamic subtree
std::string indom_text(InDomId indom);  // "60.1"
// Back; none: not DOMAIN.SERIAL, with DOMAIN up to 510 and SERIAL up to 4194303.
std::optional<InDomId> indom_from_text(std::string_view text);

struct Desc {
  PmId pmid = kNullId;
  int pm_type = 0;  // PM_TYPE_*, events included; elem_from_pm() gives the column type
  InDomId indom = kNullId;
  Semantics semantics = Semantics::instant;
  Units units;
};

// Elem: the type of one value. The closed set stands in elem.def.
enum class Elem : uint8_t {
#define ELEM(name, text, bytes, pm) name,
#include "runtime/model/elem.def"
#undef ELEM
};

std::string_view elem_text(Elem elem);
std::optional<Elem> elem_from_text(std::string_view text);
// Bytes that a value takes in a column.
inline constexpr size_t elem_bytes(Elem elem) {
  constexpr size_t kBytes[] = {
#define ELEM(name, text, bytes, pm) bytes,
#include "runtime/model/elem.def"
#undef ELEM
  };
  return kBytes[static_cast<size_t>(elem)];
}
std::optional<Elem> elem_from_pm(int type);  // PM_TYPE_*; none: events and unknown types
int pm_type_of(Elem elem);                   // PM_TYPE_* of a metric with such values; truth: U32
std::string_view pm_type_name(Elem elem);    // "32", "U64", "DOUBLE" … as PCP's tools name it

inline constexpr bool is_number(Elem e) { return e <= Elem::f64; }
inline constexpr bool is_float(Elem e) { return e == Elem::f32 || e == Elem::f64; }
inline constexpr bool is_unsigned(Elem e) { return e == Elem::u32 || e == Elem::u64; }

// The two kinds of help text that metrics and instance domains have.
enum class TextKind : uint32_t { one_line = 1, help = 2 };  // PM_TEXT_ONELINE, PM_TEXT_HELP

// Between: what values there are between two observations, where a source makes any.
enum class Between : uint8_t {
  exact,   // whole-number counters without rounding error, texts from their own time on
  as_pcp,  // libpcp's, to the bit
};

}  // namespace pmjit
