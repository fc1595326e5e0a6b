// Errors, identifiers, types, units, values as text, and units back. Source: spec pmapi.md §3.1,
// §4, §16. Forms without _r answer in storage of the process.
#include <cmath>

#include "runtime/model/event_array.h"
#include "runtime/pmapi/convert.h"
#include "runtime/pmapi/library.h"
#include "runtime/text/float_text.h"
#include "runtime/text/parse_units.h"
#include "runtime/text/print_value.h"

using namespace pmjit;

namespace {

constexpr int kShortRoom = 20, kFlagsRoom = 26, kUnitsRoom = 60, kNumberRoom = 8;

// `make()` in the buffer; null where that has less room than the texts of this function need.
template <class Make>
char* text_in(char* buffer, int bytes, int needed, Make&& make) {
  if (buffer == nullptr || bytes < needed) return nullptr;
  return at_c_border_or<char*>(nullptr, [&] { return put_text(make(), buffer, bytes); });
}

// Longer texts than this do not come out of a form without _r.
template <int kBytes, class Make>
char* text_of_process(Make&& make) {
  static char buffer[kBytes];
  return at_c_border_or<char*>(buffer, [&] { return put_text(make(), buffer, kBytes); });
}

// What an atom points at, or why it cannot be printed.
std::string text_of_atom(const pmAtomValue* atom, int type) {
  Atom out;
  out.u64 = atom->ull;
  if (type == PM_TYPE_STRING) {
    out.has_bytes = atom->cp != nullptr;
    if (out.has_bytes) out.bytes = std::as_bytes(std::span(atom->cp, std::strlen(atom->cp) + 1));
  } else if (type == PM_TYPE_AGGREGATE || type == PM_TYPE_AGGREGATE_STATIC || is_event_type(type)) {
    pmValue value{};
    value.value.pval = atom->vbp;
    const Value of = value_of(PM_VAL_DPTR, value);
    out.has_bytes = atom->vbp != nullptr;
    out.block_type = of.type;
    out.bytes = of.block;
  }
  return atom_text(out, type);
}

}  // namespace

char* pmErrStr_r(int code, char* buffer, int bytes) {
  return text_in(buffer, bytes, 1, [&] { return pm_error_text(code); });
}
char* pmErrStr(int code) {
  return text_of_process<PM_MAXERRMSGLEN>([&] { return pm_error_text(code); });
}

pmID pmID_build(unsigned int domain, unsigned int cluster, unsigned int item) {
  return (domain & 0x1ff) << 22 | (cluster & 0xfff) << 10 | (item & 0x3ff);
}
unsigned int pmID_domain(pmID pmid) { return pmid >> 22 & 0x1ff; }
unsigned int pmID_cluster(pmID pmid) { return pmid >> 10 & 0xfff; }
unsigned int pmID_item(pmID pmid) { return pmid & 0x3ff; }
pmInDom pmInDom_build(unsigned int domain, unsigned int serial) {
  return (domain & 0x1ff) << 22 | (serial & 0x3fffff);
}
unsigned int pmInDom_domain(pmInDom indom) { return indom >> 22 & 0x1ff; }
unsigned int pmInDom_serial(pmInDom indom) { return indom & 0x3fffff; }

char* pmIDStr_r(pmID pmid, char* buffer, int bytes) {
  return text_in(buffer, bytes, 1,
                 [&] { return pmid == PM_ID_NULL ? "PM_ID_NULL" : pmid_text(pmid); });
}
const char* pmIDStr(pmID pmid) {
  static char buffer[kShortRoom];
  return pmIDStr_r(pmid, buffer, sizeof buffer);
}
char* pmInDomStr_r(pmInDom indom, char* buffer, int bytes) {
  return text_in(buffer, bytes, 1,
                 [&] { return indom == PM_INDOM_NULL ? "PM_INDOM_NULL" : indom_text(indom); });
}
const char* pmInDomStr(pmInDom indom) {
  static char buffer[kShortRoom];
  return pmInDomStr_r(indom, buffer, sizeof buffer);
}
char* pmTypeStr_r(int type, char* buffer, int bytes) {
  return text_in(buffer, bytes, 1, [&] { return pm_type_text(type); });
}
const char* pmTypeStr(int type) {
  static char buffer[kShortRoom];
  return pmTypeStr_r(type, buffer, sizeof buffer);
}
char* pmSemStr_r(int semantics, char* buffer, int bytes) {
  return text_in(buffer, bytes, 1, [&] {
    const bool fits = semantics >= 0 && semantics <= UINT8_MAX;
    return fits ? semantics_text(static_cast<Semantics>(semantics)) : std::string_view("???");
  });
}
const char* pmSemStr(int semantics) {
  static char buffer[kShortRoom];
  return pmSemStr_r(semantics, buffer, sizeof buffer);
}
char* pmEventFlagsStr_r(int flags, char* buffer, int bytes) {
  return text_in(buffer, bytes, kFlagsRoom,
                 [&] { return event_flags_text(static_cast<uint32_t>(flags)); });
}
const char* pmEventFlagsStr(int flags) {
  static char buffer[kFlagsRoom];
  return pmEventFlagsStr_r(flags, buffer, sizeof buffer);
}

char* pmUnitsStr_r(const pmUnits* units, char* buffer, int bytes) {
  if (buffer != nullptr && bytes > 0) *buffer = '\0';
  if (units == nullptr) return nullptr;
  return text_in(buffer, bytes, kUnitsRoom, [&] { return units_text(units_of(*units)); });
}
const char* pmUnitsStr(const pmUnits* units) {
  static char buffer[kUnitsRoom];
  *buffer = '\0';
  (void)pmUnitsStr_r(units, buffer, sizeof buffer);
  return buffer;
}

int pmParseUnitsStr(const char* text, pmUnits* out, double* multiplier, char** message) {
  if (text == nullptr || out == nullptr || multiplier == nullptr) return -EINVAL;
  *out = {};
  *multiplier = 1;
  if (message != nullptr) *message = nullptr;
  return at_c_border([&] {
    const auto parsed = parse_units(text, the_library().derived->extra_units());
    if (!parsed) {
      if (message != nullptr) *message = give_text(parsed.error().what());
      return PM_ERR_CONV;
    }
    *out = to_c(parsed->units);
    *multiplier = parsed->multiplier;
    return 0;
  });
}

char* pmAtomStr_r(const pmAtomValue* atom, int type, char* buffer, int bytes) {
  if (atom == nullptr) return nullptr;
  return text_in(buffer, bytes, 1, [&] { return text_of_atom(atom, type); });
}
const char* pmAtomStr(const pmAtomValue* atom, int type) {
  static char buffer[80];
  *buffer = '\0';
  (void)pmAtomStr_r(atom, type, buffer, sizeof buffer);
  return buffer;
}

char* pmNumberStr_r(double value, char* buffer, int bytes) {
  return text_in(buffer, bytes, 1, [&] { return number_text(value); });
}
const char* pmNumberStr(double value) {
  static char buffer[kNumberRoom];
  return pmNumberStr_r(value, buffer, sizeof buffer);
}
