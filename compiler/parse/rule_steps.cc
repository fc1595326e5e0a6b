// Steps are made while ANTLR parses (a parse listener), not from its tree: a statement that breaks
// off has steps as far as it goes, and a chain of a thousand operators makes no deep tree.
#include "compiler/parse/rule_steps.h"

#include <antlr4-runtime.h>

#include <algorithm>
#include <array>

#include "rules.h"

namespace pmjit::parse {
namespace {

using rulesParser = grammar::rules;

constexpr std::array kGrammarTypes = {
#define RULE_TOKEN(name) size_t{rulesParser::name},
#include "compiler/parse/rule_tokens.def"
#undef RULE_TOKEN
};

class RuleTokenSource : public antlr4::TokenSource {
 public:
  explicit RuleTokenSource(std::span<const RuleToken> tokens) : tokens_(tokens) {}

  std::unique_ptr<antlr4::Token> nextToken() override {
    const RuleToken token = tokens_[std::min(at_++, tokens_.size() - 1)];
    const size_t type =
        token == RuleToken::END ? antlr4::Token::EOF : kGrammarTypes[static_cast<size_t>(token)];
    return std::make_unique<antlr4::CommonToken>(
        std::pair<antlr4::TokenSource*, antlr4::CharStream*>{nullptr, nullptr}, type,
        antlr4::Token::DEFAULT_CHANNEL, 0, 0);
  }
  size_t getLine() const override { return 1; }
  size_t getCharPositionInLine() override { return 0; }
  antlr4::CharStream* getInputStream() override { return nullptr; }
  std::string getSourceName() override { return {}; }
  antlr4::TokenFactory<antlr4::CommonToken>* getTokenFactory() override {
    return antlr4::CommonTokenFactory::DEFAULT.get();
  }

 private:
  std::span<const RuleToken> tokens_;
  size_t at_ = 0;
};

class StepMaker : public antlr4::tree::ParseTreeListener {
 public:
  void enterEveryRule(antlr4::ParserRuleContext*) override { operator_taken_.push_back(false); }

  void exitEveryRule(antlr4::ParserRuleContext* rule) override {
    if (stopped) return;  // the way out of a parse that broke off
    if (operator_taken_.back()) add(ParseStep::Kind::binary);
    operator_taken_.pop_back();
    switch (rule->getRuleIndex()) {
      case rulesParser::RuleFetch: return add(ParseStep::Kind::fetch);
      case rulesParser::RuleNumber: return add(ParseStep::Kind::number);
      case rulesParser::RuleAction: return add(ParseStep::Kind::action);
      case rulesParser::RuleRuleset: return add(ParseStep::Kind::ruleset);
      case rulesParser::RuleAlert: return add(ParseStep::Kind::alert);
      case rulesParser::RuleJudged:
      case rulesParser::RuleCounted_judged:
      case rulesParser::RuleCounting:
      case rulesParser::RuleLed: return add(ParseStep::Kind::prefix);
      default: return;
    }
  }

  void visitTerminal(antlr4::tree::TerminalNode* node) override {
    const auto* rule = dynamic_cast<antlr4::ParserRuleContext*>(node->parent);
    if (is_chain(rule->getRuleIndex())) {
      if (operator_taken_.back()) add(ParseStep::Kind::binary);  // to the left of this one
      operator_taken_.back() = true;
    }
    made.steps.push_back(
        {ParseStep::Kind::take, static_cast<uint32_t>(node->getSymbol()->getTokenIndex())});
  }
  void visitErrorNode(antlr4::tree::ErrorNode*) override {}

  RuleSteps made;
  bool stopped = false;

 private:
  static bool is_chain(size_t rule) {
    switch (rule) {
      case rulesParser::RuleRule_:
      case rulesParser::RuleJunction:
      case rulesParser::RuleRelation:
      case rulesParser::RuleCounted_relation:
      case rulesParser::RuleSum:
      case rulesParser::RuleProduct: return true;
      default: return false;
    }
  }
  void add(ParseStep::Kind kind) { made.steps.push_back({kind}); }

  std::vector<bool> operator_taken_;  // a rule that is open: is one of its operators waiting?
};

// Ends the parse at the first token that does not fit. ANTLR's own repair would guess.
class StopRuleAtFirst : public antlr4::DefaultErrorStrategy {
 public:
  explicit StopRuleAtFirst(StepMaker& steps) : steps_(steps) {}

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

 private:
  [[noreturn]] void stop(antlr4::Token* token) {
    steps_.stopped = true;
    steps_.made.offending = static_cast<uint32_t>(token->getTokenIndex());
    throw antlr4::ParseCancellationException();
  }

  StepMaker& steps_;
};

}  // namespace

RuleSteps parse_rule(std::span<const RuleToken> tokens) {
  RuleTokenSource source(tokens);
  antlr4::CommonTokenStream stream(&source);
  rulesParser parser(&stream);
  parser.removeErrorListeners();
  parser.setBuildParseTree(false);
  StepMaker steps;
  parser.addParseListener(&steps);
  // After `count_` an operator may belong to what is counted or to what uses the count: the former,
  // without looking any further.
  parser.getInterpreter<antlr4::atn::ParserATNSimulator>()->setPredictionMode(
      antlr4::atn::PredictionMode::SLL);
  parser.setErrorHandler(std::make_shared<StopRuleAtFirst>(steps));
  try {
    parser.statement();
  } catch (const antlr4::ParseCancellationException&) {
    // What stopped it is in the steps.
  }
  return std::move(steps.made);
}

uint32_t rule_nesting(std::span<const RuleToken> tokens) {
  std::vector<uint32_t> bases{0};  // open parentheses: the depth within each before any operator
  uint32_t depth = 0, deepest = 0;
  bool operand_next = true;
  for (const RuleToken token : tokens) {
    const bool minus_is_sign = operand_next;
    operand_next = true;
    switch (token) {
      case RuleToken::OPEN:
      case RuleToken::COUNTED_OPEN: bases.push_back(++depth); break;
      case RuleToken::CLOSE:
        if (bases.size() == 1) return deepest;
        bases.pop_back();
        depth = bases.back();
        operand_next = false;
        break;
      case RuleToken::MINUS:
        if (minus_is_sign) ++depth;
        break;
      case RuleToken::NOT:
      case RuleToken::RISING:
      case RuleToken::FALLING:
      case RuleToken::QUANTIFIER:
      case RuleToken::PERCENT:
      case RuleToken::MATCH:
      case RuleToken::RATE:
      case RuleToken::INSTANT:
      case RuleToken::AGGREGATE:
      case RuleToken::COUNT: ++depth; break;
      case RuleToken::ALERT:
      case RuleToken::SEVERITY:
      case RuleToken::UNTIL:
      case RuleToken::ARROW:
      case RuleToken::BOTH:
      case RuleToken::EITHER:
      case RuleToken::IN_TURN:
      case RuleToken::UNTIL_TRUE: depth = bases.back(); break;
      case RuleToken::RELATION:
      case RuleToken::COUNTED_RELATION:
      case RuleToken::PLUS:
      case RuleToken::TIMES:
      case RuleToken::DIVIDED: break;
      default: operand_next = false; break;
    }
    deepest = std::max(deepest, depth);
  }
  return deepest;
}

}  // namespace pmjit::parse
