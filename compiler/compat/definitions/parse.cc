#include "compiler/compat/definitions/parse.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "compiler/ast/words.h"
#include "compiler/compat/definitions/tokens.h"
#include "runtime/base/limits.h"

namespace pmjit::pcp {

namespace {

constexpr int kTernary = 1, kLogic = 2, kNot = 3, kRelation = 4, kSum = 5, kProduct = 6;

// How tight an operator binds, and its name in messages.
struct OperatorLevel {
  Operator op;
  int level;
  std::string_view name;
};
constexpr OperatorLevel kBindings[] = {
    {Operator::or_, kLogic, "OR"},     {Operator::and_, kLogic, "AND"},
    {Operator::lt, kRelation, "LT"},   {Operator::le, kRelation, "LEQ"},
    {Operator::eq, kRelation, "EQ"},   {Operator::ge, kRelation, "GEQ"},
    {Operator::gt, kRelation, "GT"},   {Operator::ne, kRelation, "NEQ"},
    {Operator::add, kSum, "PLUS"},     {Operator::sub, kSum, "MINUS"},
    {Operator::mul, kProduct, "STAR"}, {Operator::div, kProduct, "SLASH"},
};

const OperatorLevel* binding(Operator op) {
  for (const OperatorLevel& row : kBindings) {
    if (row.op == op) return &row;
  }
  return nullptr;
}

std::string operand_message(std::string_view kind, std::string_view after) {
  return fmt::format("{} expression expected to follow {}", kind, after);
}

// A name may only be followed by these.
bool ends_name(PcpTokenKind kind) {
  return kind == PcpTokenKind::sign || kind == PcpTokenKind::question ||
         kind == PcpTokenKind::colon || kind == PcpTokenKind::close || kind == PcpTokenKind::open ||
         kind == PcpTokenKind::comma || kind == PcpTokenKind::end;
}

class Parser {
 public:
  Parser(std::string_view text, Dialect dialect, bool& in_pattern)
      : text_(text),
        dialect_(dialect),
        newer_(dialect != Dialect::pcp6),
        tokens_(text, dialect, in_pattern) {}

  std::expected<Ast, SyntaxError> run() {
    if (definition()) return std::move(ast_);
    return std::unexpected(std::move(error_));
  }

 private:
  using Parsed = std::optional<ExprId>;

  // What recurses keeps its frames small, for the bound on nesting has to hold on the smallest
  // stack and under sanitizers: nodes and messages are made elsewhere, and nothing is inlined.
  bool definition();
  [[gnu::noinline]] Parsed expression(int level);
  [[gnu::noinline]] Parsed operand();
  [[gnu::noinline]] Parsed name();
  [[gnu::noinline]] Parsed number();
  [[gnu::noinline]] Parsed group();
  [[gnu::noinline]] Parsed prefix(Operator op, int level, std::string message);
  [[gnu::noinline]] Parsed ternary(ExprId guard, uint32_t begin);
  [[gnu::noinline]] Parsed ternary_arm(int level);
  [[gnu::noinline]] Parsed function();
  [[gnu::noinline]] Parsed name_function(const PcpToken& head, std::string_view word);
  [[gnu::noinline]] Parsed expression_function(const PcpToken& head, std::string_view word);
  [[gnu::noinline]] ExprId call(const PcpToken& head, std::string_view word, ExprId argument);
  [[gnu::noinline]] Parsed rescale(const PcpToken& head);
  [[gnu::noinline]] Parsed matchinst(const PcpToken& head);
  [[gnu::noinline]] Parsed mkconst(const PcpToken& head);
  [[gnu::noinline]] Parsed novalue(const PcpToken& head);
  [[gnu::noinline]] ExprId constant(ExprKind kind, const PcpToken& head,
                                    const std::vector<Spec>& tags,
                                    std::initializer_list<ExprId> args);
  bool specs(std::vector<Spec>& out);
  bool spec(std::vector<Spec>& out);
  [[gnu::noinline]] Parsed instance_of(ExprId operand, uint32_t begin);
  [[gnu::noinline]] ExprId operation(ExprKind kind, Operator op, uint32_t begin, Span sign,
                                     std::initializer_list<ExprId> args);
  [[gnu::noinline]] ExprId with_text(ExprKind kind, const PcpToken& head, const PcpToken& text,
                                     std::string value, ExprId argument);
  [[gnu::noinline]] void open_operand(const OperatorLevel& row);

  // What is open; its message counts for mistakes directly in it.
  void open(std::string message) { open_.push_back(std::move(message)); }
  void close() { open_.pop_back(); }
  void now(std::string message) { open_.back() = std::move(message); }

  const PcpToken& next() { return tokens_.peek(); }
  bool next_is(PcpTokenKind kind) { return next().kind == kind; }
  bool take(PcpTokenKind kind);
  std::nullopt_t fail();
  std::nullopt_t fail_at(uint32_t offset, std::string message);
  std::nullopt_t fail_next(std::string message);
  [[gnu::noinline]] std::nullopt_t too_deep() {
    return fail_next(fmt::format("nested deeper than {} levels", limits::kNestingMax));
  }
  [[gnu::noinline]] std::nullopt_t too_long() {
    return fail_next(fmt::format("chain of more than {} operators", limits::kNestingMax));
  }
  int64_t caret();
  [[gnu::noinline]] ExprId add(Expr expr, std::initializer_list<ExprId> args);
  std::string_view inside(const PcpToken& token) const {
    return text_.substr(token.begin + 1, token.end - token.begin - 2);
  }
  Span from(uint32_t begin) const { return {begin, last_end_}; }

  std::string_view text_;
  Dialect dialect_;
  bool newer_;
  PcpScanner tokens_;
  Ast ast_;
  SyntaxError error_;
  std::vector<uint32_t> heights_;  // of every expression: the levels below it
  std::vector<std::string> open_;
  bool group_first_ = false;  // the text starts with (
  uint32_t last_end_ = 0;     // of the last token that was taken
  size_t depth_ = 0;
};

// The first byte of what cannot stand; at the end of the text its last byte.
int64_t Parser::caret() {
  return next_is(PcpTokenKind::end) ? int64_t{next().begin} - 1 : int64_t{next().begin};
}

std::nullopt_t Parser::fail_next(std::string message) {
  if (next_is(PcpTokenKind::bad)) message = next().message;
  error_ = {.offset = caret(), .message = std::move(message)};
  return std::nullopt;
}

std::nullopt_t Parser::fail_at(uint32_t offset, std::string message) {
  error_ = {.offset = offset, .message = std::move(message)};
  return std::nullopt;
}

// The next token cannot stand here.
std::nullopt_t Parser::fail() {
  for (size_t i = open_.size(); i-- > 0;) {
    if (!open_[i].empty()) return fail_next(open_[i]);
  }
  return fail_next(group_first_ ? "Unexpected initial '('" : "");
}

bool Parser::take(PcpTokenKind kind) {
  if (!next_is(kind)) {
    fail();
    return false;
  }
  last_end_ = tokens_.take().end;
  return true;
}

ExprId Parser::add(Expr expr, std::initializer_list<ExprId> args) {
  uint32_t below = 0;
  for (const ExprId arg : args) below = std::max(below, heights_[arg.index] + 1);
  heights_.push_back(below);
  expr.first_arg = static_cast<uint32_t>(ast_.args.size());
  expr.arg_count = static_cast<uint32_t>(args.size());
  ast_.args.insert(ast_.args.end(), args);
  return ast_.exprs.add(std::move(expr));
}

bool Parser::definition() {
  const PcpToken first = next();
  group_first_ = first.kind == PcpTokenKind::open;
  const bool initial = first.kind == PcpTokenKind::close || first.kind == PcpTokenKind::question ||
                       first.kind == PcpTokenKind::colon ||
                       (first.kind == PcpTokenKind::sign && first.op != Operator::sub);
  if (initial) {
    take(first.kind);
    fail_next(fmt::format("Unexpected initial '{}'", tokens_.text(first)));
    return false;
  }
  const Parsed root = expression(kTernary);
  if (!root) return false;
  ast_.root = *root;
  const PcpToken behind = next();
  if (behind.kind == PcpTokenKind::end) return true;
  if (behind.kind == PcpTokenKind::open || behind.kind == PcpTokenKind::close) {
    take(behind.kind);
    fail_next(fmt::format("Unexpected '{}'", tokens_.text(behind)));
    return false;
  }
  fail_next("");
  return false;
}

// Every level associates to the left.
Parser::Parsed Parser::expression(int level) {
  const uint32_t begin = next().begin;
  if (++depth_ > limits::kNestingMax) return too_deep();
  Parsed left = operand();
  size_t chain = 0;
  while (left) {
    // Chains inside of chains are deep too.
    if (heights_[left->index] > limits::kNestingMax) return too_deep();
    const PcpToken sign = next();
    const OperatorLevel* row = sign.kind == PcpTokenKind::sign ? binding(sign.op) : nullptr;
    if (sign.kind == PcpTokenKind::question ? kTernary < level
                                            : row == nullptr || row->level < level) {
      break;
    }
    if (++chain > limits::kNestingMax) return too_long();
    take(sign.kind);
    if (row == nullptr) {
      left = ternary(*left, begin);
      continue;
    }
    open_operand(*row);
    const Parsed right = expression(row->level + 1);
    if (!right) return right;
    close();
    left = operation(ExprKind::binary, sign.op, begin, {sign.begin, sign.end}, {*left, *right});
  }
  --depth_;
  return left;
}

void Parser::open_operand(const OperatorLevel& row) {
  open(operand_message(row.level == kLogic ? "Boolean" : "Arithmetic", row.name));
}

ExprId Parser::operation(ExprKind kind, Operator op, uint32_t begin, Span sign,
                         std::initializer_list<ExprId> args) {
  return add({.kind = kind, .op = op, .span = from(begin), .op_span = sign}, args);
}

// A function whose first or second argument is a text.
ExprId Parser::with_text(ExprKind kind, const PcpToken& head, const PcpToken& text,
                         std::string value, ExprId argument) {
  return add({.kind = kind,
              .span = from(head.begin),
              .op_span = {head.begin, head.end},
              .text_span = {text.begin, text.end},
              .text = std::move(value)},
             {argument});
}

Parser::Parsed Parser::operand() {
  switch (next().kind) {
    case PcpTokenKind::name: return name();
    case PcpTokenKind::integer:
    case PcpTokenKind::real: return number();
    case PcpTokenKind::open: return group();
    case PcpTokenKind::function: return function();
    case PcpTokenKind::not_: return prefix(Operator::not_, kNot, operand_message("Boolean", "NOT"));
    case PcpTokenKind::sign:
      if (next().op != Operator::sub) return fail();
      return prefix(Operator::neg, kSum, operand_message("Arithmetic", "NEG"));
    default: return fail();
  }
}

Parser::Parsed Parser::name() {
  const PcpToken token = next();
  take(PcpTokenKind::name);
  const Span span{token.begin, token.end};
  const ExprId id = add({.kind = ExprKind::name,
                         .span = span,
                         .op_span = span,
                         .text_span = span,
                         .text = std::string(tokens_.text(token))},
                        {});
  if (next_is(PcpTokenKind::instance)) return instance_of(id, token.begin);
  if (!ends_name(next().kind)) {
    return fail_next("Arithmetic or relational or boolean operator expected to follow NAME");
  }
  return id;
}

Parser::Parsed Parser::instance_of(ExprId operand, uint32_t begin) {
  const PcpToken token = next();
  take(PcpTokenKind::instance);
  const Span brackets{token.begin, token.end};
  return add({.kind = ExprKind::instance,
              .span = from(begin),
              .op_span = brackets,
              .text_span = brackets,
              .text = unescape(inside(token))},
             {operand});
}

Parser::Parsed Parser::number() {
  const PcpToken token = next();
  take(token.kind);
  const Span span{token.begin, token.end};
  return add({.kind = token.kind == PcpTokenKind::real ? ExprKind::real : ExprKind::integer,
              .span = span,
              .op_span = span,
              .text_span = span,
              .text = std::string(tokens_.text(token))},
             {});
}

Parser::Parsed Parser::group() {
  const uint32_t begin = next().begin;
  take(PcpTokenKind::open);
  open("");
  const Parsed inner = expression(kTernary);
  if (!inner || !take(PcpTokenKind::close)) return std::nullopt;
  close();
  Expr& expr = ast_.exprs[*inner];
  expr.parenthesised = true;
  expr.span = from(begin);
  if (next_is(PcpTokenKind::instance)) return instance_of(*inner, begin);
  return inner;
}

Parser::Parsed Parser::prefix(Operator op, int level, std::string message) {
  const PcpToken sign = next();
  take(sign.kind);
  open(std::move(message));
  const Parsed argument = expression(level + 1);
  if (!argument) return argument;
  close();
  return operation(ExprKind::unary, op, sign.begin, {sign.begin, sign.end}, {*argument});
}

// Behind the ?.
Parser::Parsed Parser::ternary(ExprId guard, uint32_t begin) {
  const Span sign{last_end_ - 1, last_end_};
  open(operand_message("Arithmetic", "QUEST"));
  const Parsed left = ternary_arm(kTernary);
  if (!left || !take(PcpTokenKind::colon)) return std::nullopt;
  now(operand_message("Arithmetic", "COLON"));
  const Parsed right = ternary_arm(kLogic);
  if (!right) return right;
  close();
  const bool both =
      ast_.exprs[*left].kind == ExprKind::novalue && ast_.exprs[*right].kind == ExprKind::novalue;
  if (both) {
    return fail_at(last_end_ - 1, "novalue() may appear at most once in a ternary expression");
  }
  return operation(ExprKind::ternary, Operator::none, begin, sign, {guard, *left, *right});
}

// novalue() is an arm and nothing else.
Parser::Parsed Parser::ternary_arm(int level) {
  const PcpToken head = next();
  if (head.kind == PcpTokenKind::function && tokens_.text(head) == "novalue") {
    take(PcpTokenKind::function);
    return novalue(head);
  }
  return expression(level);
}

Parser::Parsed Parser::function() {
  const PcpToken head = next();
  const std::string_view word = tokens_.text(head);
  if (word == "novalue") return fail();
  take(PcpTokenKind::function);
  if (word == "rescale") return rescale(head);
  if (word == "matchinst") return matchinst(head);
  if (word == "mkconst") return mkconst(head);
  const bool of_expression = word == "delta" || word == "rate" || word == "instant";
  if (word == "scalar" || (newer_ && of_expression)) return expression_function(head, word);
  return name_function(head, word);
}

// avg( … of a metric's name.
Parser::Parsed Parser::name_function(const PcpToken& head, std::string_view word) {
  open(word == "defined" ? "" : fmt::format("Metric name expected to follow {}(", word));
  take(PcpTokenKind::open);
  const PcpToken token = next();
  // anon() is the library's own, and of other words it corrupts its memory.
  if (word == "anon" || !take(PcpTokenKind::name)) return fail();
  const Span name{token.begin, token.end};
  const ExprId id = add({.kind = ExprKind::name,
                         .span = name,
                         .op_span = name,
                         .text_span = name,
                         .text = std::string(tokens_.text(token))},
                        {});
  if (!take(PcpTokenKind::close)) return std::nullopt;
  close();
  return call(head, word, id);
}

ExprId Parser::call(const PcpToken& head, std::string_view word, ExprId argument) {
  const Span span{head.begin, head.end};
  return add({.kind = ExprKind::call,
              .span = from(head.begin),
              .op_span = span,
              .text_span = span,
              .text = std::string(word)},
             {argument});
}

Parser::Parsed Parser::expression_function(const PcpToken& head, std::string_view word) {
  open(
      fmt::format("{} expected to follow {}(", word == "instant" ? "Metric name" : "<expr>", word));
  take(PcpTokenKind::open);
  const Parsed argument = expression(kTernary);
  if (!argument || !take(PcpTokenKind::close)) return std::nullopt;
  close();
  return call(head, word, *argument);
}

Parser::Parsed Parser::rescale(const PcpToken& head) {
  open("Arithmetic or relational or boolean operator expected to follow rescale(");
  take(PcpTokenKind::open);
  const Parsed argument = expression(kTernary);
  if (!argument || !take(PcpTokenKind::comma)) return std::nullopt;
  now("Units string expected to follow rescale(<expr>,");
  const PcpToken units = next();
  if (!take(PcpTokenKind::string) || !take(PcpTokenKind::close)) return std::nullopt;
  close();
  if (std::string wrong = wrong_units(inside(units), dialect_); !wrong.empty()) {
    return fail_at(last_end_ - 1, std::move(wrong));
  }
  return with_text(ExprKind::rescale, head, units, std::string(inside(units)), *argument);
}

Parser::Parsed Parser::matchinst(const PcpToken& head) {
  open("<filter>, <expr>) expected to follow matchinst(");
  take(PcpTokenKind::open);
  const bool negated = next_is(PcpTokenKind::not_);
  if (negated) take(PcpTokenKind::not_);
  const PcpToken token = next();
  if (!take(PcpTokenKind::pattern)) return std::nullopt;
  std::string pattern = unescape(inside(token));
  if (std::string wrong = wrong_pattern(pattern); !wrong.empty()) {
    return fail_at(token.begin, std::move(wrong));
  }
  now(", <expr>) expected to follow matchinst(<filter>");
  if (!take(PcpTokenKind::comma)) return std::nullopt;
  now("<expr>) expected to follow matchinst(<filter>,");
  const Parsed argument = expression(kTernary);
  if (!argument || !take(PcpTokenKind::close)) return std::nullopt;
  close();
  tokens_.leave_pattern();
  const ExprId made = with_text(ExprKind::matchinst, head, token, std::move(pattern), *argument);
  ast_.exprs[made].negated = negated;
  return made;
}

Parser::Parsed Parser::mkconst(const PcpToken& head) {
  open("");
  take(PcpTokenKind::open);
  const PcpTokenKind kind = next().kind;
  if (kind != PcpTokenKind::integer && kind != PcpTokenKind::real) return fail();
  const Parsed value = number();
  if (newer_ && kind == PcpTokenKind::integer) {
    now("metadata keyword expected to follow mkconst(type");
  }
  std::vector<Spec> tags;
  if (!take(PcpTokenKind::comma) || !specs(tags) || !take(PcpTokenKind::close)) return std::nullopt;
  close();
  if (kind == PcpTokenKind::real) {
    if (std::string wrong = wrong_real(tags); !wrong.empty()) {
      return fail_at(last_end_ - 1, std::move(wrong));
    }
  }
  return constant(ExprKind::mkconst, head, tags, {*value});
}

Parser::Parsed Parser::novalue(const PcpToken& head) {
  open("metadata keyword expected to follow novalue(");
  take(PcpTokenKind::open);
  std::vector<Spec> tags;
  if (!next_is(PcpTokenKind::close) && !specs(tags)) return std::nullopt;
  if (!take(PcpTokenKind::close)) return std::nullopt;
  close();
  return constant(ExprKind::novalue, head, tags, {});
}

ExprId Parser::constant(ExprKind kind, const PcpToken& head, const std::vector<Spec>& tags,
                        std::initializer_list<ExprId> args) {
  const auto first = static_cast<uint32_t>(ast_.specs.size());
  ast_.specs.insert(ast_.specs.end(), tags.begin(), tags.end());
  return add({.kind = kind,
              .span = from(head.begin),
              .op_span = {head.begin, head.end},
              .first_spec = first,
              .spec_count = static_cast<uint32_t>(tags.size())},
             args);
}

bool Parser::specs(std::vector<Spec>& out) {
  do {
    if (!spec(out)) return false;
  } while (next_is(PcpTokenKind::comma) && take(PcpTokenKind::comma));
  return true;
}

bool Parser::spec(std::vector<Spec>& out) {
  const PcpToken tag = next();
  if (!take(PcpTokenKind::tag) || !take(PcpTokenKind::assign)) return false;
  const PcpToken value = next();
  const bool word = value.kind == PcpTokenKind::name || value.kind == PcpTokenKind::integer;
  const bool string = value.kind == PcpTokenKind::string;
  if (!word && !string && !(newer_ && value.kind == PcpTokenKind::real)) {
    fail();
    return false;
  }
  take(value.kind);
  out.push_back({.tag = std::string(tokens_.text(tag)),
                 .value = std::string(string ? inside(value) : tokens_.text(value)),
                 .quoted = string,
                 .tag_span = {tag.begin, tag.end},
                 .value_span = {value.begin, value.end}});
  if (std::string wrong = wrong_tag(out.back(), dialect_); !wrong.empty()) {
    fail_at(value.begin, std::move(wrong));
    return false;
  }
  return true;
}

}  // namespace

std::expected<Ast, SyntaxError> parse(std::string_view text, Dialect dialect, bool& in_pattern) {
  return Parser(text, dialect, in_pattern).run();
}

}  // namespace pmjit::pcp
