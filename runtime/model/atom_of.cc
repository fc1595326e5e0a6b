// pmExtractValue. Its limits are asymmetric (nothing is checked below when 64 bits go to 32), and
// what its C casts leave undefined is what x86-64 does. Both are written out here without undefined
// behaviour. Source: spec pmapi.md §15.1.
#include <bit>
#include <cmath>
#include <cstring>
#include <type_traits>

#include "runtime/base/truncate.h"
#include "runtime/model/atom.h"

namespace pmjit {

namespace {

constexpr int64_t kI32Max = INT32_MAX, kU32Max = UINT32_MAX;
constexpr double kTwo63 = 9223372036854775808.0, kTwo64 = 18446744073709551616.0;

// All that follows works on the one atom that is returned, and gives 0 or a PM_ERR_*: copying what
// was just written in pieces is what would cost most when every value of an archive is printed.

int from_word(int type, uint32_t word, Atom& out) {
  switch (type) {
    case pm_type::i32:
    case pm_type::unknown: out.i32 = static_cast<int32_t>(word); return 0;
    case pm_type::u32: out.u32 = word; return 0;
    case pm_type::f32: out.f32 = std::bit_cast<float>(word); return 0;
    default: return pm_err::E_CONV;
  }
}

// Fails where the block is not as long as the number.
template <class T>
int read(Bytes block, T& out) {
  if (block.size() != sizeof out) return pm_err::E_CONV;
  std::memcpy(&out, block.data(), sizeof out);
  return 0;
}

int from_block(int type, const Value& value, Atom& out) {
  if (value.type != 0 && value.type != type) return pm_err::E_CONV;
  switch (type) {
    case pm_type::i64: return read(value.block, out.i64);
    case pm_type::u64: return read(value.block, out.u64);
    case pm_type::f32: return read(value.block, out.f32);
    case pm_type::f64: return read(value.block, out.f64);
    case pm_type::string:
    case pm_type::aggregate:
      out.bytes = value.block;
      out.has_bytes = true;
      out.block_type = value.type;
      return 0;
    default: return pm_err::E_CONV;
  }
}

int load(ValueFormat format, int type, const Value& value, Atom& out) {
  switch (format) {
    case ValueFormat::in_place: return from_word(type, value.word, out);
    case ValueFormat::block:
    case ValueFormat::shared_block: return from_block(type, value, out);
  }
  return pm_err::E_CONV;
}

// An integer of 32 or 64 bits into any number.
template <class T>
int from_integer(T value, int to, Atom& out) {
  constexpr bool kSigned = std::is_signed_v<T>;
  const bool negative = kSigned && value < 0;
  const auto wide = static_cast<uint64_t>(value);  // of use where it is not negative
  switch (to) {
    case pm_type::i32:
      if (!negative && wide > kI32Max) return pm_err::E_TRUNC;
      out.i32 = static_cast<int32_t>(value);
      return 0;
    case pm_type::u32:
      if (!negative && wide > kU32Max) return pm_err::E_TRUNC;
      if (negative) return pm_err::E_SIGN;
      out.u32 = static_cast<uint32_t>(value);
      return 0;
    case pm_type::i64:
      if (!negative && wide > INT64_MAX) return pm_err::E_TRUNC;
      out.i64 = static_cast<int64_t>(value);
      return 0;
    case pm_type::u64:
      if (negative) return pm_err::E_SIGN;
      out.u64 = wide;
      return 0;
    case pm_type::f32: out.f32 = static_cast<float>(value); return 0;
    case pm_type::f64: out.f64 = static_cast<double>(value); return 0;
    default: return pm_err::E_CONV;
  }
}

int from_float(double value, int to, Atom& out) {
  switch (to) {
    case pm_type::i32:
      if (std::fabs(value) >= kI32Max) return pm_err::E_TRUNC;
      out.i32 = truncated_i32(value);
      return 0;
    case pm_type::u32:
      if (value >= kU32Max) return pm_err::E_TRUNC;
      if (value < 0) return pm_err::E_SIGN;
      out.u32 = truncated_u32(value);
      return 0;
    case pm_type::i64:
      if (value >= kTwo63) return pm_err::E_TRUNC;
      out.i64 = truncated_i64(value);
      return 0;
    case pm_type::u64:
      if (value >= kTwo64) return pm_err::E_TRUNC;
      if (value < 0) return pm_err::E_SIGN;
      out.u64 = truncated_u64(value);
      return 0;
    case pm_type::f32: out.f32 = static_cast<float>(value); return 0;
    case pm_type::f64: out.f64 = value; return 0;
    default: return pm_err::E_CONV;
  }
}

int convert(int from, int to, Atom& atom) {
  if (from == to && from != pm_type::unknown) return 0;
  switch (from) {
    case pm_type::i32:
    case pm_type::unknown: return from_integer(atom.i32, to, atom);
    case pm_type::u32: return from_integer(atom.u32, to, atom);
    case pm_type::i64: return from_integer(atom.i64, to, atom);
    case pm_type::u64: return from_integer(atom.u64, to, atom);
    case pm_type::f32: return from_float(static_cast<double>(atom.f32), to, atom);
    case pm_type::f64: return from_float(atom.f64, to, atom);
    default: return pm_err::E_CONV;
  }
}

}  // namespace

std::string_view Atom::text() const {
  const std::string_view all(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  return all.substr(0, all.find('\0'));
}

OrPmError<Atom> load_atom(ValueFormat format, int type, const Value& value) {
  OrPmError<Atom> out;
  if (const int code = load(format, type, value, *out); code != 0) out = pm_fail(code);
  return out;
}

OrPmError<Atom> atom_of(ValueFormat format, int from, const Value& value, int to) {
  OrPmError<Atom> out;
  int code = load(format, from, value, *out);
  if (code == 0) code = convert(from, to, *out);
  if (code != 0) out = pm_fail(code);
  return out;
}

}  // namespace pmjit
