// Words the warnings for the user: what is wrong, what pmie does with it, what to write. A
// difference keeps the short text of its row.
#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cmath>
#include <optional>
#include <set>

#include "compiler/compat/pmie/unmatched.h"
#include "compiler/compat/pmie/words.h"
#include "compiler/differences/levels.h"
#include "compiler/differences/rules/rule_rows.h"
#include "runtime/text/dimension_text.h"

namespace pmjit::pmie {

namespace {

constexpr size_t kQuotedMax = 40;  // of the user's text in a message

// As it was written; "" where that is too long to be repeated.
std::string quoted(const RuleView& at, uint32_t node) {
  const Span span = at.program.nodes[node].place.span;
  const std::string_view text = at.text.substr(span.begin, span.end - span.begin);
  const bool fits = text.size() <= kQuotedMax && text.find('\n') == text.npos;
  return fits ? std::string(text) : std::string();
}
std::string called(const RuleView& at, uint32_t node, std::string_view otherwise) {
  std::string text = quoted(at, node);
  return text.empty() ? std::string(otherwise) : text;
}

// In which pmie compares: bytes, seconds and counts.
std::string canonical_text(const Units& units) {
  struct Part {
    int power;
    std::string_view one, many;
  };
  const Part parts[] = {{units.dim_space, "byte", "bytes"},
                        {units.dim_time, "second", "seconds"},
                        {units.dim_count, "count", "counts"}};
  std::string above, below;
  for (const Part& part : parts) {
    for (int i = 0; i < part.power; ++i) {
      above += fmt::format("{}{}", above.empty() ? "" : " × ", part.many);
    }
    for (int i = 0; i < -part.power; ++i) below += fmt::format(" per {}", part.one);
  }
  if (above.empty() && below.empty()) return "plain numbers";
  return (above.empty() ? "1" : above) + below;
}

// "500" of "500 sec": what stands before the unit of a number that was written.
std::string number_of(const RuleView& at, uint32_t node) {
  const std::string text = quoted(at, node);
  return text.substr(0, text.find_first_not_of("0123456789.eE"));
}

// 500 msec/sec: a unit of each kind replaces the one before it.
struct RepeatedUnit {
  bool is_there = false;
  std::optional<double> plain{};  // what is meant, where the units cancel
};
RepeatedUnit repeated_unit(const RuleView& at, uint32_t node) {
  RepeatedUnit out;
  const std::string written = quoted(at, node);
  std::string_view text = written;
  const size_t digits = std::min(text.find_first_not_of("0123456789."), text.size());
  double value = 0;
  if (std::from_chars(text.data(), text.data() + digits, value).ec != std::errc()) return out;
  text.remove_prefix(digits);
  std::set<UnitWord::Kind> seen;
  Units left{};
  int sign = 1;
  while (!text.empty()) {
    const size_t word = std::min(text.find_first_of(" \t/"), text.size());
    if (word > 0) {
      const UnitWord* const unit = find_unit(text.substr(0, word));
      if (unit == nullptr) return {};
      out.is_there = out.is_there || !seen.insert(unit->kind).second;
      Units one{};
      add_unit(one, unit->text, sign);
      value *= canonical_factor(one);
      left.dim_space = static_cast<int8_t>(left.dim_space + one.dim_space);
      left.dim_time = static_cast<int8_t>(left.dim_time + one.dim_time);
      left.dim_count = static_cast<int8_t>(left.dim_count + one.dim_count);
    } else if (text.front() == '/') {
      sign = -1;
    }
    text.remove_prefix(std::max<size_t>(word, 1));
  }
  if (out.is_there && left.no_dimension()) out.plain = value;
  return out;
}

// 1/2 Gbyte: the unit is of the number right before it, so it goes with the division.
bool explain_quotient(std::string_view text, const PmieNode& number, Diag& diag) {
  constexpr std::string_view kNumber = "0123456789.", kBlanks = " \t";
  const auto take = [&](std::string_view these) {
    const size_t end = std::min(text.find_first_not_of(these), text.size());
    const std::string_view out = text.substr(0, end);
    text.remove_prefix(end);
    return out;
  };
  const std::string written(text);
  double above = 0, below = 0;
  const std::string_view first = take(kNumber);
  (void)take(kBlanks);
  if (first.empty() || take("/").size() != 1) return false;
  (void)take(kBlanks);
  const std::string_view second = take(kNumber);
  (void)take(kBlanks);
  std::from_chars(first.data(), first.data() + first.size(), above);
  std::from_chars(second.data(), second.data() + second.size(), below);
  if (find_unit(text.substr(0, text.find_first_of(" /"))) == nullptr || below == 0) return false;
  diag.message = fmt::format("pmie divides {} by {} {}: {} is {:g}", first, second, text, written,
                             number.number);
  diag.label(number.place.span, fmt::format("did you mean {:g} {}?", above / below, text));
  diag.help("a unit belongs to the number right before it");
  return true;
}

bool explain_dimensions(const RuleView& at, Diag& diag) {
  const RuleFacts &a = at.left(), &b = at.right();
  if (b.constant && explain_quotient(quoted(at, at.node().right), at.right_node(), diag)) {
    return true;
  }
  diag.message = fmt::format("{} is {}, {} is {}", called(at, at.node().left, "the left side"),
                             dimension_text(*a.units), called(at, at.node().right, "the other"),
                             dimension_text(*b.units));
  std::string better;
  const std::string unit = usual_unit(*a.units, *b.units);
  const std::string number = b.constant ? number_of(at, at.node().right) : std::string();
  if (!number.empty() && !unit.empty() && !b.macro_unit) {
    better = fmt::format("did you mean {} {}?", number, unit);
  } else if (!number.empty() && a.units->no_dimension()) {
    better = fmt::format("did you mean {}?", number);
  }
  const RepeatedUnit again = repeated_unit(at, at.node().right);
  if (again.plain && a.units->no_dimension()) {
    better = fmt::format("did you mean {:g}?", *again.plain);
  }
  diag.label(at_left(at), "").label(at.right_node().place.span, better);
  diag.help(fmt::format("pmie does not check units: it {} {} and {}",
                        at.compares() ? "compares" : "combines", canonical_text(*a.units),
                        canonical_text(*b.units)));
  if (b.macro_unit && !unit.empty()) {
    diag.help(fmt::format("define {} with another unit, such as {}",
                          called(at, at.node().right, "the macro"), unit));
  }
  if (again.is_there) diag.help("of two units of one kind pmie keeps the last");
  return true;
}

// A unit of a rule has one word above, and one below: no products, and no powers.
bool can_be_typed(const Units& units) {
  int above = 0, below = 0;
  for (const int power : {units.dim_space, units.dim_time, units.dim_count}) {
    above += std::max(power, 0);
    below += std::max(-power, 0);
  }
  return above <= 1 && below <= 1;
}

// How a rule writes what pmie takes a bare number for: byte/sec.
std::string typed_canonical(const Units& units) {
  const auto word = [&](int sign) -> std::string_view {
    if (units.dim_space * sign > 0) return "byte";
    if (units.dim_time * sign > 0) return "sec";
    return units.dim_count * sign > 0 ? "count" : "";
  };
  return word(-1).empty() ? std::string(word(1)) : fmt::format("{}/{}", word(1), word(-1));
}

bool explain_bare(const RuleView& at, Diag& diag) {
  const bool left = diag.span == at_left(at) && left_is_bare(at);
  const RuleFacts& other = left ? at.right() : at.left();
  const uint32_t number = left ? at.node().left : at.node().right;
  const uint32_t metric = left ? at.node().right : at.node().left;
  const PmieNode& beside = at.program.nodes[metric];
  const bool by_zero = beside.op == PmieOp::divide && at.program.nodes[beside.right].number == 0 &&
                       at.program.nodes[beside.right].op == PmieOp::constant;
  if (by_zero) return false;                             // D39 says enough
  if (operand_units_differ(at, metric)) return false;    // so does D50
  if (operand_domains_differ(at, metric)) return false;  // and D71
  if (explain_quotient(quoted(at, number), at.program.nodes[number], diag)) return true;
  const std::string text = called(at, number, "the number"), unit = units_text(*other.units);
  diag.message =
      fmt::format("{} has no unit; pmie takes it as {}", text, canonical_text(*other.units));
  if (can_be_typed(*other.units)) {
    std::string written = unit;
    std::erase(written, ' ');
    diag.label(diag.span, fmt::format("did you mean {} {}?", text, written));
  }
  diag.help(fmt::format("{} is recorded in {}", called(at, metric, "the other side"), unit));
  const std::string taken = can_be_typed(*other.units) ? typed_canonical(*other.units) : "";
  if (!taken.empty() && taken.front() != '/' && !text.contains(' ')) {
    diag.help(fmt::format("to keep {}, write {} {}", canonical_text(*other.units), text, taken));
  }
  return true;
}

// The other reading of `A || B && C` is C's; of `A && B || C` both are the same.
bool explain_mixed(const RuleView& at, Diag& diag) {
  if (!at.is(PmieOp::both)) return false;
  diag.message = "pmie reads this as (A || B) && C; C programmers read A || (B && C)";
  diag.label(at.left_node().place.sign, "");
  diag.help("add parentheses");
  return true;
}

bool explain_first_word(const RuleView& at, Diag& diag) {
  const HostMetric& metric = at.fetch().hosts.front();
  for (const auto& listed : metric.instances()) {
    const auto all = at.metrics == nullptr
                         ? OrPmError<std::vector<Catalog::Instance>>{}
                         : at.metrics->instances(metric.source, metric.desc.indom);
    if (!all) return true;
    const auto taken = std::ranges::find(*all, listed.id, &Catalog::Instance::id);
    if (taken == all->end() || taken->name == listed.name) continue;
    diag.message = fmt::format("{} has no instance \"{}\"", at.fetch().name, listed.name);
    for (const ScannedToken& token : at.statement.tokens) {
      const bool within = token.span.begin >= at.node().place.span.begin &&
                          token.span.end <= at.node().place.span.end;
      if (within && token.kind == RuleToken::NAME && token.text == listed.name) {
        diag.span = token.span;
      }
    }
    diag.label(diag.span, fmt::format("did you mean '{}'?", taken->name));
    diag.helps.clear();
    if (const size_t line = listed.name.find('\n'); line != listed.name.npos) {
      diag.message = "this name has no closing quote";
      diag.help(fmt::format(
          "pmie reads it up to the next quote, or the end of the file: write #'{}'", taken->name));
      return true;
    }
    diag.help(fmt::format("pmie looks at the first word only, so this is \"{}\"", taken->name));
    return true;
  }
  return true;
}

// Of a set, as far as the archive shows; 0: not known.
size_t instances_of(const RuleView& at, uint32_t operand) {
  const uint32_t metrics = at.program.nodes[operand].metrics;
  if (metrics == kNone || at.metrics == nullptr) return 0;
  const Fetch& fetch = at.program.fetches[metrics];
  if (fetch.hosts.size() != 1) return 0;
  const HostMetric& metric = fetch.hosts.front();
  if (fetch.instances_listed) return metric.instances().size();
  const auto all = at.metrics->instances(metric.source, metric.desc.indom);
  return all ? all->size() : 0;
}

bool explain_domains(const RuleView& at, Diag& diag) {
  // D49 or D50 says enough.
  const bool of_units =
      units_differ(at) || (!at.is(OpKind::logic) && (operand_units_differ(at, at.node().left) ||
                                                     operand_units_differ(at, at.node().right)));
  if (of_units) return false;
  diag.message =
      fmt::format("{} and {} have different instances", called(at, at.node().left, "the left side"),
                  called(at, at.node().right, "the right side"));
  const size_t left = instances_of(at, at.node().left), right = instances_of(at, at.node().right);
  if (left == right) {
    diag.help("pmie pairs the two sets by position: the first of one with the first of the other");
  } else {
    diag.help(fmt::format("{} instance{} against {}: pmie cannot pair them, so this is {}", left,
                          left == 1 ? "" : "s", right,
                          at.is(PmieOp::both)     ? "never true"
                          : at.is(PmieOp::either) ? "never false"
                                                  : "unknown"));
  }
  diag.help("bring one to a single value first: sum_inst, avg_inst, or one instance with #");
  return true;
}

bool explain_rate_of_rate(const RuleView& at, Diag& diag) {
  if (at.left_node().op == PmieOp::rate) {
    diag.message = "this is the rate of a rate: how fast the rate changes";
    diag.help(at.of(at.left_node().left).rated
                  ? "pmie makes rates of counters itself: leave out rate both times"
                  : "write rate once");
    return true;
  }
  std::string operand = called(at, at.node().left, "the operand");
  if (operand.starts_with('(')) operand = operand.substr(1, operand.size() - 2);
  diag.message = fmt::format("this is the rate of a rate: {} is a counter", operand);
  diag.help("pmie makes rates of counters itself; leave out rate");
  return true;
}

bool explain_zero(const RuleView&, Diag& diag) {
  diag.message = "a division by zero is infinite, or no number";
  diag.help("a comparison with it is always the same: correct the number");
  return true;
}

bool explain_percent(const RuleView& at, Diag& diag) {
  diag.message = fmt::format("{} is outside of 0 to 100 percent", at.node().number);
  const bool above = at.node().number > 100;
  diag.help(above ? "it is never true: no set has so many" : "it is true whatever the values are");
  return true;
}

// $month == 12
bool is_no_month(const RuleView& at) {
  constexpr double kLast = 11;
  if (at.user() == kNone) return false;
  const PmieNode& user = at.program.nodes[at.user()];
  if (kind_of(user.op) != OpKind::relation) return false;
  const bool left = user.left == at.index;
  const PmieNode& other = at.program.nodes[left ? user.right : user.left];
  if (other.op != PmieOp::constant || other.sem == Sem::text) return false;
  const double number = other.number;
  switch (user.op) {
    case PmieOp::equal: return number < 0 || number > kLast;
    case PmieOp::greater: return left ? number >= kLast : number <= 0;
    case PmieOp::greater_equal: return left ? number > kLast : number < 0;
    case PmieOp::less: return left ? number <= 0 : number >= kLast;
    case PmieOp::less_equal: return left ? number < 0 : number > kLast;
    default: return false;
  }
}

bool explain_month(const RuleView& at, Diag& diag) {
  diag.message = is_no_month(at) ? "$month counts from 0: December is 11, so this is never true"
                                 : "$month counts from 0: January is 0, December is 11";
  diag.helps.clear();
  diag.help("strict has $month_of_year, from 1 to 12");
  return true;
}

bool explain_text(const RuleView& at, Diag& diag) {
  diag.message = fmt::format("{} is a text, and {} needs numbers",
                             called(at, at.left().text ? at.node().left : at.node().right, "this"),
                             symbol_of(at.node().op));
  if (!at.compares()) return true;
  diag.helps = {fmt::format("write == or != and a text, as in {} == \"TEXT\"",
                            called(at, at.left().text ? at.node().left : at.node().right, "NAME"))};
  return true;
}

bool explain_first_host(const RuleView&, Diag& diag) {
  diag.message = "pmie computes this for the first host only";
  return true;
}

// Where a part of an action's text is written; the whole action, where a macro brings it in.
Span place_of_text(const RuleView& at, std::string_view part, Span action) {
  const std::string_view text = at.text;
  for (const ScannedToken& token : at.statement.tokens) {
    if (token.kind != RuleToken::TEXT || !token.text.contains(part)) continue;
    const size_t found = text.substr(0, token.span.end).find(part, token.span.begin);
    if (found == text.npos) continue;
    return {static_cast<uint32_t>(found), static_cast<uint32_t>(found + part.size())};
  }
  return action;
}

// Letters behind % are kept in many texts, as they are meant.
bool explain_selector(const RuleView& at, Diag& diag) {
  const std::string_view wrong = mistaken_selector(at);
  if (wrong.empty()) return false;
  const bool read = std::string_view("hiv").contains(wrong[1]);
  diag.message = wrong.starts_with("%{") ? "pmie prints %{ and what follows as it stands"
                 : read                  ? fmt::format("pmie reads {} as {} and the text {}", wrong,
                                                       wrong.substr(0, 2), wrong.substr(2))
                                         : fmt::format("pmie prints {} as it stands", wrong);
  if (!wrong.starts_with("%{")) diag.span = place_of_text(at, wrong, diag.span);
  // %V, %instance; not %idle, which is a name of something else
  const std::string meant{'%', static_cast<char>(wrong[1] | 0x20)};  // a small letter
  const bool is_slip = !wrong.starts_with("%id") && !wrong.starts_with("%io");
  if (is_slip && std::string_view("hiv").contains(meant[1])) {
    diag.label(diag.span, fmt::format("did you mean {}?", meant));
  } else if (read) {
    diag.help("a blank behind % keeps it as it is");
  }
  diag.help("an action has %h for the host, %i for the instance, %v for the value, %c");
  return true;
}

// An empty text. One with selectors, which may become empty, is a difference.
bool explain_null(const RuleView& at, Diag& diag) {
  const std::string_view verb = symbol_of(at.node().op);
  if (!std::ranges::all_of(at.node().arguments, &std::string::empty)) return false;
  diag.message = at.is(PmieOp::shell)
                     ? "shell runs no command: its text is empty"
                     : fmt::format("the text of {} is empty: pmie prints (null)", verb);
  diag.help(at.is(PmieOp::shell) ? "write the command between the quotes"
                                 : fmt::format("write {} \"%i is at %v\"", verb));
  return true;
}

bool explain_nameless(const RuleView& at, Diag& diag) {
  diag.message = fmt::format("{} has no instances, so no name can match",
                             called(at, at.node().left, "the condition"));
  return true;
}

bool explain_no_match(const RuleView& at, Diag& diag) {
  diag.help(NoMatch::help(unmatched_pattern(at.program, at.node())->instances));
  return true;
}

struct NodeWords {
  DiagCode code;
  // False: nothing is read otherwise than it looks; a difference.
  bool (*explain)(const RuleView& at, Diag& diag);
};
constexpr NodeWords kNodeWords[] = {
    {DiagCode::D_MixedLogic, explain_mixed},
    {DiagCode::D_MonthFromZero, explain_month},
    {DiagCode::D_FirstWord, explain_first_word},
    {DiagCode::D_SecondDerivative, explain_rate_of_rate},
    {DiagCode::D_FirstHostOnly, explain_first_host},
    {DiagCode::D_OtherDomain, explain_domains},
    {DiagCode::D_DivisionByZero, explain_zero},
    {DiagCode::D_PercentRange, explain_percent},
    {DiagCode::D_TextInArithmetic, explain_text},
    {DiagCode::D_Nameless, explain_nameless},
    {DiagCode::S_NothingMatches, explain_no_match},
    {DiagCode::D_BareNumber, explain_bare},
    {DiagCode::D_CompareDimensions, explain_dimensions},
    {DiagCode::D_AddDimensions, explain_dimensions},
    {DiagCode::D_UnknownSelector, explain_selector},
    {DiagCode::D_PrintsNull, explain_null},
};

struct TokenWords {
  DiagCode code;
  std::string_view message, help;  // {}: the token as it was written; its number
};
constexpr TokenWords kTokenWords[] = {
    {DiagCode::D_MinusSwallowed, "pmie reads {} as {}", "write blanks around the minus"},
    {DiagCode::D_Exponent, "pmie reads {}+ as {} and a sum", "write 1e3 in place of 1e+3"},
    {DiagCode::D_QuotesLost, "pmie ignores quotes around a name behind /",
     "write the quotient the other way round, or name the metric otherwise"},
    {DiagCode::D_GivenTwice, "{} replaces the unit of its kind before it", "write one unit"},
    {DiagCode::D_NamedTwice, "{} is named twice", "leave one out"},
};

// Does any part of it fetch a metric that nobody was asked about?
bool supposes(const RuleView& at) {
  for (uint32_t i = at.first_of(at.index); i <= at.index; ++i) {
    const PmieNode& node = at.program.nodes[i];
    if (node.op == PmieOp::fetch && !at.program.fetches[node.fetch].is_known()) return true;
  }
  return false;
}

}  // namespace

void set_level(const RuleView& at, Diag& diag) {
  diag.severity = level_of(diag.code, !supposes(at));
  if (diag.severity != Severity::warning) return;
  const auto* words = std::ranges::find(kNodeWords, diag.code, &NodeWords::code);
  if (words != std::end(kNodeWords) && !words->explain(at, diag)) diag.severity = Severity::note;
}

void set_level(const ScannedToken& token, std::string_view text, Diag& diag) {
  diag.severity = level_of(diag.code, true);
  const auto* words = std::ranges::find(kTokenWords, diag.code, &TokenWords::code);
  if (diag.severity != Severity::warning || words == std::end(kTokenWords)) return;
  const Span span = token.span;
  // 5->: another message is about the arrow that lacks its -.
  if (diag.code == DiagCode::D_MinusSwallowed && text.substr(span.end).starts_with('>')) {
    diag.severity = Severity::note;
    return;
  }
  const std::string written(text.substr(span.begin, span.end - span.begin));
  diag.message = words->message;
  for (const std::string& gap : {written, fmt::format("{}", token.number)}) {
    const size_t at = diag.message.find("{}");
    if (at != std::string::npos) diag.message.replace(at, 2, gap);
  }
  const bool of_samples =
      diag.code == DiagCode::D_MinusSwallowed && span.begin > 0 && text[span.begin - 1] == '@';
  diag.help(of_samples ? "samples from 0 to 4 are written @0..4" : std::string(words->help));
}

}  // namespace pmjit::pmie
