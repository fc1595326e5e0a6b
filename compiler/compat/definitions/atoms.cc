#include "compiler/compat/definitions/evaluate.h"

#include <cstdlib>
#include <string>
#include <type_traits>

#include "compiler/compat/definitions/numbers.h"

namespace pmjit::pcp {

namespace {

// Calls f with the member of `a` that counts in `type`; false: it is no number.
template <class A, class F>
bool with_number(int type, A& a, F&& f) {
  return with_number_type(type, [&]<class T>(T) { f(number_in<T>(a)); });
}

}  // namespace

Atom converted(const Atom& atom, int from, int to, const Factor& factor) {
  if (from == to && to != pm_type::f64) return atom;
  Atom out{};
  with_number(from, atom, [&](auto value) {
    with_number(to, out, [&](auto& result) {
      result = convert<std::remove_reference_t<decltype(result)>>(value, factor);
    });
  });
  return out;
}

Atom arithmetic(Operator op, int type, const Atom& a, const Atom& b) {
  Atom out{};
  with_number(type, out, [&](auto& result) {
    using T = std::remove_reference_t<decltype(result)>;
    T x{}, y{};
    with_number(type, a, [&](auto value) { x = static_cast<T>(value); });
    with_number(type, b, [&](auto value) { y = static_cast<T>(value); });
    result = combine<T>(op, x, y);
  });
  return out;
}

bool holds(Operator op, int type, const Atom& a, const Atom& b) {
  bool out = false;
  with_number(type, a, [&](auto x) {
    using T = decltype(x);
    with_number(type, b, [&](auto y) { out = compare<T>(op, x, static_cast<T>(y)); });
  });
  return out;
}

Atom negated(int type, const Atom& a) {
  Atom out{};
  with_number(type, a, [&](auto value) {
    using T = decltype(value);
    with_number(type, out, [&](auto& result) {
      result = static_cast<std::remove_reference_t<decltype(result)>>(negative<T>(value));
    });
  });
  return out;
}

bool is_zero(int type, const Atom& a) {
  bool out = true;
  with_number(type, a, [&](auto value) { out = value == 0; });
  return out;
}

bool less(int type, const Atom& a, const Atom& b) { return holds(Operator::lt, type, a, b); }

Atom atom_of_number(std::string_view text, int type) {
  const std::string digits(text);
  Atom out{};
  with_number(type, out, [&](auto& result) {
    using T = std::remove_reference_t<decltype(result)>;
    if constexpr (std::is_floating_point_v<T>) {
      result = std::is_same_v<T, float> ? static_cast<T>(std::strtof(digits.c_str(), nullptr))
                                        : static_cast<T>(std::strtod(digits.c_str(), nullptr));
    } else {
      result = static_cast<T>(std::strtoull(digits.c_str(), nullptr, 10));
    }
  });
  return out;
}

Atom truth(bool value, int type) { return atom_of_number(value ? "1" : "0", type); }

}  // namespace pmjit::pcp
