// pmConvScale, in the reference's own arithmetic: the factors of all dimensions multiplied up in 64
// bits around Mbyte, second and one, then one multiplication and one rounded division. Its
// overflows are part of what it answers and happen here in unsigned arithmetic; where it divides by
// zero and dies, we refuse. units.h has the exact factors that evaluation uses. Source: spec
// pmapi.md §15.2.

#include <array>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <type_traits>

#include "runtime/base/bits.h"
#include "runtime/model/value.h"

namespace pmjit {

namespace {

struct ExactFactor {
  uint64_t mult = 1, div = 1;

  void apply(ExactFactor by) {
    mult *= by.mult;
    div *= by.div;
  }
  [[nodiscard]] ExactFactor inverse() const { return {.mult = div, .div = mult}; }
};

// In Mbyte; Zbyte and Ybyte have none.
constexpr std::array<ExactFactor, 7> kSpace{{{1, 1u << 20},
                                             {1, 1u << 10},
                                             {1, 1},
                                             {1u << 10, 1},
                                             {1u << 20, 1},
                                             {1u << 30, 1},
                                             {uint64_t{1} << 40, 1}}};
// In seconds.
constexpr std::array<ExactFactor, 6> kTime{
    {{1, 1'000'000'000}, {1, 1'000'000}, {1, 1'000}, {1, 1}, {60, 1}, {3600, 1}}};

ExactFactor count_factor(int scale) {
  ExactFactor out;
  for (int i = 0; i < std::abs(scale); ++i) out.mult *= 10;
  return scale < 0 ? out.inverse() : out;
}

// One unit of scale `from` in units of scale `to`, `dim` times; false: a scale without a factor.
template <size_t N>
bool apply(ExactFactor& sum, const std::array<ExactFactor, N>& table, int dim, size_t from,
           size_t to) {
  if (dim == 0) return true;
  if (from >= N || to >= N) return false;
  for (int i = 0; i < std::abs(dim); ++i) {
    sum.apply(dim > 0 ? table[from] : table[from].inverse());
    sum.apply(dim > 0 ? table[to].inverse() : table[to]);
  }
  return true;
}

void apply_count(ExactFactor& sum, int dim, int from, int to) {
  for (int i = 0; i < std::abs(dim); ++i) {
    sum.apply(count_factor(dim > 0 ? from : -from));
    sum.apply(count_factor(dim > 0 ? -to : to));
  }
}

// A plain number with a decimal scale is a count in all but name.
Units counted(Units units) {
  if (units.no_dimension()) units.dim_count = 1;
  return units;
}

OrPmError<ExactFactor> factor_of(Units from, Units to) {
  from = counted(from);
  to = counted(to);
  if (!same_dimensions(from, to) || from.dim_count != to.dim_count) {
    return pm_fail(pm_err::E_CONV);
  }
  ExactFactor sum;
  if (!apply(sum, kSpace, from.dim_space, from.scale_space, to.scale_space) ||
      !apply(sum, kTime, from.dim_time, from.scale_time, to.scale_time)) {
    return pm_fail(pm_err::E_UNIT);
  }
  apply_count(sum, from.dim_count, from.scale_count, to.scale_count);
  if (const int thousands = extra_thousands(from.extra, to.extra).value_or(0); thousands != 0) {
    const ExactFactor step{.mult = 1000, .div = 1};
    for (int i = 0; i < std::abs(thousands); ++i) sum.apply(thousands > 0 ? step : step.inverse());
  }
  if (sum.div == 0) return pm_fail(pm_err::E_CONV);
  // Signed, as the reference has it: a product that has overflowed may be negative.
  const auto mult = static_cast<int64_t>(sum.mult), div = static_cast<int64_t>(sum.div);
  if (mult % div == 0) sum = {.mult = static_cast<uint64_t>(mult / div), .div = 1};
  return sum;
}

// value × mult, and half of div for the rounding, which is a signed half for unsigned values too.
uint64_t multiplied(uint64_t value, ExactFactor by) {
  return value * by.mult + static_cast<uint64_t>(static_cast<int64_t>(by.div) / 2);
}

int64_t scaled(int64_t value, ExactFactor by) {
  return static_cast<int64_t>(multiplied(static_cast<uint64_t>(value), by)) /
         static_cast<int64_t>(by.div);
}

template <class T>
T scaled_float(T value, ExactFactor by) {
  return value * (static_cast<T>(static_cast<int64_t>(by.mult)) /
                  static_cast<T>(static_cast<int64_t>(by.div)));
}

double shifted(double value, const TemperatureShift& by) {
  return by.after + static_cast<double>(by.num) * (value + by.before) / static_cast<double>(by.den);
}

int64_t shifted(int64_t value, const TemperatureShift& by) {
  return std::llround(shifted(static_cast<double>(value), by));
}

// The last step of 7.2: temperatures. Whole numbers are rounded, as they are elsewhere.
Atom shifted_atom(int type, Atom atom, const TemperatureShift& by) {
  switch (type) {
    case pm_type::i32: atom.i32 = static_cast<int32_t>(shifted(int64_t{atom.i32}, by)); break;
    case pm_type::u32: atom.u32 = static_cast<uint32_t>(shifted(int64_t{atom.u32}, by)); break;
    case pm_type::i64: atom.i64 = shifted(atom.i64, by); break;
    case pm_type::u64:
      atom.u64 = static_cast<uint64_t>(shifted(static_cast<int64_t>(atom.u64), by));
      break;
    case pm_type::f32: atom.f32 = static_cast<float>(shifted(double{atom.f32}, by)); break;
    default: atom.f64 = shifted(atom.f64, by); break;
  }
  return atom;
}

// The scales of an extra unit that nobody can convert between.
bool no_way_between(ExtraUnit from, ExtraUnit to) {
  return !extra_thousands(from, to) && !temperature_shift(from, to);
}

OrPmError<Atom> factored_atom(int type, const Atom& atom, ExactFactor by) {
  Atom out;
  switch (type) {
    case pm_type::i32: out.i32 = static_cast<int32_t>(scaled(atom.i32, by)); return out;
    case pm_type::u32: out.u32 = static_cast<uint32_t>(scaled(atom.u32, by)); return out;
    case pm_type::i64: out.i64 = scaled(atom.i64, by); return out;
    case pm_type::u64: out.u64 = multiplied(atom.u64, by) / by.div; return out;
    case pm_type::f32: out.f32 = scaled_float(atom.f32, by); return out;
    case pm_type::f64: out.f64 = scaled_float(atom.f64, by); return out;
    default: return pm_fail(pm_err::E_CONV);
  }
}

// pmExtractValue. Its limits are asymmetric (nothing is checked below when 64 bits go to 32), and
// what its C casts leave undefined is what x86-64 does. Both are written out here without undefined
// behaviour. Source: spec pmapi.md §15.1.
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

bool scales_wrongly(Units from, Units to) {
  const OrPmError<ExactFactor> by = factor_of(from, to);
  const auto exact = scale_factor(from, to);
  if (!by || no_way_between(from.extra, to.extra) || temperature_shift(from.extra, to.extra)) {
    return false;
  }
  return !exact || Int128{static_cast<int64_t>(by->mult)} * exact->den !=
                       Int128{static_cast<int64_t>(by->div)} * exact->num;
}

OrPmError<Atom> scaled_atom(int type, const Atom& atom, Units from, Units to) {
  const OrPmError<ExactFactor> by = factor_of(from, to);
  if (!by) return pm_fail(by.error());
  if (no_way_between(from.extra, to.extra)) return pm_fail(pm_err::E_UNIT);
  const auto out = factored_atom(type, atom, *by);
  const auto shift = temperature_shift(from.extra, to.extra);
  return out && shift ? shifted_atom(type, *out, *shift) : out;
}

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
