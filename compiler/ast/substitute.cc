#include "compiler/ast/substitute.h"

#include <fmt/format.h>

#include <charconv>

namespace pmjit {
namespace {

class Substitution {
 public:
  Substitution(const Ast& from, const std::map<std::string, ParameterValue>& values)
      : from_(from), values_(values), id_of_(from.exprs.size()) {
    to_.specs = from.specs;
    find_tagged();
  }

  Ast run() {
    for (uint32_t i = 0; i < from_.exprs.size(); ++i) id_of_[i] = copy(i);
    to_.root = id_of_[from_.root.index];
    return std::move(to_);
  }

 private:
  // Parameters of mkconst(): the sign goes before it.
  void find_tagged() {
    tagged_.resize(from_.exprs.size());
    for (const Expr& e : from_.exprs)
      if (e.kind == ExprKind::mkconst) tagged_[from_.args_of(e)[0].index] = true;
  }

  const ParameterValue* value_of(const Expr& e) const {
    if (e.kind != ExprKind::parameter) return nullptr;
    const auto found = values_.find(e.text);
    return found == values_.end() ? nullptr : &found->second;
  }

  ExprId copy(uint32_t index) {
    const Expr& e = from_.exprs[ExprId{{index}}];
    Expr made = e;
    made.first_arg = static_cast<uint32_t>(to_.args.size());
    for (const ExprId arg : from_.args_of(e)) to_.args.push_back(id_of_[arg.index]);
    const ParameterValue* value = value_of(e);
    if (value != nullptr) {
      made.kind = is_whole(value->digits) ? ExprKind::integer : ExprKind::real;
      made.text = value->digits;
      if (value->negative) made.parenthesised = false;
    }
    if (e.kind == ExprKind::mkconst) value = value_of(from_.exprs[from_.args_of(e)[0]]);
    const ExprId id = to_.exprs.add(std::move(made));
    return value != nullptr && value->negative && !tagged_[index] ? negated(e, id) : id;
  }

  ExprId negated(const Expr& e, ExprId id) {
    Expr sign{.kind = ExprKind::unary,
              .op = Operator::neg,
              .parenthesised = true,
              .span = e.span,
              .op_span = e.span,
              .first_arg = static_cast<uint32_t>(to_.args.size()),
              .arg_count = 1};
    to_.args.push_back(id);
    return to_.exprs.add(std::move(sign));
  }

  const Ast& from_;
  const std::map<std::string, ParameterValue>& values_;
  std::vector<ExprId> id_of_;  // of an expression of from_
  std::vector<bool> tagged_;
  Ast to_;
};

}  // namespace

bool is_whole(std::string_view digits) {
  return digits.find_first_not_of("0123456789") == digits.npos;
}

std::string value_text(const ParameterValue& value) {
  const std::string sign = value.negative ? "-" : "";
  if (is_whole(value.digits)) {
    const size_t first = value.digits.find_first_not_of('0');
    return sign + (first == std::string::npos ? "0" : value.digits.substr(first));
  }
  double number = 0;
  std::from_chars(value.digits.data(), value.digits.data() + value.digits.size(), number);
  return sign + fmt::to_string(number);
}

Ast substitute(const Ast& ast, const std::map<std::string, ParameterValue>& values) {
  return Substitution(ast, values).run();
}

}  // namespace pmjit
