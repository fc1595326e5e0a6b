// The generated parser over our tokens, and its tree made an Ast. ANTLR's tree is as deep as a
// chain of operators is long, so it is walked with a stack of our own: children first, then the
// expression that takes them from `done_`.
#include <antlr4-runtime.h>
#include <fmt/format.h>

#include <algorithm>

#include "compiler/ast/substitute.h"
#include "compiler/ast/words.h"
#include "compiler/parse/stages.h"
#include "derivedParser.h"
#include "runtime/base/limits.h"
#include "runtime/base/result.h"

namespace pmjit::parse {
namespace {

using grammar::derivedParser;
using ExprTree = derivedParser::ExprContext;

// Our tokens as ANTLR's. Token indices are the same in both: blanks were never tokens.
class ExprTokenSource : public antlr4::TokenSource {
 public:
  explicit ExprTokenSource(const std::vector<Token>& tokens) : tokens_(tokens) {}

  std::unique_ptr<antlr4::Token> nextToken() override {
    const Token& token = tokens_[std::min(at_++, tokens_.size() - 1)];
    const size_t type = token.kind == TokenKind::end ? antlr4::Token::EOF : token.grammar_type;
    return std::make_unique<antlr4::CommonToken>(
        std::pair<antlr4::TokenSource*, antlr4::CharStream*>{nullptr, nullptr}, type,
        antlr4::Token::DEFAULT_CHANNEL, token.span.begin, token.span.end);
  }
  size_t getLine() const override { return 1; }
  size_t getCharPositionInLine() override { return 0; }
  antlr4::CharStream* getInputStream() override { return nullptr; }
  std::string getSourceName() override { return {}; }
  antlr4::TokenFactory<antlr4::CommonToken>* getTokenFactory() override {
    return antlr4::CommonTokenFactory::DEFAULT.get();
  }

 private:
  const std::vector<Token>& tokens_;
  size_t at_ = 0;
};

// Ends the parse at the first token that does not fit. ANTLR's own repair would guess.
class StopAtFirst : public antlr4::DefaultErrorStrategy {
 public:
  void reportError(antlr4::Parser*, const antlr4::RecognitionException& e) override {
    stop(e.getOffendingToken());
  }
  void recover(antlr4::Parser* parser, std::exception_ptr) override {
    stop(parser->getCurrentToken());
  }
  antlr4::Token* recoverInline(antlr4::Parser* parser) override {
    stop(parser->getCurrentToken());
    return nullptr;
  }
  void sync(antlr4::Parser*) override {}

  size_t offending = 0;

 private:
  [[noreturn]] void stop(antlr4::Token* token) {
    offending = token->getTokenIndex();
    throw antlr4::ParseCancellationException();
  }
};

class Builder {
 public:
  Builder(const ExpressionText& text, const std::vector<Token>& tokens)
      : text_(text), tokens_(tokens) {}

  std::optional<Ast> build(ExprTree* root, Diags& diags) {
    std::vector<Step> steps{{root, false}};
    while (!steps.empty()) {
      const Step step = steps.back();
      steps.pop_back();
      if (step.args_done) {
        add(step.tree);
        if (height_.back() <= limits::kNestingMax) continue;
        report_deep(diags);
        return std::nullopt;
      }
      steps.push_back({step.tree, true});
      const auto first = steps.size();
      for (antlr4::tree::ParseTree* child : step.tree->children)
        if (auto* expr = dynamic_cast<ExprTree*>(child)) steps.push_back({expr, false});
      std::reverse(steps.begin() + static_cast<ptrdiff_t>(first), steps.end());
    }
    check(done_.size() == 1, "a tree has one root");
    ast_.root = done_.back();
    return std::move(ast_);
  }

 private:
  struct Step {
    ExprTree* tree;
    bool args_done;
  };

  void add(ExprTree* tree) {
    if (auto* t = dynamic_cast<derivedParser::MetricContext*>(tree))
      add_metric(t);
    else if (auto* t = dynamic_cast<derivedParser::NumberContext*>(tree))
      add_number(t->NUMBER());
    else if (auto* t = dynamic_cast<derivedParser::ParameterContext*>(tree))
      add_parameter(t->PARAMETER());
    else if (auto* t = dynamic_cast<derivedParser::BinaryContext*>(tree))
      add_operator(t, ExprKind::binary, 1);
    else if (auto* t = dynamic_cast<derivedParser::GroupContext*>(tree))
      add_group(t);
    else if (auto* t = dynamic_cast<derivedParser::CallContext*>(tree))
      add_call(t);
    else if (auto* t = dynamic_cast<derivedParser::PrefixContext*>(tree))
      add_operator(t, ExprKind::unary, 0);
    else if (auto* t = dynamic_cast<derivedParser::TernaryContext*>(tree))
      add_operator(t, ExprKind::ternary, 1);
    else if (auto* t = dynamic_cast<derivedParser::RescaleContext*>(tree))
      add_rescale(t);
    else if (auto* t = dynamic_cast<derivedParser::MatchinstContext*>(tree))
      add_matchinst(t);
    else if (auto* t = dynamic_cast<derivedParser::ConstantContext*>(tree))
      add_constant(t);
    else
      check(false, "an alternative of the grammar has no builder");
  }

  void add_metric(derivedParser::MetricContext* tree) {
    add_name(tree->name());
    if (tree->INSTANCE() != nullptr) add_instance(tree, tree->INSTANCE());
  }

  void add_name(derivedParser::NameContext* tree) {
    const Token& token = token_of(tree->start);
    const bool quoted = token.kind == TokenKind::quoted;
    finish({.kind = ExprKind::name,
            .quoted = quoted,
            .span = token.span,
            .op_span = token.span,
            .text_span = token.span,
            .text = name_text(token)},
           0);
  }

  void add_number(antlr4::tree::TerminalNode* node) {
    const Token& token = token_of(node);
    const std::string_view digits = text_.of(token.span);
    finish({.kind = is_whole(digits) ? ExprKind::integer : ExprKind::real,
            .span = token.span,
            .op_span = token.span,
            .text_span = token.span,
            .text = std::string(digits)},
           0);
  }

  void add_parameter(antlr4::tree::TerminalNode* node) {
    const Span span = token_of(node).span;
    finish({.kind = ExprKind::parameter,
            .span = span,
            .op_span = span,
            .text_span = span,
            .text = std::string(text_.of(span).substr(1))},
           0);
  }

  void add_instance(ExprTree* tree, antlr4::tree::TerminalNode* node) {
    const Span brackets = token_of(node).span;
    finish({.kind = ExprKind::instance,
            .span = span_of(tree),
            .op_span = brackets,
            .text_span = brackets,
            .text = unescape(inside(brackets))},
           1);
  }

  void add_group(derivedParser::GroupContext* tree) {
    Expr& inner = ast_.exprs[done_.back()];
    inner.parenthesised = true;
    inner.span = {token_of(tree->start).span.begin, token_of(tree->children[2]).span.end};
    if (tree->INSTANCE() != nullptr) add_instance(tree, tree->INSTANCE());
  }

  void add_operator(ExprTree* tree, ExprKind kind, size_t sign) {
    const Span span = token_of(tree->children[sign]).span;
    const size_t args = kind == ExprKind::unary ? 1 : kind == ExprKind::binary ? 2 : 3;
    finish({.kind = kind,
            .op = kind == ExprKind::ternary ? Operator::none : operator_of(text_.of(span), args),
            .span = span_of(tree),
            .op_span = span},
           args);
  }

  void add_call(derivedParser::CallContext* tree) {
    const Span name = token_of(tree->start).span;
    finish({.kind = ExprKind::call,
            .span = span_of(tree),
            .op_span = name,
            .text_span = name,
            .text = std::string(text_.of(name))},
           1);
  }

  void add_rescale(derivedParser::RescaleContext* tree) {
    const Span units = token_of(tree->STRING()).span;
    finish({.kind = ExprKind::rescale,
            .span = span_of(tree),
            .op_span = token_of(tree->start).span,
            .text_span = units,
            .text = std::string(inside(units))},
           1);
  }

  // The head `matchinst( ! /pattern/` is one token.
  void add_matchinst(derivedParser::MatchinstContext* tree) {
    const Span head = token_of(tree->start).span;
    const std::string_view bytes = text_.of(head);
    const auto slash = static_cast<uint32_t>(bytes.find('/'));
    const Span pattern{head.begin + slash, head.end};
    finish({.kind = ExprKind::matchinst,
            .negated = bytes.substr(0, slash).find('!') != bytes.npos,
            .span = span_of(tree),
            .op_span = {head.begin,
                        head.begin + static_cast<uint32_t>(std::string_view("matchinst").size())},
            .text_span = pattern,
            .text = unescape(inside(pattern))},
           1);
  }

  void add_constant(derivedParser::ConstantContext* tree) {
    const bool has_number = tree->NUMBER() != nullptr || tree->PARAMETER() != nullptr;
    if (tree->NUMBER() != nullptr) add_number(tree->NUMBER());
    if (tree->PARAMETER() != nullptr) add_parameter(tree->PARAMETER());
    const auto first = static_cast<uint32_t>(ast_.specs.size());
    for (derivedParser::SpecContext* spec : tree->spec()) add_spec(spec);
    const Span name = token_of(tree->start).span;
    finish({.kind = has_number ? ExprKind::mkconst : ExprKind::novalue,
            .span = span_of(tree),
            .op_span = name,
            .first_spec = first,
            .spec_count = static_cast<uint32_t>(ast_.specs.size()) - first},
           has_number ? 1 : 0);
  }

  void add_spec(derivedParser::SpecContext* tree) {
    const Token &tag = token_of(tree->start), &value = token_of(tree->stop);
    const bool string = value.kind == TokenKind::string;
    ast_.specs.push_back({.tag = std::string(text_.of(tag.span)),
                          .value = string ? std::string(inside(value.span)) : name_text(value),
                          .quoted = string,
                          .tag_span = tag.span,
                          .value_span = value.span});
  }

  void finish(Expr expr, size_t args) {
    uint32_t height = 0;
    const auto first = static_cast<ptrdiff_t>(done_.size() - args);
    for (size_t i = 0; i < args; ++i) height = std::max(height, height_[done_.size() - 1 - i] + 1);
    expr.first_arg = static_cast<uint32_t>(ast_.args.size());
    expr.arg_count = static_cast<uint32_t>(args);
    ast_.args.insert(ast_.args.end(), done_.begin() + first, done_.end());
    done_.resize(done_.size() - args);
    height_.resize(done_.size());
    done_.push_back(ast_.exprs.add(std::move(expr)));
    height_.push_back(height);
  }

  void report_deep(Diags& diags) {
    const Expr& e = ast_.exprs[done_.back()];
    diags.add(DiagCode::P_TooDeep, e.op_span, fmt::to_string(limits::kNestingMax))
        .help("cut a long chain of operators into parts: (a + b + …) + (c + d + …)");
  }

  static Operator operator_of(std::string_view sign, size_t args) {
    if (args == 1) return sign == "-" ? Operator::neg : Operator::not_;
    static constexpr Operator kTwoSided[] = {
        Operator::add, Operator::sub, Operator::mul, Operator::div, Operator::lt,   Operator::le,
        Operator::eq,  Operator::ge,  Operator::gt,  Operator::ne,  Operator::and_, Operator::or_};
    for (const Operator op : kTwoSided)
      if (operator_text(op) == sign) return op;
    check(false, "an operator of the grammar is missing in operators.def");
    return Operator::none;
  }

  const Token& token_of(antlr4::Token* token) const { return tokens_[token->getTokenIndex()]; }
  const Token& token_of(antlr4::tree::ParseTree* leaf) const {
    return token_of(static_cast<antlr4::tree::TerminalNode*>(leaf)->getSymbol());
  }
  Span span_of(antlr4::ParserRuleContext* tree) const {
    return {token_of(tree->start).span.begin, token_of(tree->stop).span.end};
  }
  std::string_view inside(Span span) const { return text_.of({span.begin + 1, span.end - 1}); }
  std::string name_text(const Token& token) const {
    return token.kind == TokenKind::quoted ? unescape(inside(token.span))
                                           : std::string(text_.of(token.span));
  }

  const ExpressionText& text_;
  const std::vector<Token>& tokens_;
  Ast ast_;
  std::vector<ExprId> done_;      // expressions whose user is still to come
  std::vector<uint32_t> height_;  // beside done_: the longest way down from it
};

// The words before a ( in the grammar, but for anon, which nobody should be shown.
std::vector<std::string> function_names(derivedParser& parser) {
  std::vector<std::string> names{"matchinst"};
  for (size_t type = 1; type < derivedParser::MATCHINST; ++type) {
    std::string literal = parser.getVocabulary().getLiteralName(type);  // 'avg'
    literal = literal.substr(1, literal.size() - 2);
    if (is_plain_name(literal) && !is_reserved_word(literal) && literal != "anon")
      names.push_back(std::move(literal));
  }
  return names;
}

}  // namespace

std::optional<Ast> build_tree(const ExpressionText& text, const std::vector<Token>& tokens,
                              Diags& diags) {
  ExprTokenSource source(tokens);
  antlr4::CommonTokenStream stream(&source);
  derivedParser parser(&stream);
  parser.removeErrorListeners();
  auto strategy = std::make_shared<StopAtFirst>();
  parser.setErrorHandler(strategy);
  // SLL is the faster prediction and may refuse what LL accepts; only LL's verdict is an error.
  using Mode = antlr4::atn::PredictionMode;
  for (const Mode mode : {Mode::SLL, Mode::LL}) {
    try {
      parser.reset();
      parser.getInterpreter<antlr4::atn::ParserATNSimulator>()->setPredictionMode(mode);
      ExprTree* root = parser.definition()->expr();
      return Builder(text, tokens).build(root, diags);
    } catch (const antlr4::ParseCancellationException&) {
      continue;
    }
  }
  report_unexpected(text, tokens, strategy->offending, function_names(parser), diags);
  return std::nullopt;
}

}  // namespace pmjit::parse
