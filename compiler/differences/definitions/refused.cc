// A text that libpcp refuses: what it would be in strict, and which row says so. What strict
// refuses for a row's sake is told as well.
#include <algorithm>
#include <vector>

#include "compiler/compat/definitions/tokens.h"
#include "compiler/differences/definitions/definition_differences.h"
#include "compiler/parse/stages.h"
#include "runtime/model/units.h"
#include "runtime/text/parse_units.h"

namespace pmjit {

namespace {

using pcp::PcpTokenKind;

// A / where strict divides: every one after matchinst( begins a pattern, until its ).
void add_patterns(std::string_view text, Dialect dialect, bool in_pattern, Diags& diags) {
  pcp::PcpScanner scanner(text, dialect, in_pattern);
  std::vector<bool> open;  // of a matchinst()?
  PcpTokenKind before = PcpTokenKind::end, before_that = PcpTokenKind::end;
  bool after_matchinst = false;
  for (;;) {
    const pcp::PcpToken token = scanner.take();
    const bool slash = token.begin < text.size() && text[token.begin] == '/';
    const bool first = before == PcpTokenKind::open ||
                       (before == PcpTokenKind::not_ && before_that == PcpTokenKind::open);
    const bool pattern = slash && token.kind != PcpTokenKind::sign;
    if (pattern && !(first && !open.empty() && open.back())) {
      diags.add_here(DiagCode::D_PatternSlash, Span{token.begin, token.begin + 1});
    }
    if (token.kind == PcpTokenKind::end || token.kind == PcpTokenKind::bad) return;
    if (token.kind == PcpTokenKind::open) open.push_back(after_matchinst);
    if (token.kind == PcpTokenKind::close && !open.empty()) {
      if (open.back()) scanner.leave_pattern();
      open.pop_back();
    }
    after_matchinst = token.kind == PcpTokenKind::function && scanner.text(token) == "matchinst";
    before_that = before;
    before = token.kind;
  }
}

class Refused {
 public:
  Refused(const Ast& ast, Dialect dialect, Diags& diags)
      : ast_(ast), older_(dialect == Dialect::pcp6), diags_(diags) {}

  void run() {
    for (const Expr& expr : ast_.exprs) add(expr);
  }

 private:
  void add(const Expr& expr) {
    switch (expr.kind) {
      case ExprKind::integer:
        // Ten digits at most, and not those of a larger number.
        if (expr.text.size() > 19 || std::stoull(expr.text) > UINT32_MAX) {
          diags_.add_here(DiagCode::D_LiteralLimit, expr.text_span);
        }
        break;
      case ExprKind::real:
        if (expr.text.find_first_of("eE") != expr.text.npos) {
          diags_.add_here(DiagCode::D_Exponent, expr.text_span, "numbers have no exponent");
        }
        break;
      case ExprKind::name:
        if (expr.quoted) {
          diags_.add_here(DiagCode::D_ReservedWord, expr.text_span,
                          expr.text + ": names cannot be quoted");
        }
        break;
      case ExprKind::call: add_call(expr); break;
      case ExprKind::novalue:
        if (older_) diags_.add_here(DiagCode::D_Novalue, expr.op_span, "needs 6.2.2");
        break;
      case ExprKind::mkconst: add_tags(expr); break;
      case ExprKind::rescale: add_units(expr.text, expr.text_span); break;
      default: break;
    }
  }

  void add_call(const Expr& expr) {
    const Expr& operand = ast_.exprs[ast_.args_of(expr)[0]];
    const bool name = operand.kind == ExprKind::name && !operand.parenthesised;
    const auto is = [&](auto... words) { return ((expr.text == words) || ...); };
    if (is("known")) diags_.add_here(DiagCode::D_MissingLeftOut, expr.op_span);
    if (name) return;
    if (is("sum", "avg", "min", "max", "count")) {
      diags_.add_here(DiagCode::D_AggregateOfName, operand.span);
    }
    if (older_ && is("delta", "rate", "instant")) {
      diags_.add_here(DiagCode::D_HistoryOfName, operand.span, "only a metric name is accepted");
    }
  }

  void add_tags(const Expr& expr) {
    for (const Spec& spec : ast_.specs_of(expr)) {
      if (older_ && (spec.tag == "meta" || spec.tag == "indom")) {
        diags_.add_here(DiagCode::D_ConstantDomain, spec.tag_span,
                        spec.tag + "= needs " + (spec.tag == "meta" ? "6.2.2" : "7.1.0"));
      }
      if (spec.tag == "units") add_units(spec.value, spec.value_span);
    }
  }

  void add_units(const std::string& units, Span where) {
    if (!older_ || parse_units(units, ExtraUnits::ignored)) return;
    if (!parse_units(units, ExtraUnits::known)) return;  // strict refuses them, too
    diags_.add_here(DiagCode::D_ExtraUnits, where,
                    "units beyond space, time and count are not known");
  }

  const Ast& ast_;
  bool older_;
  Diags& diags_;
};

}  // namespace

void add_refused(std::string_view text, Dialect dialect, bool in_pattern, Diags& diags) {
  Diags found, strict;
  add_patterns(text, dialect, in_pattern, found);
  // Its tree is looked at even where strict refuses it, too.
  const parse::ExpressionText whole{.text = text};
  const auto tokens = parse::scan(whole);
  Diags unheard;
  const auto ast = parse::check_tokens(whole, tokens, unheard)
                       ? parse::build_tree(whole, tokens, unheard)
                       : std::nullopt;
  if (ast) {
    Refused(*ast, dialect, found).run();
    parse::refuse_ambiguous(*ast, strict);
  }
  for (Diag diag : strict.all()) {
    if (!diag_code_text(diag.code).starts_with('D')) continue;
    diag.severity = Severity::warning;
    found.append(diag);
  }
  std::vector<const Diag*> ordered;
  for (const Diag& diag : found.all()) ordered.push_back(&diag);
  std::ranges::stable_sort(ordered, {}, [](const Diag* diag) { return diag->span.begin; });
  for (const Diag* diag : ordered) diags.append(*diag);
}

}  // namespace pmjit
