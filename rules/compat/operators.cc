// Numbers of numbers, and truth of numbers: see operators.h. Quirks: Q6, Q7 (codes of truth are
// added up, and order counts), Q8, Q9.
#include "rules/compat/operators.h"

#include <algorithm>
#include <bit>
#include <vector>

namespace pmjit::pmie {

namespace {

using Elements = std::span<const double>;

double sum(Elements of) {
  double out = of[0];
  for (size_t i = 1; i < of.size(); ++i) out += of[i];
  return out;
}

template <class Better>
double best(Elements of, Better better) {
  double out = of[0];
  for (size_t i = 1; i < of.size(); ++i) {
    if (better(of[i], out)) out = of[i];
  }
  return out;
}

// The last of the codes that say something wins: `decides` or unknown.
double quantify(Elements of, double decides) {
  // Mostly nothing is unknown, and then the order does not matter. The bits of true and unknown
  // have none in common, and false has none.
  uint64_t any = 0, all = ~uint64_t{0};
  for (const double code : of) {
    any |= std::bit_cast<uint64_t>(code);
    all &= std::bit_cast<uint64_t>(code);
  }
  constexpr auto kTrueBits = std::bit_cast<uint64_t>(kTrue);
  static_assert((kTrueBits & std::bit_cast<uint64_t>(kUnknown)) == 0);
  if ((any & ~kTrueBits) == 0) return (decides == kTrue ? any : all) != 0 ? kTrue : kFalse;
  double out = of[0];
  for (size_t i = 0; i < of.size(); ++i) {
    if (of[i] == decides) out = decides;
    if (of[i] == kUnknown && out != kUnknown) out = kUnknown;
  }
  return out;
}

double count(Elements of) {
  size_t out = 0;
  for (size_t i = 0; i < of.size(); ++i) out += of[i] == kTrue ? 1 : 0;
  return static_cast<double>(out);
}

double both(double a, double b) {
  if (a == kFalse || b == kFalse) return kFalse;
  return a == kTrue && b == kTrue ? kTrue : kUnknown;
}

double either(double a, double b) {
  if (a == kTrue || b == kTrue) return kTrue;
  return a == kFalse && b == kFalse ? kFalse : kUnknown;
}

// With nothing known of the other side.
double alone(PmieOp op, double x) {
  const double decides = op == PmieOp::both ? kFalse : kTrue;
  return x == decides ? x : kUnknown;
}

double negated(double x) {
  if (x == kUnknown) return kUnknown;
  return x == kTrue ? kFalse : kTrue;
}

Pairing pairing_of(const PmieNode& node, size_t span) {
  return {.left_is_set = node.left_is_set, .right_is_set = node.right_is_set, .span = span};
}

bool same_span(const Samples& of, const NewSample& to) {
  return of.span() == to.span && of.span() > 0;
}

// Is there a value of this operand that can be used?
bool usable(const Samples& of, bool is_set, const NewSample& to) {
  return of.valid() > 0 && of.span() > 0 && (!is_set || of.span() == to.span);
}

}  // namespace

double reduce(const PmieNode& node, std::span<const double> of) {
  switch (node.op) {
    case PmieOp::sum: return sum(of);
    case PmieOp::avg: return sum(of) / static_cast<double>(of.size());
    case PmieOp::max: return best(of, [](double a, double b) { return a > b; });
    case PmieOp::min: return best(of, [](double a, double b) { return a < b; });
    case PmieOp::count: return count(of);
    case PmieOp::all: return quantify(of, kFalse);
    case PmieOp::some: return quantify(of, kTrue);
    default: return is_share(sum(of), node.number, of.size()) ? kTrue : kFalse;
  }
}

bool delayed(int32_t by, const Samples& of, NewSample out) {
  if (of.valid() <= by || !same_span(of, out)) return false;
  std::copy_n(of.sample(by), of.span(), out.now);
  *out.stamp = of.stamp(by);
  return true;
}

bool copied(const Samples& of, NewSample out) {
  if (of.valid() == 0) return false;
  if (of.span() > 0) *out.now = *of.sample(0);
  return true;
}

bool signed_numbers(PmieOp op, const Samples& of, NewSample out) {
  if (of.valid() == 0 || !same_span(of, out)) return false;
  const double* const from = of.sample(0);
  if (op == PmieOp::negate) {
    for (size_t i = 0; i < of.span(); ++i) out.now[i] = -from[i];
  } else {
    std::copy_n(from, of.span(), out.now);
  }
  *out.stamp = of.stamp();
  return true;
}

void pair_known_numbers(PmieOp op, const Pairing& pairing, const double* left, const double* right,
                        double* out) {
  const auto run = [&](auto f) { pair_up(pairing, left, right, out, f); };
  const auto truth = [&](auto f) {
    pair_up(pairing, left, right, out,
            [f](double a, double b) { return f(a, b) ? kTrue : kFalse; });
  };
  switch (op) {
    case PmieOp::add: return run([](double a, double b) { return a + b; });
    case PmieOp::subtract: return run([](double a, double b) { return a - b; });
    case PmieOp::multiply: return run([](double a, double b) { return a * b; });
    case PmieOp::divide: return run([](double a, double b) { return a / b; });
    case PmieOp::equal: return truth([](double a, double b) { return a == b; });
    case PmieOp::unequal: return truth([](double a, double b) { return a != b; });
    case PmieOp::less: return truth([](double a, double b) { return a < b; });
    case PmieOp::less_equal: return truth([](double a, double b) { return a <= b; });
    case PmieOp::greater: return truth([](double a, double b) { return a > b; });
    default: return truth([](double a, double b) { return a >= b; });
  }
}

bool pair_numbers(const PmieNode& node, const Samples& left, const Samples& right, NewSample out) {
  const Pairing pairing = pairing_of(node, out.span);
  if (left.valid() == 0 || right.valid() == 0 || !can_pair(pairing, left.span(), right.span())) {
    return false;
  }
  pair_known_numbers(node.op, pairing, left.sample(0), right.sample(0), out.now);
  *out.stamp = std::max(left.stamp(), right.stamp());
  return true;
}

void connect_known(PmieOp op, const Pairing& pairing, const double* left, const double* right,
                   double* out) {
  pair_up(pairing, left, right, out, op == PmieOp::both ? both : either);
}

bool connect(const PmieNode& node, const Samples& left, const Samples& right, NewSample out) {
  if (node.op == PmieOp::negation) {
    if (left.valid() == 0 || !same_span(left, out)) return false;
    std::transform(left.sample(0), left.sample(0) + left.span(), out.now, negated);
    *out.stamp = left.stamp();
    return true;
  }
  const bool has_left = usable(left, node.left_is_set, out);
  const bool has_right = usable(right, node.right_is_set, out);
  if ((!has_left && !has_right) || out.span == 0) return false;
  *out.stamp = std::max(left.stamp(), right.stamp());
  if (has_left && has_right) {
    connect_known(node.op, pairing_of(node, out.span), left.sample(0), right.sample(0), out.now);
    return true;
  }
  // Of a scalar alone only the first element is written (Q9).
  const double* const from = (has_left ? left : right).sample(0);
  const bool is_set = has_left ? node.left_is_set : node.right_is_set;
  for (size_t i = 0; i < (is_set ? out.span : 1); ++i) out.now[i] = alone(node.op, from[i]);
  return true;
}

// rate: per second, of the two newest samples. rising, falling: by the codes of truth (Q8).
bool change(PmieOp op, const Samples& of, NewSample out) {
  if (of.valid() < 2 || !same_span(of, out)) return false;
  const double *const now = of.sample(0), *const before = of.sample(1);
  const double seconds = of.stamp() - of.stamp(1);
  for (size_t i = 0; i < of.span(); ++i) {
    switch (op) {
      case PmieOp::rate: out.now[i] = (now[i] - before[i]) / seconds; break;
      case PmieOp::rising: out.now[i] = now[i] > before[i] ? kTrue : kFalse; break;
      default: out.now[i] = now[i] < before[i] ? kTrue : kFalse; break;
    }
  }
  *out.stamp = of.stamp();
  return true;
}

// Where the operand is not false and the name matches: unknown becomes true, too (Q9).
bool match(const Samples& of, int32_t insts, const std::function<bool(size_t element)>& holds,
           NewSample out) {
  if (out.span == 0) return false;
  if (of.valid() == 0) {
    std::fill_n(out.now, out.span, kUnknown);
  } else if (insts <= 0) {
    std::fill_n(out.now, out.span, kFalse);
  } else {
    const double* const from = of.sample(0);
    for (size_t i = 0; i < std::min(out.span, of.span()); ++i) {
      out.now[i] = holds(i) && from[i] != kFalse ? kTrue : kFalse;
    }
  }
  *out.stamp = of.stamp();
  return true;
}

bool over_insts(const PmieNode& node, const PmieShape& of_shape, const Samples& of, NewSample out) {
  if (of.valid() == 0) return false;
  *out.stamp = of.stamp();
  const bool is_empty = of_shape.insts < 1;
  if (is_empty && kind_of(node.op) != OpKind::quantifier) return false;
  *out.now =
      is_empty ? kUnknown : reduce(node, {of.sample(0), static_cast<size_t>(of_shape.insts)});
  return true;
}

// In the order in which the samples lie in the ring.
bool over_samples(const PmieNode& node, const PmieShape& of_shape, const Samples& of,
                  NewSample out) {
  const int32_t samples = of_shape.held();
  if (of.valid() == 0 || of.valid() < samples || !same_span(of, out)) return false;
  std::vector<double> elements(static_cast<size_t>(samples));
  for (size_t i = 0; i < of.span(); ++i) {
    for (int32_t k = 0; k < samples; ++k) elements[static_cast<size_t>(k)] = of.placed(k)[i];
    out.now[i] = reduce(node, elements);
  }
  *out.stamp = of.stamp();
  return true;
}

bool over_hosts(const PmieNode& node, size_t hosts, const Samples& of, NewSample out) {
  if (of.valid() == 0) return false;
  *out.stamp = of.stamp();
  if (hosts == 0) return false;
  *out.now = reduce(node, {of.sample(0), hosts});
  return true;
}

// Each host begins with the last element of the one before.
bool over_insts_of_hosts(const PmieNode& node, std::span<const int32_t> counts, const Samples& of,
                         NewSample out) {
  if (of.valid() == 0) return false;
  *out.stamp = of.stamp();
  size_t at = 0, host = 0;
  for (const int32_t count : counts) {
    if (count == 0) {
      // What later hosts had stays (Q12).
      if (kind_of(node.op) != OpKind::quantifier) return false;
      out.now[host] = kUnknown;
      break;
    }
    if (at + static_cast<size_t>(count) > of.span() || host >= out.span) break;
    out.now[host++] = reduce(node, {of.sample(0) + at, static_cast<size_t>(count)});
    at += static_cast<size_t>(count) - 1;
  }
  return true;
}

}  // namespace pmjit::pmie
