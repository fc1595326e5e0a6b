// Which instances meet, which are selected, and under which name (spec dialects.md §9).
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <span>

#include "compiler/diag/no_match.h"
#include "compiler/differences/definitions/walk.h"
#include "runtime/base/near.h"

namespace pmjit {

namespace {

std::string first_word(const std::string& name) { return name.substr(0, name.find(' ')); }

// Whether [wanted] may be another instance in strict: the full name, else a unique first word.
bool names_differ(const std::vector<std::string>& names, const std::string& wanted) {
  const auto takes = [&](const std::string& name) {
    return name == wanted || first_word(name) == wanted;
  };
  const auto first = std::ranges::find_if(names, takes);
  if (first == names.end()) return true;  // strict refuses
  if (*first == wanted) return false;
  return std::ranges::count(names, wanted) > 0 || std::ranges::count_if(names, takes) > 1;
}

std::string_view without_quotes(std::string_view text) {
  const bool quoted = text.size() > 1 && std::string_view("'\"").contains(text.front()) &&
                      text.back() == text.front();
  return quoted ? text.substr(1, text.size() - 2) : text;
}

// Of a name that is there in no way.
void explain_no_instance(const std::vector<std::string>& names, const std::string& wanted,
                         Diag& diag) {
  const bool some = std::ranges::any_of(
      names, [&](const std::string& name) { return first_word(name) == first_word(wanted); });
  if (some) {
    const auto near = near_names(wanted, names);
    if (!near.empty()) diag.help(fmt::format("did you mean [{}]?", near.front()));
    return;
  }
  diag.message = fmt::format("there is no instance {}", wanted);
  const std::string_view bare = without_quotes(wanted);
  if (bare.size() < wanted.size()) {
    const auto meant = std::ranges::find_if(
        names, [&](const std::string& name) { return name == bare || first_word(name) == bare; });
    diag.help(fmt::format("an instance has no quotes: write [{}]",
                          meant == names.end() ? bare : std::string_view(*meant)));
    if (meant != names.end()) return;
  }
  const std::string near = near_names_text(near_names(wanted, names));
  if (near.empty() && !names.empty()) {
    diag.help("the instances are " + first_names_text(names));
  }
  if (!near.empty()) diag.help(near);
}

}  // namespace

void InstanceRows::run() {
  each([&](const Expr& expr, const Facts& facts) {
    if (expr.kind == ExprKind::binary) two_sets(expr, of(expr, 0), of(expr, 1));
    if (picks(expr)) pick(expr);
    if (expr.kind == ExprKind::instance) selection(expr);
    if (expr.kind == ExprKind::matchinst) pattern(expr);
    if (expr.kind == ExprKind::mkconst && !pcp6() && facts.may_be_set) constant(expr);
    if (expr.kind == ExprKind::name) names(expr);
    if (is_function(expr, "defined")) {
      const auto asked = options_.known.metric(arg(expr, 0).text);
      if (!pcp6() && asked.kind == KnownMetrics::Kind::derived) {
        diags_.add_here(DiagCode::D_DefinedDerived, arg(expr, 0).span);
      }
    }
    const bool several = expr.arg_count > 0 && of(expr, 0).several && !of(expr, 0).selected;
    if (is_function(expr, "scalar") && several) {
      diags_.add_here(DiagCode::D_FirstOfSeveral, expr.op_span);
    }
    if (!is_history(expr) || pcp6()) return;
    const Expr& operand = arg(expr, 0);
    const bool never = operand.kind == ExprKind::instance || is_function(operand, "defined") ||
                       of(expr, 0).constant;
    if (never) diags_.add_here(DiagCode::D_HistoryOfName, operand.span, "never has values of this");
  });
  const bool told = std::ranges::any_of(
      diags_.all(), [](const Diag& diag) { return diag.code == DiagCode::D_KeepsDomain; });
  if (root().selected && root().may_be_set && !told) {
    diags_.add_here(DiagCode::D_KeepsDomain, root_expr().span, "keeps its instance");
  }
  // Where nothing is known of a name, nothing about its instances shows.
  if (root().indom != kNullId && root().several && !root().selected) {
    diags_.add_here(DiagCode::D_FetchOrder, root_expr().span, "in fetch order");
  }
}

void InstanceRows::names(const Expr& expr) {
  if (options_.known.metric(expr.text).kind == KnownMetrics::Kind::derived) {
    diags_.add_here(DiagCode::S_Cycle, expr.text_span);
  }
}

void InstanceRows::two_sets(const Expr& expr, const Facts& left, const Facts& right) {
  if (!left.may_be_set || !right.may_be_set) return;
  const bool known = left.indom != kNullId && right.indom != kNullId;
  const bool differ = known ? left.indom != right.indom : left.sets != right.sets;
  const bool meet = known && options_.known.equivalent(left.indom, right.indom);
  if (differ && (pcp6() || meet)) {
    diags_.add_here(DiagCode::D_OtherDomain, expr.op_span);
    if (known && (pcp6() || !meet)) return;
  }
  if (left.selected || right.selected) {
    const bool other = left.selected && right.selected && left.instance != right.instance;
    if (other) diags_.add_here(DiagCode::D_KeepsDomain, expr.op_span, "never has values");
    if (left.selected != right.selected) {
      diags_.add_here(DiagCode::D_KeepsDomain, expr.op_span, "keeps the selected instance");
    }
    return;
  }
  if (left.sets != right.sets) diags_.add_here(DiagCode::D_Unmatched, expr.op_span, "vanish");
}

void InstanceRows::pick(const Expr& expr) {
  const Facts* parts[] = {&of(expr, 0), &of(expr, 1), &of(expr, 2)};
  if (parts[1]->nobody || parts[2]->nobody) {
    diags_.add_here(DiagCode::D_Novalue, expr.op_span, "picks holes here");
  }
  bool by_position = false;
  for (size_t i = 0; i < 3; ++i) {
    for (size_t k = 1; k < 3; ++k) {
      const bool sets = i < k && parts[i]->may_be_set && parts[k]->may_be_set;
      by_position |= sets && parts[i]->lanes != parts[k]->lanes;
    }
  }
  const bool guard_alone = parts[0]->may_be_set && !parts[1]->may_be_set && !parts[2]->may_be_set;
  if (by_position || guard_alone) diags_.add_here(DiagCode::D_ByPosition, expr.op_span);
}

const std::vector<std::string>* InstanceRows::names_of(const Facts& set) const {
  return set.indom == kNullId ? nullptr : options_.known.instances(set.indom);
}

void InstanceRows::selection(const Expr& expr) {
  const Facts& operand = of(expr, 0);
  if (!operand.may_be_set) {
    diags_.add_here(DiagCode::D_KeepsDomain, expr.op_span, "never has values");
    const std::string of = first_name(ast_, ast_.args_of(expr)[0]);
    diags_.add(DiagCode::S_NothingMatches, expr.op_span, no_instances_text(of, expr.text))
        .help(kNoInstancesHelp);
    return;
  }
  const auto* names = names_of(operand);
  if (names == nullptr || names_differ(*names, expr.text)) {
    Diag& diag = diags_.add_here(DiagCode::D_FirstWord, expr.op_span, "[" + expr.text + "]");
    if (names != nullptr) explain_no_instance(*names, expr.text, diag);
  }
  diags_.add_here(DiagCode::D_KeepsFirst, expr.op_span, "identifier");
}

void InstanceRows::pattern(const Expr& expr) {
  const Facts& operand = of(expr, 0);
  const auto* names = operand.may_be_set ? names_of(operand) : nullptr;
  Diag& nameless = diags_.add_here(DiagCode::D_Nameless, expr.op_span,
                                   "instances without a name are never selected");
  if (names != nullptr) nameless.severity = Severity::note;  // all have one
  if (!operand.may_be_set) return;
  const Pattern pattern(expr.text);
  const bool seen = names != nullptr && std::ranges::none_of(*names, [&](const std::string& name) {
                      return pattern.matches(name) != pattern.matches(first_word(name));
                    });
  if (!seen) diags_.add_here(DiagCode::D_SeesFirstWord, expr.text_span);
  diags_.add_here(DiagCode::D_KeepsFirst, expr.op_span, "verdict");
  const NoMatch none{
      .pattern = expr.text, .negated = expr.negated, .of = first_name(ast_, ast_.args_of(expr)[0])};
  if (names != nullptr && none.holds(*names)) none.add_to(diags_, expr.text_span, *names);
}

void InstanceRows::constant(const Expr& expr) {
  diags_.add_here(DiagCode::D_ConstantDomain, expr.span, "one value per instance ever seen here");
}

}  // namespace pmjit
