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

// The results are made where they are wanted: copying them, just written in pieces, is what would
// cost most when every value of an archive is printed.

OrPmError<Atom> from_word(int type, uint32_t word) {
  OrPmError<Atom> out;
  switch (type) {
    case pm_type::i32:
    case pm_type::unknown: out->i32 = static_cast<int32_t>(word); break;
    case pm_type::u32: out->u32 = word; break;
    case pm_type::f32: out->f32 = std::bit_cast<float>(word); break;
    default: out = pm_fail(pm_err::E_CONV);
  }
  return out;
}

// False: the block is not as long as the number.
template <class T>
bool read(Bytes block, T& out) {
  if (block.size() != sizeof out) return false;
  std::memcpy(&out, block.data(), sizeof out);
  return true;
}

bool read_block(int type, const Value& value, Atom& out) {
  if (value.type != 0 && value.type != type) return false;
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
      return true;
    default: return false;
  }
}

OrPmError<Atom> from_block(int type, const Value& value) {
  OrPmError<Atom> out;
  if (!read_block(type, value, *out)) out = pm_fail(pm_err::E_CONV);
  return out;
}

// An integer of 32 or 64 bits into any number.
template <class T>
OrPmError<Atom> from_integer(T value, int to) {
  constexpr bool kSigned = std::is_signed_v<T>;
  const bool negative = kSigned && value < 0;
  const auto wide = static_cast<uint64_t>(value);  // of use where it is not negative
  Atom atom;
  switch (to) {
    case pm_type::i32:
      if (!negative && wide > kI32Max) return pm_fail(pm_err::E_TRUNC);
      atom.i32 = static_cast<int32_t>(value);
      return atom;
    case pm_type::u32:
      if (!negative && wide > kU32Max) return pm_fail(pm_err::E_TRUNC);
      if (negative) return pm_fail(pm_err::E_SIGN);
      atom.u32 = static_cast<uint32_t>(value);
      return atom;
    case pm_type::i64:
      if (!negative && wide > INT64_MAX) return pm_fail(pm_err::E_TRUNC);
      atom.i64 = static_cast<int64_t>(value);
      return atom;
    case pm_type::u64:
      if (negative) return pm_fail(pm_err::E_SIGN);
      atom.u64 = wide;
      return atom;
    case pm_type::f32: atom.f32 = static_cast<float>(value); return atom;
    case pm_type::f64: atom.f64 = static_cast<double>(value); return atom;
    default: return pm_fail(pm_err::E_CONV);
  }
}

OrPmError<Atom> from_float(double value, int to) {
  Atom atom;
  switch (to) {
    case pm_type::i32:
      if (std::fabs(value) >= kI32Max) return pm_fail(pm_err::E_TRUNC);
      atom.i32 = truncated_i32(value);
      return atom;
    case pm_type::u32:
      if (value >= kU32Max) return pm_fail(pm_err::E_TRUNC);
      if (value < 0) return pm_fail(pm_err::E_SIGN);
      atom.u32 = truncated_u32(value);
      return atom;
    case pm_type::i64:
      if (value >= kTwo63) return pm_fail(pm_err::E_TRUNC);
      atom.i64 = truncated_i64(value);
      return atom;
    case pm_type::u64:
      if (value >= kTwo64) return pm_fail(pm_err::E_TRUNC);
      if (value < 0) return pm_fail(pm_err::E_SIGN);
      atom.u64 = truncated_u64(value);
      return atom;
    case pm_type::f32: atom.f32 = static_cast<float>(value); return atom;
    case pm_type::f64: atom.f64 = value; return atom;
    default: return pm_fail(pm_err::E_CONV);
  }
}

}  // namespace

std::string_view Atom::text() const {
  const std::string_view all(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  return all.substr(0, all.find('\0'));
}

OrPmError<Atom> load_atom(ValueFormat format, int type, const Value& value) {
  switch (format) {
    case ValueFormat::in_place: return from_word(type, value.word);
    case ValueFormat::block:
    case ValueFormat::shared_block: return from_block(type, value);
  }
  return pm_fail(pm_err::E_CONV);
}

OrPmError<Atom> atom_of(ValueFormat format, int from, const Value& value, int to) {
  const OrPmError<Atom> atom = load_atom(format, from, value);
  if (!atom || (from == to && from != pm_type::unknown)) return atom;
  switch (from) {
    case pm_type::i32:
    case pm_type::unknown: return from_integer(atom->i32, to);
    case pm_type::u32: return from_integer(atom->u32, to);
    case pm_type::i64: return from_integer(atom->i64, to);
    case pm_type::u64: return from_integer(atom->u64, to);
    case pm_type::f32: return from_float(static_cast<double>(atom->f32), to);
    case pm_type::f64: return from_float(atom->f64, to);
    default: return pm_fail(pm_err::E_CONV);
  }
}

}  // namespace pmjit
