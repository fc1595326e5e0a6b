// Ast: what was written, with its places. Nothing is resolved here; nothing is thrown away that the
// printer needs to write a text that reads back to the same Ast (parentheses are kept as a mark).
//
// Walks may recurse: parse gives no tree that is deeper than limits::kNestingMax.
//
// Language: spec derived-metrics.md §3, §4; the strict dialect adds expressions wherever the
// compatible dialects take a name only (dialects.md rows 86, 87), exponents (row 7) and known()
// (§4.2).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "compiler/diag/diag.h"
#include "runtime/base/ids.h"

namespace pmjit {

struct ExprId : Id<ExprId> {};

enum class ExprKind : uint8_t {
  integer,   // text: the digits
  real,      // text: as written
  name,      // text: the metric name (quotes of 'name' removed)
  unary,     // op, 1 argument
  binary,    // op, 2 arguments
  ternary,   // 3 arguments: guard, left, right
  instance,  // 1 argument, text: the instance name, escapes resolved; in rules a spec a further one
  call,      // text: the function (avg … scalar, known, defined, anon), 1 argument; in rules also
             // rising, falling, earlier, equals (spec `text`), at_least, at_least_of (`percent`)
  rescale,   // 1 argument, text: the units string
  matchinst,  // 1 argument, text: the pattern, escapes resolved; negated: the ! form
  mkconst,    // 1 argument (integer, real or parameter), specs
  novalue,    // no argument, specs
  parameter,  // text: the name, without its $
};

// The operators of the language, in the order of grammar/derived.g4.
enum class Operator : uint8_t {
#define OPERATOR(name, text) name,
#include "compiler/ast/operators.def"
#undef OPERATOR
};
std::string_view operator_text(Operator op);

struct Spec {  // tag=value of mkconst() and novalue()
  std::string tag, value;
  bool quoted = false;
  Span tag_span, value_span;
};

struct Expr {
  ExprKind kind = ExprKind::name;
  Operator op = Operator::none;
  bool parenthesised = false;
  bool negated = false;
  bool quoted = false;  // a name that stands in quotes
  Span span;            // the whole expression, its own parentheses included
  Span op_span;         // the operator, or the function name; else the whole without parentheses
  Span text_span;       // where text stands, its quotes, brackets or slashes included
  std::string text;
  uint32_t first_arg = 0, arg_count = 0;    // in Ast::args
  uint32_t first_spec = 0, spec_count = 0;  // in Ast::specs
};

struct Ast {
  Store<ExprId, Expr> exprs;  // arguments before their users
  std::vector<ExprId> args;
  std::vector<Spec> specs;
  ExprId root;

  [[nodiscard]] std::span<const ExprId> args_of(const Expr& e) const {
    return std::span(args).subspan(e.first_arg, e.arg_count);
  }
  [[nodiscard]] std::span<const Spec> specs_of(const Expr& e) const {
    return std::span(specs).subspan(e.first_spec, e.spec_count);
  }
};

// The expression in one layout: print(parse(text)) parses to an equal Ast (spans aside).
// Parentheses stand where the text had them and where the strict dialect needs them, so a tree put
// together by a program reads back too.
std::string print(const Ast& ast);
std::string print(const Ast& ast, ExprId root);  // a part of it
// What an expression is about: the first name in it, of a metric as a rule; else its text.
std::string first_name(const Ast& ast, ExprId root);
// Spans and parentheses aside, the same tree.
bool same_tree(const Ast& a, const Ast& b);
// One node a line, indented, with spans: `explain --dump=ast`.
std::string dump(const Ast& ast);

}  // namespace pmjit
