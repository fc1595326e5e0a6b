// pmAtomStr and the values that users type. Source: spec pmapi.md §16.4, §24.4.

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cfloat>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <iterator>

#include "runtime/text/float_text.h"

namespace pmjit {

namespace {

constexpr size_t kTextMax = 38, kTextKept = 34;  // longer texts are cut
constexpr size_t kHexBytes = 12, kHexGroup = 4;  // of an aggregate

std::string quoted(const Atom& atom) {
  if (!atom.has_bytes) return "<null>";
  const std::string_view text = atom.text();
  if (text.size() < kTextMax) return fmt::format("\"{}\"", text);
  return fmt::format("\"{}...\"", text.substr(0, kTextKept));
}

std::string aggregate(const Atom& atom) {
  if (!atom.has_bytes) return "<null>";
  std::string out =
      fmt::format("[type={} len={}]", pm_type_text(atom.block_type), atom.bytes.size());
  for (size_t i = 0; i < std::min(atom.bytes.size(), kHexBytes); ++i) {
    if (i % kHexGroup == 0) out += ' ';
    fmt::format_to(std::back_inserter(out), "{:02x}", std::to_integer<int>(atom.bytes[i]));
  }
  if (atom.bytes.size() > kHexBytes) out += " ...";
  return out;
}

std::string event_count(const Atom& atom) {
  int32_t count = 0;
  if (atom.bytes.size() >= sizeof count) std::memcpy(&count, atom.bytes.data(), sizeof count);
  return fmt::format("[{} event record{}]", count, count == 1 ? "" : "s");
}

bool is_hex_digit(char c) { return std::isxdigit(static_cast<unsigned char>(c)) != 0; }

// Sixteen for "0x1f", also behind blanks and a minus; a plus hides it, as in the reference.
int base_of(std::string_view text) {
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.front()))) {
    text.remove_prefix(1);
  }
  if (!text.empty() && text.front() == '-') text.remove_prefix(1);
  const bool hex = text.size() > 2 && text[0] == '0' && (text[1] == 'x' || text[1] == 'X') &&
                   std::all_of(text.begin() + 2, text.end(), is_hex_digit);
  return hex ? 16 : 10;
}

// Calls a function of the strto family; the whole text must be the number, in range.
template <class Read>
auto whole_text(std::string_view text, Read read) -> OrPmError<decltype(read("", nullptr))> {
  const std::string copy(text);  // the strto family wants an end
  char* end = nullptr;
  errno = 0;
  const auto value = read(copy.c_str(), &end);
  if (*end != '\0') return pm_fail(pm_err::E_TYPE);
  if (errno != 0) return pm_fail(-errno);
  return value;
}

OrPmError<int64_t> read_signed(std::string_view text, int64_t least, int64_t most) {
  const auto value = whole_text(text, [base = base_of(text)](const char* from, char** end) {
    return static_cast<int64_t>(std::strtoll(from, end, base));
  });
  if (value && (*value < least || *value > most)) return pm_fail(-ERANGE);
  return value;
}

OrPmError<uint64_t> read_unsigned(std::string_view text, uint64_t most) {
  const auto value = whole_text(text, [base = base_of(text)](const char* from, char** end) {
    return static_cast<uint64_t>(std::strtoull(from, end, base));  // "-1" wraps
  });
  if (value && *value > most) return pm_fail(-ERANGE);
  return value;
}

OrPmError<double> read_float(std::string_view text) {
  if (base_of(text) == 16) return pm_fail(pm_err::E_TYPE);
  return whole_text(text, [](const char* from, char** end) { return std::strtod(from, end); });
}

// Stores what was read where it belongs, or hands the refusal on.
template <class From, class To>
OrPmError<Atom> stored(OrPmError<From> read, To Atom::* member) {
  if (!read) return pm_fail(read.error());
  Atom atom;
  atom.*member = static_cast<To>(*read);
  return atom;
}

}  // namespace

std::string atom_text(const Atom& atom, int type) {
  switch (type) {
    case pm_type::i32: return std::to_string(atom.i32);
    case pm_type::u32: return std::to_string(atom.u32);
    case pm_type::i64: return std::to_string(atom.i64);
    case pm_type::u64: return std::to_string(atom.u64);
    case pm_type::f32: return scientific_text(static_cast<double>(atom.f32));
    case pm_type::f64: return scientific_text(atom.f64);
    case pm_type::string: return quoted(atom);
    case pm_type::aggregate:
    case pm_type::aggregate_static: return aggregate(atom);
    case pm_type::event:
    case pm_type::highres_event: return event_count(atom);
    case pm_type::nosupport: return "Error: unexpected type: Not Supported";
    case pm_type::unknown: return "Error: unexpected type: Unknown";
    default: return fmt::format("Error: unexpected type: Illegal type={}", type);
  }
}

OrPmError<Atom> atom_from_text(int type, std::string_view text) {
  switch (type) {
    case pm_type::i32: return stored(read_signed(text, INT32_MIN, INT32_MAX), &Atom::i32);
    case pm_type::u32: return stored(read_unsigned(text, UINT32_MAX), &Atom::u32);
    case pm_type::i64: return stored(read_signed(text, INT64_MIN, INT64_MAX), &Atom::i64);
    case pm_type::u64: return stored(read_unsigned(text, UINT64_MAX), &Atom::u64);
    case pm_type::f32: {
      const auto value = read_float(text);
      const double size = value ? std::fabs(*value) : 0;
      // NaN is in no range and passes; zero is below the least normal number and does not.
      if (value && (size < FLT_MIN || size > FLT_MAX)) return pm_fail(-ERANGE);
      return stored(value, &Atom::f32);
    }
    case pm_type::f64: return stored(read_float(text), &Atom::f64);
    case pm_type::string: {
      Atom atom;
      atom.bytes = Bytes(reinterpret_cast<const std::byte*>(text.data()), text.size());
      atom.has_bytes = true;
      return atom;
    }
    default: return pm_fail(pm_err::E_TYPE);
  }
}

}  // namespace pmjit
