// What each operator makes of the samples of its operands: one table for one time and for many
// (time_block.h), whatever keeps the samples. Source: spec rules-language.md §7–§9, §11.
//
//   const bool known = pair_numbers(node, left, right, out);      false: it has no value
//
// Where there is no value `out` keeps what stands in it, but for a stamp that is set before.
#pragma once

#include <cstdint>
#include <functional>
#include <span>

#include "rules/compat/node_state.h"

namespace pmjit::pmie {

// The samples of a node as of an evaluation: in a ring, or one evaluation behind the other.
class Samples {
 public:
  Samples() = default;
  explicit Samples(const NodeState& state)
      : numbers_(state.numbers.data()),
        stamps_(state.stamps.data()),
        span_(state.span()),
        valid_(state.valid),
        held_(state.held),
        newest_(state.newest) {}
  // `now`, `stamp`: of sample 0; the others lie before it. `newest`: where in a ring it would lie.
  Samples(const double* now, const double* stamp, size_t span, int64_t valid, int32_t held,
          int32_t newest)
      : numbers_(now),
        stamps_(stamp),
        span_(span),
        valid_(valid),
        held_(held),
        newest_(newest),
        is_line_(true) {}

  [[nodiscard]] size_t span() const { return span_; }
  [[nodiscard]] int64_t valid() const { return valid_; }
  // Sample 0 is the newest.
  [[nodiscard]] const double* sample(int32_t k) const {
    return is_line_ ? numbers_ - static_cast<size_t>(k) * span_ : numbers_ + slot(k) * span_;
  }
  // The one that lies at this place of the ring.
  [[nodiscard]] const double* placed(int32_t place) const {
    return sample((place - newest_ + held_) % held_);
  }
  [[nodiscard]] double stamp(int32_t k = 0) const {
    return is_line_ ? *(stamps_ - k) : stamps_[slot(k)];
  }

 private:
  [[nodiscard]] size_t slot(int32_t k) const { return static_cast<size_t>((newest_ + k) % held_); }

  const double* numbers_ = nullptr;
  const double* stamps_ = nullptr;
  size_t span_ = 0;
  int64_t valid_ = 0;
  int32_t held_ = 1, newest_ = 0;
  bool is_line_ = false;
};

// Where the sample of a node goes that is evaluated.
struct NewSample {
  double* now;
  double* stamp;
  size_t span;
};
[[nodiscard]] inline NewSample next_of(NodeState& state) {
  return {.now = state.now(), .stamp = &state.stamps[state.slot(0)], .span = state.span()};
}

[[nodiscard]] bool delayed(int32_t by, const Samples& of, NewSample out);
// Of a rule: the value of its condition. One of no elements leaves the value that there was.
[[nodiscard]] bool copied(const Samples& of, NewSample out);
// + and - of one operand.
[[nodiscard]] bool signed_numbers(PmieOp op, const Samples& of, NewSample out);
// Of numbers, with a number or a truth for each pair.
[[nodiscard]] bool pair_numbers(const PmieNode& node, const Samples& left, const Samples& right,
                                NewSample out);
// The same where both have values and spans that agree with each other: `pairing.span` elements.
void pair_known_numbers(PmieOp op, const Pairing& pairing, const double* left, const double* right,
                        double* out);
// !, &&, ||; of ! `right` does not count.
[[nodiscard]] bool connect(const PmieNode& node, const Samples& left, const Samples& right,
                           NewSample out);
// The same where both are known.
void connect_known(PmieOp op, const Pairing& pairing, const double* left, const double* right,
                   double* out);
// rate, rising, falling.
[[nodiscard]] bool change(PmieOp op, const Samples& of, NewSample out);
// `insts`: of the operand's shape. `holds`: does the name of an element match as it should?
[[nodiscard]] bool match(const Samples& of, int32_t insts,
                         const std::function<bool(size_t element)>& holds, NewSample out);
// `of_shape`: the operand's. Of one host.
[[nodiscard]] bool over_insts(const PmieNode& node, const PmieShape& of_shape, const Samples& of,
                              NewSample out);
[[nodiscard]] bool over_samples(const PmieNode& node, const PmieShape& of_shape, const Samples& of,
                                NewSample out);
// Over the first elements, as many as there are hosts: there are no fewer.
[[nodiscard]] bool over_hosts(const PmieNode& node, size_t hosts, const Samples& of, NewSample out);
// Over the instances of each host: `counts` of them. What is not written stays.
[[nodiscard]] bool over_insts_of_hosts(const PmieNode& node, std::span<const int32_t> counts,
                                       const Samples& of, NewSample out);
// Of at least one element.
[[nodiscard]] double reduce(const PmieNode& node, std::span<const double> of);

// Of how many elements `N %_inst` must be true. Source: spec rules-language.md §9 (Q6).

// `sum`: of the codes of truth.
[[nodiscard]] inline bool is_share(double sum, double percentage, size_t count) {
  const double share = percentage / 100;
  return sum >= static_cast<int>(0.5 + share * static_cast<double>(count));
}

}  // namespace pmjit::pmie
