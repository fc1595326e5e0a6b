#include "compiler/compat/definitions/bind.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "compiler/compat/definitions/tokens.h"
#include "runtime/model/pm_codes.h"

namespace pmjit::pcp {

namespace {

class Binder {
 public:
  Binder(const Ast& ast, BindContext& names, const BindOptions& options)
      : ast_(ast), names_(names), options_(options) {}

  std::expected<PcpTree, BindError> run();

 private:
  [[nodiscard]] bool newer() const { return options_.dialect != Dialect::pcp6; }
  void mark_roles();
  void take(const Expr& expr, size_t at);
  // False: the whole expression is refused, error_ says why.
  bool resolve(const Expr& expr, PcpNode& node, size_t at);
  OrPmError<Desc> desc_of(PmId pmid);
  bool resolve_name(const Expr& expr, PcpNode& node, size_t at);
  bool resolve_constant(const Expr& expr, PcpNode& node);
  bool apply_tags(const Expr& expr, PcpNode& node);
  void collect_operands();
  bool refuse(const PcpNode& node, const Expr& expr, std::string_view message);

  const Ast& ast_;
  BindContext& names_;
  const BindOptions& options_;
  PcpTree tree_;
  BindError error_;
  // Of every expression: how it is used.
  std::vector<bool> lazy_;      // a name that is missing is not yet an error
  std::vector<bool> has_user_;  // is an operand of something
};

std::expected<PcpTree, BindError> Binder::run() {
  tree_.dialect = options_.dialect;
  mark_roles();
  tree_.nodes.resize(ast_.exprs.size());
  for (size_t i = 0; i < tree_.nodes.size(); ++i) {
    const Expr& expr = ast_.exprs[ExprId{static_cast<uint32_t>(i)}];
    take(expr, i);
    if (!resolve(expr, tree_.nodes[i], i)) return std::unexpected(std::move(error_));
  }
  if (newer()) choose_arms(tree_);
  for (uint32_t i = 0; i < tree_.nodes.size(); ++i) {
    if (tree_.nodes[i].unused) continue;
    if (const auto wrong = check_node(tree_, i, newer() ? options_.equivalent : nullptr)) {
      const Expr& expr = ast_.exprs[ExprId{i}];
      return std::unexpected(BindError{wrong->what, std::string(wrong->message), expr.span});
    }
  }
  collect_operands();
  return std::move(tree_);
}

// pcp7 asks for the metrics under a ?: only when it is known which arm counts.
void Binder::mark_roles() {
  const size_t count = ast_.exprs.size();
  lazy_.assign(count, false);
  has_user_.assign(count, false);
  for (size_t i = count; i-- > 0;) {
    const Expr& expr = ast_.exprs[ExprId{static_cast<uint32_t>(i)}];
    const bool makes_lazy = (expr.kind == ExprKind::ternary && newer()) ||
                            (expr.kind == ExprKind::call && expr.text == "defined");
    for (const ExprId arg : ast_.args_of(expr)) {
      has_user_[arg.index] = true;
      lazy_[arg.index] = lazy_[i] || makes_lazy;
    }
  }
}

void Binder::take(const Expr& expr, size_t at) {
  PcpNode& node = tree_.nodes[at];
  node.kind = expr.kind;
  node.op = expr.op;
  node.negated = expr.negated;
  node.text = expr.text;
  if (expr.kind == ExprKind::call) node.function = function_of(expr.text);
  if (expr.kind == ExprKind::matchinst) node.pattern = Pattern(expr.text);
  const auto args = ast_.args_of(expr);
  node.first = args.empty() ? static_cast<uint32_t>(at) : tree_.nodes[args[0].index].first;
  for (size_t i = 0; i < args.size(); ++i) node.args[i] = args[i].index;
  if (expr.kind == ExprKind::mkconst) tree_.nodes[node.args[0]].unused = true;
}

bool Binder::refuse(const PcpNode& node, const Expr& expr, std::string_view message) {
  error_ = {.what = fmt::format("operand {}", node.text),
            .message = std::string(message),
            .span = expr.span,
            .of_name = true};
  return false;
}

bool Binder::resolve(const Expr& expr, PcpNode& node, size_t at) {
  switch (expr.kind) {
    case ExprKind::name: return resolve_name(expr, node, at);
    case ExprKind::integer:
      node.desc = {.pm_type = pm_type::u32, .semantics = Semantics::discrete};
      return true;
    case ExprKind::real:
      node.desc = {.pm_type = pm_type::f64, .semantics = Semantics::discrete};
      return true;
    case ExprKind::mkconst:
    case ExprKind::novalue: return resolve_constant(expr, node);
    default: return true;
  }
}

// As this release of libpcp has it, whatever the source knows of units.
OrPmError<Desc> Binder::desc_of(PmId pmid) {
  auto desc = names_.desc_of(pmid);
  if (desc && extra_units_of(options_.dialect) == ExtraUnits::ignored) desc->units.extra = {};
  return desc;
}

bool Binder::resolve_name(const Expr& expr, PcpNode& node, size_t at) {
  const auto found = names_.find(node.text);
  if (!found) {
    if (newer() && options_.missing_are_novalue) {
      node.kind = ExprKind::novalue;
      node.desc = {.pm_type = pm_type::i32, .semantics = Semantics::discrete};
      return true;
    }
    if (lazy_[at]) {
      node.unknown = true;
      node.desc = {.pmid = kNullId, .pm_type = pm_type::i32, .indom = 0, .semantics = {}};
      return true;
    }
    return refuse(node, expr, newer() ? "Unknown operand metric" : "");
  }
  if (found->derived && newer() && has_user_[at]) {
    return refuse(node, expr, "Illegal nested derived metric");
  }
  node.nested = found->derived;
  const auto desc = desc_of(found->pmid);
  if (!desc) return refuse(node, expr, newer() ? "Metadata for operand metric not available" : "");
  node.desc = *desc;
  return true;
}

// The argument of defined() is not fetched.
void Binder::collect_operands() {
  for (PcpNode& node : tree_.nodes) {
    if (node.function == Function::defined) tree_.nodes[node.args[0]].asked_only = true;
  }
  for (const PcpNode& node : tree_.nodes) {
    if (node.kind != ExprKind::name || node.unused || node.unknown || node.asked_only) continue;
    for (auto* list : {&tree_.asked, node.nested ? nullptr : &tree_.operands}) {
      const bool is_new = list != nullptr && std::ranges::count(*list, node.desc.pmid) == 0;
      if (is_new) list->push_back(node.desc.pmid);
    }
  }
}

bool Binder::resolve_constant(const Expr& expr, PcpNode& node) {
  if (expr.kind == ExprKind::mkconst) {
    const PcpNode& number = tree_.nodes[node.args[0]];
    node.text = number.text;
    node.desc = number.desc;
  } else {
    node.desc = {.pm_type = pm_type::i32, .semantics = Semantics::discrete};
  }
  return apply_tags(expr, node);
}

// meta= first, whatever the order.
bool Binder::apply_tags(const Expr& expr, PcpNode& node) {
  const auto specs = ast_.specs_of(expr);
  for (const Spec& spec : specs) {
    if (spec.tag != "meta") continue;
    const auto found = names_.find(spec.value);
    const auto desc = found ? desc_of(found->pmid) : pm_fail(found.error());
    if (!desc) {
      error_ = {
          .what = fmt::format("operand {}", spec.value),
          .message = found ? "Metadata for operand metric not available" : "Unknown operand metric",
          .span = spec.value_span,
          .of_name = true};
      return false;
    }
    node.desc = *desc;
  }
  for (const Spec& spec : specs) {
    if (spec.tag == "type") node.desc.pm_type = type_of_tag(spec.value).value_or(0);
    if (spec.tag == "semantics") {
      node.desc.semantics = semantics_of_tag(spec.value).value_or(Semantics::discrete);
    }
    if (spec.tag == "indom") node.desc.indom = indom_of_tag(spec.value).value_or(kNullId);
    if (spec.tag == "units") {
      node.desc.units = units_of_tag(spec.value, options_.dialect);
    }
  }
  return true;
}

}  // namespace

std::vector<std::string_view> function_names() {
  return {
#define FUNCTION(name, word, title) word,
#include "compiler/compat/definitions/functions.def"
#undef FUNCTION
  };
}

Function function_of(std::string_view text) {
#define FUNCTION(name, word, title) \
  if (text == word) return Function::name;
#include "compiler/compat/definitions/functions.def"
#undef FUNCTION
  return Function::none;
}

std::expected<PcpTree, BindError> bind(const Ast& ast, BindContext& names,
                                       const BindOptions& options) {
  return Binder(ast, names, options).run();
}

}  // namespace pmjit::pcp
