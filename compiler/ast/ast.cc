// Ast to text. One layout: blanks around two-sided operators, none inside brackets, parentheses
// where the text had them or operators.h asks for them.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "compiler/ast/ast.h"
#include "compiler/ast/operators.h"
#include "compiler/ast/words.h"

namespace pmjit {

namespace {

class Printer {
 public:
  explicit Printer(const Ast& ast) : ast_(ast) {}

  std::string text(ExprId root) {
    put(ast_.exprs[root]);
    return std::move(out_);
  }

 private:
  void put(const Expr& e) {
    if (e.parenthesised) out_ += '(';
    put_bare(e);
    if (e.parenthesised) out_ += ')';
  }

  void put_bare(const Expr& e) {
    switch (e.kind) {
      case ExprKind::integer:
      case ExprKind::real: out_ += e.text; break;
      case ExprKind::name: put_name(e.text, e.quoted); break;
      case ExprKind::parameter: (out_ += '$') += e.text; break;
      case ExprKind::unary: put_unary(e); break;
      case ExprKind::binary: put_binary(e); break;
      case ExprKind::ternary: put_ternary(e); break;
      case ExprKind::instance:
        put_arg(e, 0);
        out_ += '[' + escape(e.text, ']');
        for (const Spec& more : ast_.specs_of(e)) out_ += ", " + escape(more.value, ']');
        out_ += ']';
        break;
      case ExprKind::call: put_call(e.text, e, ""); break;
      case ExprKind::rescale: put_call("rescale", e, ", \"" + e.text + '"'); break;
      case ExprKind::matchinst:
        out_ +=
            std::string("matchinst(") + (e.negated ? "!" : "") + '/' + escape(e.text, '/') + "/, ";
        put_arg(e, 0);
        out_ += ')';
        break;
      case ExprKind::mkconst:
        out_ += "mkconst(";
        put_arg(e, 0);
        put_specs(e, ", ");
        out_ += ')';
        break;
      case ExprKind::novalue:
        out_ += "novalue(";
        put_specs(e, "");
        out_ += ')';
        break;
    }
  }

  void put_arg(const Expr& user, size_t position) {
    const Expr& arg = ast_.exprs[ast_.args_of(user)[position]];
    const bool add = !arg.parenthesised && needs_parentheses(ast_, user, arg, position);
    if (add) out_ += '(';
    put(arg);
    if (add) out_ += ')';
  }

  void put_unary(const Expr& e) {
    const Expr& arg = ast_.exprs[ast_.args_of(e)[0]];
    out_ += operator_text(e.op);
    // "--" reads as two signs here, but as one to most people.
    if (arg.kind == ExprKind::unary && arg.op == e.op && e.op == Operator::neg &&
        !arg.parenthesised)
      out_ += ' ';
    put_arg(e, 0);
  }

  void put_binary(const Expr& e) {
    put_arg(e, 0);
    ((out_ += ' ') += operator_text(e.op)) += ' ';
    put_arg(e, 1);
  }

  void put_ternary(const Expr& e) {
    put_arg(e, 0);
    out_ += " ? ";
    put_arg(e, 1);
    out_ += " : ";
    put_arg(e, 2);
  }

  void put_call(std::string_view function, const Expr& e, std::string_view rest) {
    (out_ += function) += '(';
    for (size_t i = 0; i < e.arg_count; ++i) {
      if (i > 0) out_ += ", ";
      put_arg(e, i);
    }
    put_specs(e, ", ");
    (out_ += rest) += ')';
  }

  void put_specs(const Expr& e, std::string_view separator) {
    for (const Spec& spec : ast_.specs_of(e)) {
      ((out_ += separator) += spec.tag) += '=';
      if (spec.quoted)
        out_ += '"' + spec.value + '"';
      else if (spec.tag == "meta")
        put_name(spec.value, false);
      else
        out_ += spec.value;
      separator = ", ";
    }
  }

  void put_name(std::string_view name, bool quoted) {
    if (quoted || !is_plain_name(name) || is_reserved_word(name))
      out_ += '\'' + escape(name, '\'') + '\'';
    else
      out_ += name;
  }

  const Ast& ast_;
  std::string out_;
};

// The tree, one expression a line:
//
//   binary + @0..14 op@9..10
//     name mem.free @0..8
//     integer 1 @11..14 op@12..13 ()
std::string_view kind_text(ExprKind kind) {
  static constexpr auto kTexts = std::to_array<std::string_view>(
      {"integer", "real", "name", "unary", "binary", "ternary", "instance", "call", "rescale",
       "matchinst", "mkconst", "novalue", "parameter"});
  return kTexts[static_cast<size_t>(kind)];
}

std::string span_text(Span span) { return fmt::format("@{}..{}", span.begin, span.end); }

void dump_expr(const Ast& ast, ExprId id, size_t depth, std::string& out) {
  const Expr& e = ast.exprs[id];
  out.append(depth * 2, ' ') += kind_text(e.kind);
  if (e.op != Operator::none) (out += ' ') += operator_text(e.op);
  if (e.negated) out += " !";
  if (!e.text.empty()) (out += ' ') += e.text;
  for (const Spec& spec : ast.specs_of(e)) out += fmt::format(" {}={}", spec.tag, spec.value);
  (out += ' ') += span_text(e.span);
  if (e.op_span != e.span) out += " op" + span_text(e.op_span);
  if (e.parenthesised) out += " ()";
  out += '\n';
  for (const ExprId arg : ast.args_of(e)) dump_expr(ast, arg, depth + 1, out);
}

// Structural equality. Ids may differ: two builders need not number their expressions alike.
bool same_specs(std::span<const Spec> a, std::span<const Spec> b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const Spec& x, const Spec& y) {
    return x.tag == y.tag && x.value == y.value && x.quoted == y.quoted;
  });
}

bool same(const Ast& a, ExprId a_id, const Ast& b, ExprId b_id) {
  const Expr &x = a.exprs[a_id], &y = b.exprs[b_id];
  if (x.kind != y.kind || x.op != y.op || x.negated != y.negated || x.text != y.text) return false;
  if (!same_specs(a.specs_of(x), b.specs_of(y))) return false;
  const auto x_args = a.args_of(x), y_args = b.args_of(y);
  return std::equal(x_args.begin(), x_args.end(), y_args.begin(), y_args.end(),
                    [&](ExprId i, ExprId j) { return same(a, i, b, j); });
}

}  // namespace

std::string print(const Ast& ast) { return print(ast, ast.root); }
std::string print(const Ast& ast, ExprId root) { return Printer(ast).text(root); }

std::string first_name(const Ast& ast, ExprId root) {
  for (ExprId at = root;; at = ast.args_of(ast.exprs[at])[0]) {
    const Expr& expr = ast.exprs[at];
    if (expr.kind == ExprKind::name) return expr.text;
    if (expr.arg_count == 0) return print(ast, root);
  }
}

std::string dump(const Ast& ast) {
  std::string out;
  if (ast.root.known()) dump_expr(ast, ast.root, 0, out);
  return out;
}

bool same_tree(const Ast& a, const Ast& b) {
  if (!a.root.known() || !b.root.known()) return a.root.known() == b.root.known();
  return same(a, a.root, b, b.root);
}

}  // namespace pmjit
