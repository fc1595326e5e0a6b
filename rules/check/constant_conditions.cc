// What can never be true, and what always is, as the numbers of a condition show alone.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "rules/check/conditions.h"

namespace pmjit {

namespace {

// One bound of the values for which a comparison is true.
struct ReachedBound {
  double at = 0;
  bool included = false;
  const Condition* from = nullptr;  // that says so
};

// The values for which comparisons of one value are true together.
struct Allowed {
  ReachedBound low{.at = -std::numeric_limits<double>::infinity()};
  ReachedBound high{.at = std::numeric_limits<double>::infinity()};

  // False: the comparison bounds nothing.
  bool meet(const Condition& one) {
    const bool equal = one.relation == ConditionRelation::equal;
    const bool above = one.relation == ConditionRelation::greater ||
                       one.relation == ConditionRelation::greater_equal;
    const bool below =
        one.relation == ConditionRelation::less || one.relation == ConditionRelation::less_equal;
    const bool included = equal || one.relation == ConditionRelation::greater_equal ||
                          one.relation == ConditionRelation::less_equal;
    const ReachedBound bound{.at = one.number, .included = included, .from = &one};
    const auto tighter = [&](const ReachedBound& old, bool is_low) {
      if (bound.at == old.at) return old.included && !bound.included;
      return is_low ? bound.at > old.at : bound.at < old.at;
    };
    if ((equal || above) && (low.from == nullptr || tighter(low, true))) low = bound;
    if ((equal || below) && (high.from == nullptr || tighter(high, false))) high = bound;
    return equal || above || below;
  }
  [[nodiscard]] bool is_empty() const {
    return low.at > high.at || (low.at == high.at && !(low.included && high.included));
  }
};

// What is false where the comparison is true, so that !(a || b) is !a && !b.
std::optional<ConditionRelation> opposite(ConditionRelation relation) {
  switch (relation) {
    case ConditionRelation::less: return ConditionRelation::greater_equal;
    case ConditionRelation::less_equal: return ConditionRelation::greater;
    case ConditionRelation::greater: return ConditionRelation::less_equal;
    case ConditionRelation::greater_equal: return ConditionRelation::less;
    default: return std::nullopt;
  }
}

std::string_view words_of(ConditionRelation relation) {
  switch (relation) {
    case ConditionRelation::less: return "below";
    case ConditionRelation::less_equal: return "at most";
    case ConditionRelation::equal: return "equal to";
    case ConditionRelation::unequal: return "other than";
    case ConditionRelation::greater: return "above";
    case ConditionRelation::greater_equal: return "at least";
  }
  return "";
}

// Of a value within a range; none: it depends.
std::optional<bool> decided(const Condition& one) {
  const double least = one.range.least, greatest = one.range.greatest, number = one.number;
  const auto decide = [](bool always, bool never) {
    return always ? std::optional(true) : never ? std::optional(false) : std::nullopt;
  };
  switch (one.relation) {
    case ConditionRelation::less: return decide(greatest < number, least >= number);
    case ConditionRelation::less_equal: return decide(greatest <= number, least > number);
    case ConditionRelation::greater: return decide(least > number, greatest <= number);
    case ConditionRelation::greater_equal: return decide(least >= number, greatest < number);
    case ConditionRelation::equal:
    case ConditionRelation::unequal: {
      const bool outside = number < least || number > greatest;
      if (!outside) return std::nullopt;
      return one.relation == ConditionRelation::unequal;
    }
  }
  return std::nullopt;
}

std::string range_words(const Condition& one) {
  if (std::isinf(one.range.greatest)) return fmt::format("{} is never negative", one.written);
  return fmt::format("{} is {} to {}", one.written, one.range.least, one.range.greatest);
}

class ConstantConditions {
 public:
  explicit ConstantConditions(Diags& diags) : diags_(diags) {}

  // Warns of what can never be true within; the truth of the whole where it is always the same.
  std::optional<bool> look(const Condition& one) {
    std::vector<std::optional<bool>> truths;
    for (const Condition& part : one.parts) truths.push_back(look(part));
    const auto is = [](bool truth) {
      return [truth](const std::optional<bool>& known) { return known == truth; };
    };
    switch (one.kind) {
      case Condition::Kind::comparison: return comparison(one);
      case Condition::Kind::holds: return truths.empty() ? std::nullopt : truths.front();
      case Condition::Kind::always:
        always_ = {&one, "0 % is true whatever the values are",
                   "write some_inst for at least one, or a number above 0"};
        return true;
      case Condition::Kind::both:
        if (std::ranges::any_of(truths, is(false)) || contradicts(one)) return false;
        return std::ranges::all_of(truths, is(true)) ? std::optional(true) : std::nullopt;
      case Condition::Kind::either:
        if (std::ranges::any_of(truths, is(true)) || covers_all(one)) return true;
        return std::ranges::all_of(truths, is(false)) ? std::optional(false) : std::nullopt;
      case Condition::Kind::other: return std::nullopt;
    }
    return std::nullopt;
  }

  // The last reason that was found why something is always true.
  void tell_always() {
    if (always_.of == nullptr) return;
    warn(always_.of->where, always_.message + ", so this is always true", always_.help);
  }

 private:
  void warn(Span where, std::string message, std::string help) {
    Diag& diag = diags_.add(DiagCode::P_RuleWarning, where, std::move(message));
    diag.help(std::move(help));
  }

  std::optional<bool> comparison(const Condition& one) {
    const auto truth = decided(one);
    if (truth == false) {
      const bool negative = one.range.least == 0 && std::isinf(one.range.greatest);
      warn(one.where, range_words(one) + ", so this is never true",
           negative ? fmt::format("write == 0 for none, or > {} for more", std::fabs(one.number))
                    : "write a number that it can reach");
    } else if (truth == true) {
      always_ = {&one, range_words(one), "write > 0 to leave out 0, or another number"};
    }
    return truth;
  }

  // x > 90 && x < 80
  bool contradicts(const Condition& both) {
    for (const Condition& first : both.parts) {
      if (first.kind != Condition::Kind::comparison) continue;
      Allowed allowed;
      for (const Condition& one : both.parts) {
        if (is_alike(first, one)) (void)allowed.meet(one);
      }
      if (!allowed.is_empty()) continue;
      const Condition &low = *allowed.low.from, &high = *allowed.high.from;
      warn(join(low.where, high.where),
           fmt::format("{} is never {} {} and {} {} at once, so this is never true", first.written,
                       words_of(low.relation), low.number_text, words_of(high.relation),
                       high.number_text),
           "write || for one of the two, or exchange the numbers");
      return true;
    }
    return false;
  }

  // x > 10 || x < 20: nothing is left for which both are false.
  bool covers_all(const Condition& either) {
    for (const Condition& first : either.parts) {
      if (first.kind != Condition::Kind::comparison) continue;
      Allowed left;
      std::vector<Condition> turned;  // that `left` points into
      turned.reserve(either.parts.size());
      for (const Condition& one : either.parts) {
        const auto relation = is_alike(first, one) ? opposite(one.relation) : std::nullopt;
        if (!relation) continue;
        turned.push_back(one);
        turned.back().relation = *relation;
        (void)left.meet(turned.back());
      }
      if (!left.is_empty() || left.low.from == nullptr || left.high.from == nullptr) continue;
      const Condition &below = *left.low.from, &above = *left.high.from;
      always_ = {&either,
                 fmt::format("each value of {} is {} {} or {} {}", first.written,
                             words_of(*opposite(above.relation)), above.number_text,
                             words_of(*opposite(below.relation)), below.number_text),
                 "write && for the values between the two"};
      return true;
    }
    return false;
  }

  static bool is_alike(const Condition& a, const Condition& b) {
    return b.kind == Condition::Kind::comparison && a.subject == b.subject && a.unit == b.unit;
  }

  struct Always {
    const Condition* of = nullptr;
    std::string message{}, help{};
  };
  Diags& diags_;
  Always always_;
};

}  // namespace

void warn_of_constant(const Condition& condition, Diags& diags) {
  ConstantConditions look(diags);
  if (look.look(condition) == true) look.tell_always();
}

}  // namespace pmjit
