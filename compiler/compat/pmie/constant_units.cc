#include "compiler/compat/pmie/constant_units.h"

#include <cmath>

#include "compiler/compat/pmie/words.h"

namespace pmjit::pmie {

double canonical_factor(const Units& units) {
  const double time_base = units.scale_time > kTimeScaleSec ? 60.0 : 1000.0;
  double factor = 1;
  if (units.dim_space != 0) factor *= std::pow(1024.0, units.dim_space * units.scale_space);
  if (units.dim_time != 0)
    factor *= std::pow(time_base, units.dim_time * (units.scale_time - kTimeScaleSec));
  if (units.dim_count != 0) factor *= std::pow(10.0, units.dim_count * units.scale_count);
  return factor;
}

void add_unit(Units& units, std::string_view word, int exponent) {
  const UnitWord& unit = *find_unit(word);
  const auto dim = static_cast<int8_t>(exponent);
  switch (unit.kind) {
    case UnitWord::Kind::space:
      units.dim_space = dim;
      units.scale_space = static_cast<uint8_t>(unit.scale);
      break;
    case UnitWord::Kind::time:
      units.dim_time = dim;
      units.scale_time = static_cast<uint8_t>(unit.scale);
      break;
    case UnitWord::Kind::count:
      units.dim_count = dim;
      units.scale_count = unit.scale;
      break;
  }
}

}  // namespace pmjit::pmie
