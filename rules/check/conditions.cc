#include "rules/check/conditions.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <iterator>
#include <optional>

#include "compiler/compat/pmie/words.h"
#include "compiler/strict_rules/clock.h"
#include "runtime/text/parse_units.h"

namespace pmjit {

namespace {

constexpr size_t kWrittenMax = 60;

// (a + b), but not (a) + (b)
bool is_in_parentheses(std::string_view text) {
  if (!text.starts_with('(')) return false;
  size_t open = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '(') ++open;
    if (text[i] == ')' && --open == 0) return i + 1 == text.size();
  }
  return false;
}

// In one line; "the value" where that is too long to be repeated.
std::string written_at(std::string_view text, Span where) {
  const std::string_view all = text.substr(where.begin, where.end - where.begin);
  std::string out;
  for (const char c : all) {
    const bool blank = c == ' ' || c == '\n' || c == '\t' || c == '\r';
    if (!blank) {
      out += c;
    } else if (!out.empty() && out.back() != ' ') {
      out += ' ';
    }
  }
  if (is_in_parentheses(out)) out = out.substr(1, out.size() - 2);
  return out.size() <= kWrittenMax ? out : "the value";
}

ConditionRelation turned(ConditionRelation relation) {
  switch (relation) {
    case ConditionRelation::less: return ConditionRelation::greater;
    case ConditionRelation::less_equal: return ConditionRelation::greater_equal;
    case ConditionRelation::greater: return ConditionRelation::less;
    case ConditionRelation::greater_equal: return ConditionRelation::less_equal;
    default: return relation;
  }
}

// Alike connectives become one list: a && b && c. They nest to the left, so the first is taken
// over.
void add_joined(Condition::Kind kind, Condition&& part, std::vector<Condition>& to) {
  if (part.kind != kind) return to.push_back(std::move(part));
  if (to.empty()) return to.swap(part.parts);
  for (Condition& one : part.parts) to.push_back(std::move(one));
}

bool is_unsigned(const Desc& desc) {
  const auto elem = elem_from_pm(desc.pm_type);
  return elem == Elem::u32 || elem == Elem::u64;
}

bool is_time_counter(const Desc& desc) {
  const Units& units = desc.units;
  return desc.semantics == Semantics::counter && units.dim_time == 1 && units.dim_space == 0 &&
         units.dim_count == 0;
}

class PmieConditions {
 public:
  PmieConditions(const pmie::RuleProgram& program, std::string_view text)
      : program_(program), text_(text) {}

  [[nodiscard]] Condition of(uint32_t index) const {
    using pmie::PmieOp;
    const pmie::PmieNode& node = program_.nodes[index];
    Condition out{.where = node.place.span};
    const auto join = [&](Condition::Kind kind) {
      out.kind = kind;
      add_joined(kind, of(node.left), out.parts);
      add_joined(kind, of(node.right), out.parts);
    };
    switch (node.op) {
      case PmieOp::both: join(Condition::Kind::both); return out;
      case PmieOp::either: join(Condition::Kind::either); return out;
      case PmieOp::percent:
        out.kind = node.number == 0 ? Condition::Kind::always : Condition::Kind::holds;
        break;
      case PmieOp::all:
      case PmieOp::some:
      case PmieOp::rule: out.kind = Condition::Kind::holds; break;
      case PmieOp::negation: out.kind = Condition::Kind::negation; break;
      default: {
        if (pmie::kind_of(node.op) != pmie::OpKind::relation) break;
        if (auto found = comparison(index)) return *std::move(found);
      }
    }
    if (out.kind == Condition::Kind::holds && node.op != PmieOp::rule) {
      out.quantifier = fmt::format("{}.{}.{}", static_cast<int>(node.op),
                                   static_cast<int>(node.dim), node.number);
    }
    for (const uint32_t operand : {node.left, node.right}) {
      if (operand == pmie::kNone) continue;
      if (pmie::kind_of(program_.nodes[operand].op) == pmie::OpKind::action) continue;
      if (pmie::kind_of(program_.nodes[operand].op) != pmie::OpKind::leaf) {
        out.parts.push_back(of(operand));
      }
    }
    return out;
  }

 private:
  // None: it is no constant number.
  [[nodiscard]] std::optional<double> constant(uint32_t index) const {
    const pmie::PmieNode& node = program_.nodes[index];
    if (node.op == pmie::PmieOp::constant && node.sem != pmie::Sem::text) return node.number;
    if (node.op != pmie::PmieOp::negate) return std::nullopt;
    const auto number = constant(node.left);
    return number ? std::optional(-*number) : std::nullopt;
  }

  [[nodiscard]] std::optional<Condition> comparison(uint32_t index) const {
    const pmie::PmieNode& node = program_.nodes[index];
    auto relation = relation_of(node.op);
    if (!relation) return std::nullopt;
    const auto left = constant(node.left), right = constant(node.right);
    if (left.has_value() == right.has_value()) return std::nullopt;
    if (left) relation = turned(*relation);
    const uint32_t value = left ? node.right : node.left, number = left ? node.left : node.right;
    Condition out{.kind = Condition::Kind::comparison, .where = node.place.span};
    out.relation = *relation;
    out.number = left ? *left : *right;
    out.number_text = written_at(text_, program_.nodes[number].place.span);
    out.subject = key(value);
    out.written = written_at(text_, program_.nodes[value].place.span);
    out.range = range(value);
    out.is_share = is_share(value);
    out.value = value;
    Condition within = of(value);
    if (within.kind != Condition::Kind::other || !within.parts.empty()) {
      out.parts.push_back(std::move(within));
    }
    return out;
  }

  static std::optional<ConditionRelation> relation_of(pmie::PmieOp op) {
    using pmie::PmieOp;
    switch (op) {
      case PmieOp::less: return ConditionRelation::less;
      case PmieOp::less_equal: return ConditionRelation::less_equal;
      case PmieOp::equal: return ConditionRelation::equal;
      case PmieOp::unequal: return ConditionRelation::unequal;
      case PmieOp::greater: return ConditionRelation::greater;
      case PmieOp::greater_equal: return ConditionRelation::greater_equal;
      default: return std::nullopt;
    }
  }

  [[nodiscard]] std::string key(uint32_t index) const {
    if (index == pmie::kNone) return "-";
    const pmie::PmieNode& node = program_.nodes[index];
    std::string out =
        fmt::format("{}.{}.{}.{}.{}", static_cast<int>(node.op), static_cast<int>(node.dim),
                    node.number, static_cast<int>(node.variable), node.delay);
    out += "\"" + node.text + "\"";
    if (node.op == pmie::PmieOp::fetch) {
      const pmie::Fetch& fetch = program_.fetches[node.fetch];
      out +=
          fmt::format("{} {} {} {} ", fetch.name, fetch.raw, fetch.first_sample, fetch.last_sample);
      for (const pmie::HostMetric& host : fetch.hosts) {
        out += fmt::format(":{}", host.source);
        if (!fetch.instances_listed) continue;
        for (const auto& instance : host.instances()) out += "#" + instance.name;
      }
      // Who is not asked about a metric does not know its instances: the text does.
      if (!fetch.is_known()) out += written_at(text_, node.place.span);
    }
    return fmt::format("({} {} {})", out, key(node.left), key(node.right));
  }

  [[nodiscard]] const pmie::Fetch* known_fetch(uint32_t index) const {
    const pmie::PmieNode& node = program_.nodes[index];
    if (node.op != pmie::PmieOp::fetch) return nullptr;
    const pmie::Fetch& fetch = program_.fetches[node.fetch];
    return fetch.is_known() ? &fetch : nullptr;
  }

  // Of each second, the part that something was busy: the rate of a counter of time.
  [[nodiscard]] bool is_share(uint32_t index) const {
    using pmie::PmieOp;
    const pmie::PmieNode& node = program_.nodes[index];
    if (const pmie::Fetch* const fetch = known_fetch(index)) {
      return !fetch->raw && is_time_counter(fetch->desc());
    }
    if (node.op == PmieOp::add) return is_share(node.left) && is_share(node.right);
    const bool keeps = node.op == PmieOp::delay || node.op == PmieOp::avg ||
                       node.op == PmieOp::max || node.op == PmieOp::min || node.op == PmieOp::sum;
    return keeps && is_share(node.left);
  }

  [[nodiscard]] ConditionRange range(uint32_t index) const {
    using pmie::PmieOp;
    constexpr ConditionRange kNotNegative{.least = 0};
    const pmie::PmieNode& node = program_.nodes[index];
    const auto not_negative = [&](uint32_t of) { return range(of).least >= 0; };
    switch (node.op) {
      case PmieOp::variable: return of_variable(node.variable);
      case PmieOp::fetch: {
        const pmie::Fetch* const fetch = known_fetch(index);
        const bool rises = fetch != nullptr && (is_unsigned(fetch->desc()) ||
                                                fetch->desc().semantics == Semantics::counter);
        return rises ? kNotNegative : ConditionRange{};
      }
      case PmieOp::count: return kNotNegative;
      case PmieOp::delay:
      case PmieOp::avg:
      case PmieOp::max:
      case PmieOp::min:
      case PmieOp::instant: return range(node.left);
      case PmieOp::sum: return not_negative(node.left) ? kNotNegative : ConditionRange{};
      case PmieOp::add:
      case PmieOp::multiply:
      case PmieOp::divide:
        return not_negative(node.left) && not_negative(node.right) ? kNotNegative
                                                                   : ConditionRange{};
      case PmieOp::constant: return {.least = node.number, .greatest = node.number};
      default: return {};
    }
  }

  static constexpr double kFirstYear = 1900;  // as in strict

  static ConditionRange of_variable(pmie::Variable variable) {
    switch (variable) {
      case pmie::Variable::minute: return {.least = 0, .greatest = 59};
      case pmie::Variable::hour: return {.least = 0, .greatest = 23};
      case pmie::Variable::day: return {.least = 1, .greatest = 31};
      case pmie::Variable::month: return {.least = 0, .greatest = 11};
      case pmie::Variable::day_of_week: return {.least = 0, .greatest = 6};
      case pmie::Variable::year: return {.least = kFirstYear};
      default: return {.least = 0};
    }
  }

  const pmie::RuleProgram& program_;
  std::string_view text_;
};

class StrictConditions {
 public:
  StrictConditions(const Ast& ast, std::string_view text, const Catalog* catalog)
      : ast_(ast), text_(text), catalog_(catalog) {}

  [[nodiscard]] Condition of(ExprId id) const {
    const Expr& expr = ast_.exprs[id];
    const auto args = ast_.args_of(expr);
    Condition out{.where = expr.span};
    const bool both = expr.op == Operator::and_;
    if (expr.kind == ExprKind::binary && (both || expr.op == Operator::or_)) {
      out.kind = both ? Condition::Kind::both : Condition::Kind::either;
      for (const ExprId arg : args) add_joined(out.kind, of(arg), out.parts);
      return out;
    }
    if (auto found = comparison(id)) return *std::move(found);
    if (expr.kind == ExprKind::unary && expr.op == Operator::not_) {
      out.kind = Condition::Kind::negation;
    }
    constexpr std::string_view kHolds[] = {"some", "all", "at_least"};
    const bool calls = expr.kind == ExprKind::call;
    if (calls && std::ranges::find(kHolds, expr.text) != std::end(kHolds)) {
      out.kind = Condition::Kind::holds;
      out.quantifier = expr.text;
      for (const Spec& spec : ast_.specs_of(expr)) {
        out.quantifier += fmt::format(".{}={}", spec.tag, spec.value);
        if (spec.tag == "percent" && spec.value == "0") out.kind = Condition::Kind::always;
      }
    }
    for (const ExprId arg : args) {
      if (!ast_.args_of(ast_.exprs[arg]).empty()) out.parts.push_back(of(arg));
    }
    return out;
  }

 private:
  struct Number {
    double number = 0;
    std::string unit{};
  };

  static std::optional<double> number_of(std::string_view text) {
    double out = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out);
    const bool whole = error == std::errc() && end == text.data() + text.size();
    return whole ? std::optional(out) : std::nullopt;
  }

  // In bytes, seconds and counts, so that 1 Gbyte is above 1000 Mbyte.
  static void take_units(const std::string& written, Number& to) {
    to.unit = written;
    const auto parsed = parse_units(written, ExtraUnits::known);
    if (!parsed || parsed->multiplier != 1 || !parsed->units.extra.none()) return;
    Units units = parsed->units;
    to.number *= pmie::canonical_factor(units);
    units.scale_space = 0;
    units.scale_time = kTimeScaleSec;
    units.scale_count = 0;
    if (!units.none()) to.unit = units_text(units);
  }

  [[nodiscard]] std::optional<Number> constant(ExprId id) const {
    const Expr& expr = ast_.exprs[id];
    const auto args = ast_.args_of(expr);
    if (expr.kind == ExprKind::unary && expr.op == Operator::neg) {
      auto out = constant(args.front());
      if (out) out->number = -out->number;
      return out;
    }
    if (expr.kind == ExprKind::mkconst) {
      auto out = constant(args.front());
      for (const Spec& spec : ast_.specs_of(expr)) {
        if (out && spec.tag == "units") take_units(spec.value, *out);
      }
      return out;
    }
    if (expr.kind != ExprKind::integer && expr.kind != ExprKind::real) return std::nullopt;
    const auto number = number_of(expr.text);
    return number ? std::optional(Number{.number = *number}) : std::nullopt;
  }

  static std::optional<ConditionRelation> relation_of(Operator op) {
    switch (op) {
      case Operator::lt: return ConditionRelation::less;
      case Operator::le: return ConditionRelation::less_equal;
      case Operator::eq: return ConditionRelation::equal;
      case Operator::ne: return ConditionRelation::unequal;
      case Operator::gt: return ConditionRelation::greater;
      case Operator::ge: return ConditionRelation::greater_equal;
      default: return std::nullopt;
    }
  }

  [[nodiscard]] std::optional<Condition> comparison(ExprId id) const {
    const Expr& expr = ast_.exprs[id];
    auto relation = relation_of(expr.op);
    if (expr.kind != ExprKind::binary || !relation) return std::nullopt;
    const auto args = ast_.args_of(expr);
    const auto left = constant(args[0]), right = constant(args[1]);
    if (left.has_value() == right.has_value()) return std::nullopt;
    if (left) relation = turned(*relation);
    const ExprId value = left ? args[1] : args[0], number = left ? args[0] : args[1];
    Condition out{.kind = Condition::Kind::comparison, .where = expr.span};
    out.subject = print(ast_, value);
    out.written = written_at(text_, ast_.exprs[value].span);
    out.relation = *relation;
    out.number = left ? left->number : right->number;
    out.unit = left ? left->unit : right->unit;
    out.number_text = written_at(text_, ast_.exprs[number].span);
    out.range = range(value);
    out.is_share = is_share(value);
    out.value = value.index;
    return out;
  }

  [[nodiscard]] std::optional<Desc> desc_of(ExprId id) const {
    const Expr& expr = ast_.exprs[id];
    if (expr.kind == ExprKind::instance || expr.kind == ExprKind::matchinst) {
      return desc_of(ast_.args_of(expr).front());
    }
    if (expr.kind != ExprKind::name || catalog_ == nullptr) return std::nullopt;
    const auto desc = catalog_->describe(expr.text);
    return desc ? std::optional(*desc) : std::nullopt;
  }

  static bool keeps_range(std::string_view name) {
    constexpr std::string_view kNames[] = {"avg", "max", "min", "avg_host", "max_host", "min_host"};
    return std::ranges::find(kNames, name) != std::end(kNames);
  }

  [[nodiscard]] bool is_share(ExprId id) const {
    const Expr& expr = ast_.exprs[id];
    const auto args = ast_.args_of(expr);
    if (expr.kind == ExprKind::binary && expr.op == Operator::add) {
      return std::ranges::all_of(args, [&](ExprId of) { return is_share(of); });
    }
    if (expr.kind != ExprKind::call || args.empty()) return false;
    if (expr.text == "rate") {
      const auto desc = desc_of(args.front());
      return desc && is_time_counter(*desc);
    }
    return (keeps_range(expr.text) || expr.text == "sum") && is_share(args.front());
  }

  [[nodiscard]] ConditionRange range(ExprId id) const {
    constexpr ConditionRange kNotNegative{.least = 0};
    const Expr& expr = ast_.exprs[id];
    const auto args = ast_.args_of(expr);
    const auto not_negative = [&](ExprId of) { return range(of).least >= 0; };
    if (const auto number = constant(id)) {
      return {.least = number->number, .greatest = number->number};
    }
    if (expr.kind == ExprKind::binary &&
        (expr.op == Operator::add || expr.op == Operator::mul || expr.op == Operator::div)) {
      return std::ranges::all_of(args, not_negative) ? kNotNegative : ConditionRange{};
    }
    if (expr.kind != ExprKind::call) {
      if (const auto* clock = strict::find_clock_variable(expr.text)) {
        return {.least = static_cast<double>(clock->least),
                .greatest = static_cast<double>(clock->greatest)};
      }
      const auto desc = desc_of(id);
      const bool rises = desc && is_unsigned(*desc);
      return rises ? kNotNegative : ConditionRange{};
    }
    if (args.empty()) return {};  // an error, which has been said
    if (expr.text == "count") return kNotNegative;
    if (expr.text == "rate" || expr.text == "delta") {
      const auto desc = desc_of(args.front());
      return desc && desc->semantics == Semantics::counter ? kNotNegative : ConditionRange{};
    }
    if (keeps_range(expr.text)) return range(args.front());
    const bool sums = expr.text == "sum" || expr.text == "sum_host";
    return sums && not_negative(args.front()) ? kNotNegative : ConditionRange{};
  }

  const Ast& ast_;
  std::string_view text_;
  const Catalog* catalog_;
};

}  // namespace

Condition condition_of(const pmie::RuleProgram& program, uint32_t root, std::string_view text) {
  return PmieConditions(program, text).of(root);
}

std::vector<Condition> turns_of(const pmie::RuleProgram& program, uint32_t root,
                                std::string_view text) {
  using pmie::PmieOp;
  std::vector<Condition> out;
  if (program.nodes[root].op != PmieOp::ruleset) return out;
  const PmieConditions conditions(program, text);
  for (uint32_t at = program.nodes[root].left; at != pmie::kNone;) {
    const pmie::PmieNode& node = program.nodes[at];
    const bool more = node.op == PmieOp::alternatives;
    const pmie::PmieNode& rule = more ? program.nodes[node.left] : node;
    if (rule.op == PmieOp::rule) out.push_back(conditions.of(rule.left));
    at = more ? node.right : pmie::kNone;
  }
  return out;
}

Condition condition_of(const Ast& ast, std::string_view text, const Catalog* catalog) {
  return StrictConditions(ast, text, catalog).of(ast.root);
}

}  // namespace pmjit
