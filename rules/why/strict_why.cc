#include "rules/why/why.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <deque>
#include <ranges>
#include <utility>

#include "compiler/strict_rules/samples.h"
#include "compiler/strict_rules/tree.h"
#include "rules/why/values_above.h"
#include "runtime/base/result.h"
#include "runtime/report/reason.h"
#include "runtime/report/text/human_text.h"

namespace pmjit::strict {

namespace {

constexpr size_t kLanesMax = 20;  // of a part, that are shown

// A part of a condition, and the roots of the task that have its value and those of its operands.
struct ConditionPart {
  ExprId id;
  size_t clause, depth, root;
  bool each_host = false;  // below a reduction of the hosts
  std::vector<size_t> operands{};
};

bool is_comparison(const Expr& expr) {
  switch (expr.op) {
    case Operator::lt:
    case Operator::le:
    case Operator::eq:
    case Operator::ge:
    case Operator::gt:
    case Operator::ne: return expr.kind == ExprKind::binary;
    default: return false;
  }
}

// What people want to know of a counter.
bool is_change(const Expr& expr) {
  return expr.kind == ExprKind::call && (expr.text == "rate" || expr.text == "delta");
}

// Has a part others behind it that are its own?
bool has_below(const std::vector<ConditionPart>& parts, size_t i) {
  return i + 1 < parts.size() && parts[i + 1].depth > parts[i].depth;
}

// Every part of a rule's conditions as a root of its own.
class ConditionParts {
 public:
  explicit ConditionParts(const SetRule& rule) : rule_(rule) {}

  void add(size_t clause, const Ast& ast) { (void)add(clause, ast, ast.root, 0, false); }
  [[nodiscard]] const std::vector<ConditionPart>& all() const { return parts_; }
  // What `of` has, and the parts behind it.
  [[nodiscard]] std::vector<ParsedRoot> roots(std::vector<ParsedRoot> of) const {
    for (const Ast& ast : asts_) {
      of.push_back({.source = rule_.source, .ast = &ast, .title = print(ast), .again = true});
    }
    return of;
  }

 private:
  size_t add(size_t clause, const Ast& ast, ExprId id, size_t depth, bool each_host) {
    const size_t root = asts_.size(), part = parts_.size();
    asts_.push_back(part_of(ast, id));
    const bool shown = varies(ast, id);
    if (shown) {
      parts_.push_back(
          {.id = id, .clause = clause, .depth = depth, .root = root, .each_host = each_host});
    }
    const Expr& expr = ast.exprs[id];
    // Samples of a range are written in one place: their trees would look alike.
    if (expr.kind == ExprKind::mkconst || !shown || is_over_samples(expr)) return root;
    for (const ExprId arg : ast.args_of(written_as(ast, expr))) {
      const size_t made = add(clause, ast, arg, depth + 1, each_host || is_over_hosts(expr));
      parts_[part].operands.push_back(made);
    }
    return root;
  }

  // The node whose operands those of the text are: `!=` of texts is two nodes, and `@2`.
  static const Expr& written_as(const Ast& ast, const Expr& expr) {
    const auto first = [&](const Expr& of) -> const Expr& { return ast.exprs[ast.args_of(of)[0]]; };
    if (expr.kind == ExprKind::unary && compares_text(ast, expr)) return first(expr);
    const Expr* out = &expr;
    while (is_earlier(*out) && is_earlier(first(*out))) out = &first(*out);
    return *out;
  }

  const SetRule& rule_;
  std::deque<Ast> asts_;
  std::vector<ConditionPart> parts_;
};

class StrictWhy {
 public:
  // Of a rule where it is placed.
  StrictWhy(const RuleSet& set, const TaskRule& rule, const Task& task)
      : rule_(set.rules[rule.rule]),
        placed_(rule),
        source_(set.sources[rule_.source].text),
        task_(task) {}

  // Parts of all clauses; the first one's root is `first`.
  std::string tree(const std::vector<ConditionPart>& parts, size_t first) {
    first_ = first;
    size_t clause = parts.empty() ? 0 : parts.front().clause;
    for (const ConditionPart& part : parts) {
      if (part.clause != clause) out_ += rule_.rule.alert ? "until\n" : "else\n";
      clause = part.clause;
      put(part);
    }
    return std::move(out_);
  }

  std::string text(const std::vector<ConditionPart>& parts, size_t first) {
    first_ = first;
    std::vector<ValueAbove> values;
    for (size_t i = 0; i < parts.size(); ++i) {
      const Expr& expr = ast_of(parts[i]).exprs[parts[i].id];
      const bool is_macro = expr.span.begin < source_.size() && source_[expr.span.begin] == '$';
      const bool is_leaf = !has_below(parts, i) || is_change(expr);
      if (is_macro || is_leaf) values.push_back({expr.span, value_above(parts[i])});
      const bool of_texts = compares_text(ast_of(parts[i]), expr);
      if (is_comparison(expr) || of_texts) put_comparison(parts[i]);
      const size_t depth = parts[i].depth;
      while ((is_macro || is_leaf) && i + 1 < parts.size() && parts[i + 1].depth > depth) ++i;
    }
    const std::string comparisons = std::exchange(out_, {});
    return "\n" + values_above(source_, std::move(values)) +
           (comparisons.empty() ? "" : "\n" + comparisons);
  }

  // Of the first clause that is true, or unknown.
  std::string verdict(const std::vector<ConditionPart>& parts, size_t first) {
    first_ = first;
    std::string out = "false";
    for (const ConditionPart& part : parts) {
      if (part.depth > 0) continue;
      if (rule_.rule.alert) return alert_verdict(parts, part);
      const std::string of_clause = verdict(parts, part);
      if (of_clause == "true") return of_clause;
      if (out == "false") out = of_clause;
    }
    return out;
  }

 private:
  // Of the condition of an alert, which may be a set.
  std::string alert_verdict(const std::vector<ConditionPart>& parts,
                            const ConditionPart& part) const {
    const std::vector<PartRoot> roots = roots_of(part);
    if (roots.empty() || task_.info(roots.front().root).domain == kNullId) {
      return verdict(parts, part);
    }
    const RootValues values = task_.values(roots.front().root);
    if (values.status != kKnown) return verdict(parts, part);
    std::vector<std::string> yes, unknown;
    for (const LaneValue& lane : values.lanes) {
      if (lane.reason != kKnown) unknown.push_back(lane.instance.value_or(""));
      if (lane.reason == kKnown && lane.number != 0) yes.push_back(lane.instance.value_or(""));
    }
    if (!yes.empty()) return fmt::format("true for {}", fmt::join(yes, ", "));
    if (!unknown.empty()) return fmt::format("unknown for {}", fmt::join(unknown, ", "));
    return values.lanes.empty() ? "false: there are no instances" : "false for every instance";
  }

  std::string verdict(const std::vector<ConditionPart>& parts, const ConditionPart& part) const {
    const auto [status, lane] = alone(part);
    if (status == kKnown && lane) return lane->number != 0 ? "true" : "false";
    return "unknown: " + cause(parts, part, status);
  }

  // Of what is unknown the first part that is, none of whose own parts is.
  std::string cause(const std::vector<ConditionPart>& parts, const ConditionPart& part,
                    int32_t status) const {
    for (const size_t operand : part.operands) {
      const auto of = std::ranges::find(parts, operand, &ConditionPart::root);
      if (of == parts.end()) continue;
      const int32_t why = alone(*of).status;
      if (why != kKnown) return cause(parts, *of, why);
    }
    return fmt::format("{}: {}", in_one_line(source_, ast_of(part).exprs[part.id].span),
                       reason_text(status));
  }

  // Why a part has no value, or the one that it has, if it is one.
  struct Alone {
    int32_t status = kNobody;
    std::optional<LaneValue> lane{};
  };
  [[nodiscard]] Alone alone(const ConditionPart& part) const {
    const std::vector<PartRoot> roots = roots_of(part);
    if (roots.empty()) return {};
    const RootValues values = task_.values(roots.front().root);
    if (values.status != kKnown) return {.status = values.status};
    const auto unknown = std::ranges::find_if(
        values.lanes, [](const LaneValue& lane) { return lane.reason != kKnown; });
    if (unknown != values.lanes.end()) return {.status = unknown->reason};
    Alone out{.status = kKnown};
    if (roots.size() == 1 && values.lanes.size() == 1) out.lane = values.lanes.front();
    return out;
  }

  void put_comparison(const ConditionPart& part) {
    ConditionPart flat = part;
    flat.depth = 0;
    put(flat);
  }

  std::string value_above(const ConditionPart& part) const {
    std::vector<double> numbers;
    std::optional<std::string> one;
    std::string units;
    for (const PartRoot& root : roots_of(part)) {
      const RootValues values = task_.values(root.root);
      units = units_text(task_.info(root.root).units);
      if (values.status != kKnown) continue;
      for (const LaneValue& lane : values.lanes) {
        if (lane.reason != kKnown) continue;
        const bool is_number = !lane.text && task_.info(root.root).elem != Elem::truth;
        one = is_number ? human_number(lane.number, {}) : value_text(task_.info(root.root), lane);
        numbers.push_back(lane.text ? std::nan("") : lane.number);
      }
    }
    if (!one) return "unknown";
    if (!units.empty()) units.insert(0, " ");
    if (numbers.size() == 1) return *one + units;
    const auto [least, greatest] = std::ranges::minmax(numbers);
    if (!std::isfinite(least + greatest)) return fmt::format("{} values", numbers.size());
    return fmt::format("{} values, {} … {}{}", numbers.size(), human_number(least, {}),
                       human_number(greatest, {}), units);
  }

  [[nodiscard]] const Ast& ast_of(const ConditionPart& part) const {
    return *rule_.rule.clauses[part.clause].condition;
  }
  // The root of a part on a host.
  struct PartRoot {
    size_t root;
    uint32_t on_host;
    std::string host;
  };
  [[nodiscard]] std::vector<PartRoot> roots_of(const ConditionPart& part) const {
    const HostsRoot& placed = task_.placed(first_ + part.root);
    std::vector<PartRoot> out;
    const bool one = placed.shared || (!part.each_host && placed_.on_host);
    const auto first = one ? placed_.on_host.value_or(0) : uint32_t{0};
    const auto last = one ? first + 1 : static_cast<uint32_t>(placed.of_host.size());
    for (uint32_t host = first; host < last; ++host) {
      if (!placed.of_host[host]) continue;
      out.push_back({.root = *placed.of_host[host], .on_host = host, .host = task_.hosts()[host]});
    }
    if (placed.reduces && !out.empty()) out.front().host.clear();
    if (placed.shared && placed.about) out.front().host = task_.hosts()[*placed.about];
    return out;
  }

  void put(const ConditionPart& part) {
    const Expr& expr = ast_of(part).exprs[part.id];
    const std::vector<PartRoot> roots = roots_of(part);
    out_ += fmt::format("{:{}}{}", "", 2 * part.depth, in_one_line(source_, expr.span));
    if (roots.empty()) {
      out_ += ": no host has it\n";
      return;
    }
    const std::string units = units_text(task_.info(roots.front().root).units);
    if (!units.empty()) out_ += fmt::format(" ({})", units);
    if (roots.size() == 1) return put_alone(part, roots.front());
    out_ += fmt::format(": {} hosts\n", roots.size());
    for (const PartRoot& root : roots) {
      const RootValues values = task_.values(root.root);
      if (values.status != kKnown) {
        out_ += fmt::format("{:{}}{}: unknown: {}\n", "", 2 * part.depth + 4, root.host,
                            reason_text(values.status));
        continue;
      }
      put_lanes(part, root, values, false);
    }
  }

  void put_alone(const ConditionPart& part, const PartRoot& root) {
    const RootValues values = task_.values(root.root);
    if (values.status != kKnown) {
      out_ += fmt::format(": unknown: {}\n", reason_text(values.status));
      return;
    }
    const bool one = task_.info(root.root).domain == kNullId && values.lanes.size() == 1;
    if (!one) out_ += count_text(values.lanes.size());
    put_lanes(part, root, values, one);
  }

  // `one`: the value, behind the text; else a line each.
  void put_lanes(const ConditionPart& part, const PartRoot& root, const RootValues& values,
                 bool one) {
    const Expr& expr = ast_of(part).exprs[part.id];
    const ResultInfo& info = task_.info(root.root);
    for (const LaneValue& lane : values.lanes | std::views::take(kLanesMax)) {
      if (!one) out_ += fmt::format("{:{}}{}", "", 2 * part.depth + 4, root.host);
      if (lane.instance) out_ += fmt::format("[{}]", *lane.instance);
      out_ += fmt::format(": {}{}\n", value_text(info, lane), distance(part, expr, root, lane));
    }
    if (values.lanes.size() > kLanesMax) {
      out_ += fmt::format("{:{}}and {} more\n", "", 2 * part.depth + 4,
                          values.lanes.size() - kLanesMax);
    }
  }

  static std::string count_text(size_t lanes) {
    if (lanes == 0) return ": no instances\n";
    return fmt::format(": {} value{}\n", lanes, lanes == 1 ? "" : "s");
  }

  static std::string value_text(const ResultInfo& info, const LaneValue& lane) {
    if (lane.reason != kKnown) return "unknown: " + reason_text(lane.reason);
    if (lane.text) return fmt::format("\"{}\"", *lane.text);
    if (info.elem == Elem::truth) return lane.number != 0 ? "true" : "false";
    return fmt::format("{}", lane.number);
  }

  // Of a comparison of numbers: how much its left side would have to change by, in its own units.
  std::string distance(const ConditionPart& part, const Expr& expr, const PartRoot& at,
                       const LaneValue& lane) const {
    if (!is_comparison(expr)) return {};
    const auto left_root = operand(part, 0, at), right_root = operand(part, 1, at);
    if (!left_root || !right_root) return {};
    const Units units = task_.info(*left_root).units, others = task_.info(*right_root).units;
    const auto left = side(*left_root, lane), right = side(*right_root, lane);
    const auto factor = scale_factor(others, units);
    const bool bare = others.none() || units.none();
    if (!left || !right || (!factor && !bare)) return {};
    const double threshold =
        *right * (factor ? static_cast<double>(factor->num) / static_cast<double>(factor->den) : 1);
    const double change = threshold - *left;
    if (!std::isfinite(change)) return {};
    if (change == 0) return "  (at the threshold)";
    const std::string text = units_text(units);
    std::string out =
        fmt::format("  ({:.6g}{}{}, {:.6g} {} the threshold", *left, text.empty() ? "" : " ", text,
                    std::abs(change), change > 0 ? "below" : "above");
    if (threshold != 0) out += fmt::format(", {:.3g} %", 100 * std::abs(change / threshold));
    return out + ")";
  }

  [[nodiscard]] std::optional<uint32_t> operand(const ConditionPart& part, size_t i,
                                                const PartRoot& at) const {
    return task_.placed(first_ + part.operands[i]).of_host[at.on_host];
  }

  // The value of an operand beside a lane; none: it is no number, or not known.
  [[nodiscard]] std::optional<double> side(size_t root, const LaneValue& beside) const {
    const RootValues values = task_.values(root);
    const bool single = task_.info(root).domain == kNullId;
    const auto found = std::ranges::find_if(values.lanes, [&](const LaneValue& lane) {
      return single || lane.instance == beside.instance;
    });
    const bool number = found != values.lanes.end() && found->reason == kKnown && !found->text;
    return number ? std::optional(found->number) : std::nullopt;
  }

  const SetRule& rule_;
  const TaskRule& placed_;
  std::string_view source_;
  const Task& task_;
  size_t first_ = 0;
  std::string out_;
};

TaskRules rules_of(const RuleSet& set, size_t rule) {
  for (TaskRules& task : tasks_of(set)) {
    const auto found = std::ranges::find(task.rules, rule, &TaskRule::rule);
    if (found == task.rules.end()) continue;
    return std::move(task);
  }
  return {};
}

}  // namespace

Result<WhyText> why_text(const RuleSet& set, size_t rule, const Feeds& feeds,
                         const TaskOptions& options, bool tree) {
  TaskRules rules = rules_of(set, rule);
  ConditionParts parts(set.rules[rule]);
  const std::vector<Clause>& clauses = set.rules[rule].rule.clauses;
  for (size_t i = 0; i < clauses.size(); ++i) {
    if (clauses[i].condition) parts.add(i, *clauses[i].condition);
  }
  const size_t first = rules.roots.size();
  rules.roots = parts.roots(std::move(rules.roots));
  TaskOptions how = options;
  how.compile.reasons = true;
  const auto task = Task::open(set, std::move(rules), feeds, how);
  if (!task) return fail(task.error());
  while ((*task)->due() <= options.end) {
    const auto there = (*task)->advance();
    if (!there) return fail(there.error());
    check(*there == Task::Advance::evaluated, "a recording is all there");
  }
  if (!(*task)->now()) return fail(Error(Fault::usage, "nothing is evaluated up to that time"));
  WhyText out{.when = *(*task)->now(),
              .verdict = "",
              .text = "nothing is recorded at that time, so all of it is unknown\n"};
  if (parts.all().empty()) {
    out.text = "it has no metric and no time, so it is always the same\n";
  } else if ((*task)->has_row()) {
    out.text.clear();
    for (const TaskRule& placed : (*task)->rules()) {
      if (placed.rule != rule) continue;
      StrictWhy why(set, placed, **task);
      const std::string verdict = why.verdict(parts.all(), first);
      if (placed.on_host) {
        out.text +=
            fmt::format("{}on {}: {}\n", out.text.empty() ? "" : "\n", *placed.host, verdict);
      } else {
        out.verdict = verdict;
      }
      out.text += tree ? why.tree(parts.all(), first) : why.text(parts.all(), first);
    }
  }
  return out;
}

}  // namespace pmjit::strict
