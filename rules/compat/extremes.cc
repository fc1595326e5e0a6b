#include "rules/compat/extremes.h"

#include <algorithm>
#include <array>

#include "rules/compat/two_numbers.h"

namespace pmjit::pmie {

namespace {

constexpr size_t kWays = 4;  // side by side, so that none waits for another

struct Way {
  TwoNumbers least, greatest;
  TwoMasks unordered;

  void take(TwoNumbers x) {
    least = x < least ? x : least;
    greatest = x > greatest ? x : greatest;
    unordered |= (TwoMasks)(x != x);
  }
};

}  // namespace

Extremes extremes_of(const double* first, size_t count) {
  const TwoNumbers begin{*first, *first};
  std::array<Way, kWays> ways;
  ways.fill(Way{begin, begin, TwoMasks{}});
  size_t i = 0;
  for (; i + kWays * kTwo <= count; i += kWays * kTwo) {
    for (size_t way = 0; way < kWays; ++way) ways[way].take(two_numbers(first + i + way * kTwo));
  }
  for (; i < count; ++i) ways[0].take(TwoNumbers{first[i], first[i]});
  Extremes out{.least = *first, .greatest = *first, .ordered = true};
  for (const Way& way : ways) {
    for (size_t k = 0; k < kTwo; ++k) {
      out.least = std::min(out.least, way.least[k]);
      out.greatest = std::max(out.greatest, way.greatest[k]);
      out.ordered &= way.unordered[k] == 0;
    }
  }
  return out;
}

}  // namespace pmjit::pmie
