// pmConvScale, in the reference's own arithmetic: the factors of all dimensions multiplied up in 64
// bits around Mbyte, second and one, then one multiplication and one rounded division. Its
// overflows are part of what it answers and happen here in unsigned arithmetic; where it divides by
// zero and dies, we refuse. units.h has the exact factors that evaluation uses. Source: spec
// pmapi.md §15.2.
#include <array>
#include <cmath>
#include <cstdlib>

#include "runtime/base/wide.h"
#include "runtime/model/atom.h"

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

}  // namespace pmjit
