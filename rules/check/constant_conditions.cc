// What can never be true, and what always is, as the numbers of a condition show alone.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <span>
#include <utility>

#include "rules/check/conditions.h"

namespace pmjit {

namespace {

// One bound of the values for which a comparison is true.
struct ReachedBound {
  double at = 0;
  bool included = false;
  const Condition* from = nullptr;  // the comparison
};

using Comparisons = std::vector<const Condition*>;

// The comparisons among parts, those of one value together.
std::vector<Comparisons> by_value(std::span<const Condition> parts) {
  std::map<std::pair<std::string_view, std::string_view>, size_t> places;
  std::vector<Comparisons> out;
  for (const Condition& one : parts) {
    if (one.kind != Condition::Kind::comparison) continue;
    const auto [place, is_new] = places.try_emplace({one.subject, one.unit}, out.size());
    if (is_new) out.emplace_back();
    out[place->second].push_back(&one);
  }
  return out;
}

// The values for which comparisons of one value are true together.
struct Allowed {
  ReachedBound low{.at = -std::numeric_limits<double>::infinity()};
  ReachedBound high{.at = std::numeric_limits<double>::infinity()};

  // `relation`: that of the comparison, or its opposite.
  void meet(const Condition& one, ConditionRelation relation) {
    const bool equal = relation == ConditionRelation::equal;
    const bool above =
        relation == ConditionRelation::greater || relation == ConditionRelation::greater_equal;
    const bool below =
        relation == ConditionRelation::less || relation == ConditionRelation::less_equal;
    const bool included = equal || relation == ConditionRelation::greater_equal ||
                          relation == ConditionRelation::less_equal;
    const ReachedBound bound{.at = one.number, .included = included, .from = &one};
    const auto tighter = [&](const ReachedBound& old, bool is_low) {
      if (bound.at == old.at) return old.included && !bound.included;
      return is_low ? bound.at > old.at : bound.at < old.at;
    };
    if ((equal || above) && (low.from == nullptr || tighter(low, true))) low = bound;
    if ((equal || below) && (high.from == nullptr || tighter(high, false))) high = bound;
  }
  [[nodiscard]] bool is_empty() const {
    if (low.from == nullptr || high.from == nullptr) return false;
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
    case ConditionRelation::unequal: return ConditionRelation::equal;
    case ConditionRelation::equal: return std::nullopt;  // the values are on both sides of one
  }
  return std::nullopt;
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
  if (std::isinf(number)) return std::nullopt;  // 1e999, which no bound is about
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

bool has_end(const Condition& one) { return !std::isinf(one.range.greatest); }

// -5 Mbyte: 5 Mbyte
std::string without_minus(const Condition& one) {
  const size_t digits = std::min(one.number_text.find_first_not_of("- "), one.number_text.size());
  return digits > 0 ? one.number_text.substr(digits) : fmt::to_string(std::fabs(one.number));
}

bool is_year(const Condition& one) { return one.written == "$year"; }

std::string range_words(const Condition& one) {
  if (is_year(one)) return "$year has its century: 2026";
  if (!has_end(one)) return fmt::format("{} is never negative", one.written);
  return fmt::format("{} is {} to {}", one.written, one.range.least, one.range.greatest);
}

std::string range_help(const Condition& one) {
  if (is_year(one)) {
    constexpr double kCentury = 100;
    const bool is_short = one.number >= 0 && one.number < kCentury;
    return is_short ? fmt::format("write 20{:02}", static_cast<int>(one.number))
                    : "write a year of four digits";
  }
  return one.written == "$day_of_week" ? "0 is Sunday, 6 is Saturday"
                                       : "write a number within that";
}

bool is_alike(const Condition& a, const Condition& b) {
  return b.kind == Condition::Kind::comparison && a.subject == b.subject && a.unit == b.unit;
}

// Is `earlier` true wherever `later` is, as their numbers show?
bool implies(const Condition& later, const Condition& earlier) {
  const auto each = [&](const Condition& part) { return implies(part, earlier); };
  const auto to = [&](const Condition& part) { return implies(later, part); };
  if (later.kind == Condition::Kind::either) return std::ranges::all_of(later.parts, each);
  if (earlier.kind == Condition::Kind::both) return std::ranges::all_of(earlier.parts, to);
  if (earlier.kind == Condition::Kind::either) return std::ranges::any_of(earlier.parts, to);
  if (later.kind == Condition::Kind::both) return std::ranges::any_of(later.parts, each);
  if (later.kind == Condition::Kind::holds && earlier.kind == Condition::Kind::holds) {
    return !later.quantifier.empty() && later.quantifier == earlier.quantifier &&
           later.parts.size() == 1 && earlier.parts.size() == 1 &&
           implies(later.parts.front(), earlier.parts.front());
  }
  const bool compare = later.kind == Condition::Kind::comparison && is_alike(later, earlier);
  if (!compare) return false;
  if (later.relation == earlier.relation && later.number == earlier.number) return true;
  const auto relation = opposite(earlier.relation);
  if (!relation) return false;
  Allowed left;
  left.meet(later, later.relation);
  left.meet(earlier, *relation);
  return left.is_empty();
}

class ConstantConditions {
 public:
  explicit ConstantConditions(Diags& diags) : diags_(diags) {}

  // Warns of what can never be true within; the truth of the whole where it is always the same.
  std::optional<bool> look(const Condition& one) {
    std::vector<std::optional<bool>> truths;
    Always why;  // one of the parts is always true
    for (const Condition& part : one.parts) {
      truths.push_back(look(part));
      if (truths.back() == true) why = always_;
    }
    if (why.of != nullptr) always_ = std::move(why);
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
      case Condition::Kind::negation:
      case Condition::Kind::other: return std::nullopt;
    }
    return std::nullopt;
  }

  // Why the whole is always true.
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
      warn(one.where, range_words(one) + ", so this is never true",
           has_end(one) || is_year(one)
               ? range_help(one)
               : fmt::format("write == 0 for none, or > {} for more", without_minus(one)));
    } else if (truth == true) {
      always_ = {&one, range_words(one),
                 has_end(one) || is_year(one) ? range_help(one)
                                              : "write > 0 to leave out 0, or another number"};
    }
    return truth;
  }

  // x > 90 && x < 80
  bool contradicts(const Condition& both) {
    for (const Comparisons& alike : by_value(both.parts)) {
      Allowed allowed;
      for (const Condition* one : alike) allowed.meet(*one, one->relation);
      if (!allowed.is_empty()) continue;
      const Condition &low = *allowed.low.from, &high = *allowed.high.from;
      warn(join(low.where, high.where),
           fmt::format("{} is never {} {} and {} {} at once, so this is never true", low.written,
                       words_of(low.relation), low.number_text, words_of(high.relation),
                       high.number_text),
           "write || for one of the two, or exchange the numbers");
      return true;
    }
    return false;
  }

  // x > 10 || x < 20, x != 1 || x != 2: nothing is left for which both are false.
  bool covers_all(const Condition& either) {
    for (const Comparisons& alike : by_value(either.parts)) {
      Allowed left;
      for (const Condition* one : alike) {
        if (const auto relation = opposite(one->relation)) left.meet(*one, *relation);
      }
      if (!left.is_empty()) continue;
      const Condition &below = *left.low.from, &above = *left.high.from;
      always_ = {
          &either,
          fmt::format("each value of {} is {} {} or {} {}", below.written, words_of(above.relation),
                      above.number_text, words_of(below.relation), below.number_text),
          below.relation == ConditionRelation::unequal && above.relation == below.relation
              ? "write && to leave out both"
              : "write && for the values between the two"};
      return true;
    }
    return false;
  }

  struct Always {
    const Condition* of = nullptr;
    std::string message{}, help{};
  };
  Diags& diags_;
  Always always_;
};

bool is_never_true(const Condition& condition) {
  Diags nobody;
  return ConstantConditions(nobody).look(condition) == false;
}

}  // namespace

void MistakenOperands::add(DiagCode code, Severity severity, uint32_t begin) {
  constexpr DiagCode kOfOperands[] = {DiagCode::D_MonthFromZero, DiagCode::D_BareNumber,
                                      DiagCode::D_CompareDimensions, DiagCode::D_AddDimensions};
  const bool warns = severity == Severity::warning &&
                     std::ranges::find(kOfOperands, code) != std::end(kOfOperands);
  if (warns || severity == Severity::error) places_.insert(begin);
}

bool MistakenOperands::any_in(Span span) const {
  const auto first = places_.lower_bound(span.begin);
  return first != places_.end() && *first < span.end;
}

void MistakenOperands::leave_out_of(Condition& condition) const {
  for (Condition& part : condition.parts) leave_out_of(part);
  const bool compares = condition.kind == Condition::Kind::comparison;
  if (compares && any_in(condition.where)) condition.kind = Condition::Kind::other;
}

void warn_of_turns(std::span<const Condition> turns, Diags& diags) {
  for (size_t later = 1; later < turns.size(); ++later) {
    const auto before = turns.first(later);
    const auto takes = std::ranges::find_if(
        before, [&](const Condition& earlier) { return implies(turns[later], earlier); });
    if (takes == before.end() || is_never_true(turns[later])) continue;
    diags
        .add(DiagCode::P_RuleWarning, turns[later].where,
             "this never gets its turn: a condition before it is true whenever this one is")
        .label(takes->where, "true first")
        .help("a ruleset takes the first that is true: put the narrower condition first");
  }
}

void warn_of_constant(const Condition& condition, Diags& diags) {
  ConstantConditions look(diags);
  if (look.look(condition) == true) look.tell_always();
}

}  // namespace pmjit
