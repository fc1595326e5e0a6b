// What changes from evaluation to evaluation: of each node a ring of samples, of each fetch what
// was delivered last. Source: spec rules-language.md §5, §6.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "compiler/compat/pmie/expr.h"

namespace pmjit::pmie {

// Truth as it is stored, quirks and all: the codes are numbers.
inline constexpr double kFalse = 0, kTrue = 1, kUnknown = 2;

// None: unknown.
[[nodiscard]] inline std::optional<bool> truth_of(double code) {
  if (code == kUnknown) return std::nullopt;
  return code == kTrue;
}

using MaybeText = std::optional<std::string>;

// Mostly one, or two: these are kept in place, for there are some of them for each node and host.
class FewNumbers {
 public:
  FewNumbers() = default;
  FewNumbers(const FewNumbers& other) { *this = other; }
  FewNumbers(FewNumbers&& other) noexcept { *this = std::move(other); }
  FewNumbers& operator=(const FewNumbers& other) {
    if (this == &other) return *this;
    resize(other.size());
    std::copy_n(other.data(), size_, data());
    return *this;
  }
  FewNumbers& operator=(FewNumbers&& other) noexcept {
    std::swap(size_, other.size_);
    std::swap(few_, other.few_);
    std::swap(many_, other.many_);
    return *this;
  }
  ~FewNumbers() = default;

  // What they are then is undefined.
  void resize(size_t size) {
    many_ = size > kFew ? std::make_unique<double[]>(size) : nullptr;
    size_ = size;
  }
  void assign(size_t size, double value) {
    resize(size);
    std::fill_n(data(), size, value);
  }
  [[nodiscard]] double* data() { return many_ != nullptr ? many_.get() : few_; }
  [[nodiscard]] const double* data() const { return many_ != nullptr ? many_.get() : few_; }
  [[nodiscard]] size_t size() const { return size_; }
  [[nodiscard]] double* begin() { return data(); }
  [[nodiscard]] double* end() { return data() + size_; }
  [[nodiscard]] const double* begin() const { return data(); }
  [[nodiscard]] const double* end() const { return data() + size_; }
  double& operator[](size_t i) { return data()[i]; }
  const double& operator[](size_t i) const { return data()[i]; }

 private:
  static constexpr size_t kFew = 1;
  size_t size_ = 0;
  double few_[kFew] = {};
  std::unique_ptr<double[]> many_;
};

struct NodeState {
  PmieShape shape;
  int32_t held = 1;    // samples in the ring: those of the shape, or more for rate and rising
  int32_t newest = 0;  // which of them is sample 0
  int64_t valid = 0;   // how many of the newest have values
  FewNumbers numbers;  // sample after sample as they lie in the ring; truth, too
  std::vector<MaybeText> texts;  // the same of texts; else empty
  FewNumbers stamps;             // of each sample, in seconds

  [[nodiscard]] size_t span() const { return static_cast<size_t>(shape.span()); }
  // Sample 0 is the newest.
  [[nodiscard]] size_t slot(int32_t sample) const {
    return static_cast<size_t>((newest + sample) % held);
  }
  [[nodiscard]] const double* sample(int32_t k) const { return numbers.data() + slot(k) * span(); }
  [[nodiscard]] double* now() { return numbers.data() + slot(0) * span(); }
  [[nodiscard]] const MaybeText* text(int32_t k) const { return texts.data() + slot(k) * span(); }
  [[nodiscard]] MaybeText* text_now() { return texts.data() + slot(0) * span(); }
  // The oldest sample becomes the newest: its values are written next.
  void rotate() { newest = (newest + held - 1) % held; }
  void succeed() { ++valid; }
  void end(bool has_value) { has_value ? succeed() : fail(); }
  void fail() { valid = 0; }
  // Cleared storage of another number of elements.
  void reshape(int32_t insts, bool of_texts);
};

// Element by element one can be made of the other; nothing is made of nothing.
[[nodiscard]] inline bool same_span(const NodeState& of, const NodeState& to) {
  return of.span() == to.span() && of.span() > 0;
}

// What one host delivered for a fetch, in the order of its elements.
struct HostState {
  std::vector<int32_t> ids;                               // of the instances; singular: one
  std::shared_ptr<const std::vector<std::string>> names;  // of them; null: they have none
  std::vector<int32_t> delivered;                         // the instances as they came, and
  std::vector<uint32_t> order;                            // where in them each element stands;
  bool as_delivered = false;                              // `order` counts up from 0
  std::vector<uint64_t> ordered;                          // room for the bits of numbers
  std::vector<double> before;  // values of the last fetch, scaled; counters only
  bool lacks_names = false;    // some of them; they may come
  uint32_t unnamed = 0;        // instances of no name, that were not told yet
  bool is_changed = false;     // other instances than those of the last fetch
  double before_at = 0;        // when that was; 0: there was none
};

// Why a fetch has no value.
enum class FetchAbsence : uint8_t {
  none,
  nothing,       // the host has none at that time
  not_all,       // one of the listed instances has none
  unreadable,    // a value of another type than the metric's
  first_sample,  // of a counter, or the first after a gap
  changed,       // other instances than in the last sample, of a counter
  fell,          // a counter is less than it was
};

struct FetchState {
  std::vector<HostState> hosts;
  FetchAbsence absence = FetchAbsence::none;  // of the last fetch
  uint32_t absent_host = 0, absent_element = 0;
};

// How the elements of two operands meet: by position, or each with the one value of a scalar.
// Source: spec rules-language.md §7.
struct Pairing {
  bool left_is_set = false, right_is_set = false;
  size_t span = 0;  // of the node
};

// May they meet at all? The result of two scalars is one element.
[[nodiscard]] inline bool can_pair(const Pairing& pairing, size_t left_span, size_t right_span) {
  if (pairing.left_is_set && (left_span != pairing.span || pairing.span == 0)) return false;
  if (pairing.right_is_set && (right_span != pairing.span || pairing.span == 0)) return false;
  return left_span > 0 && right_span > 0 && pairing.span > 0;
}

template <class L, class R, class Out, class F>
void pair_up(const Pairing& pairing, const L* left, const R* right, Out* out, F f) {
  const size_t n = pairing.span;
  if (pairing.left_is_set && pairing.right_is_set) {
    for (size_t i = 0; i < n; ++i) out[i] = f(left[i], right[i]);
  } else if (pairing.left_is_set) {
    const R& one = *right;
    for (size_t i = 0; i < n; ++i) out[i] = f(left[i], one);
  } else if (pairing.right_is_set) {
    const L& one = *left;
    for (size_t i = 0; i < n; ++i) out[i] = f(one, right[i]);
  } else {
    out[0] = f(*left, *right);
  }
}

}  // namespace pmjit::pmie
