// The generated lexer over bytes. It never fails: ILLEGAL and OPEN_… of the grammar take what
// nothing else takes.
#include <antlr4-runtime.h>

#include "compiler/parse/stages.h"
#include "derivedLexer.h"
#include "runtime/base/result.h"

namespace pmjit::parse {
namespace {

using grammar::derivedLexer;

// A view as ANTLR's input: one "character" a byte, nothing copied.
class ByteStream : public antlr4::CharStream {
 public:
  explicit ByteStream(std::string_view bytes) : bytes_(bytes) {}

  void consume() override { ++at_; }
  size_t LA(ssize_t i) override {
    const size_t index = at_ + static_cast<size_t>(i > 0 ? i - 1 : i);
    return index < bytes_.size() ? static_cast<unsigned char>(bytes_[index])
                                 : antlr4::IntStream::EOF;
  }
  ssize_t mark() override { return 0; }
  void release(ssize_t) override {}
  size_t index() override { return at_; }
  void seek(size_t index) override { at_ = index; }
  size_t size() override { return bytes_.size(); }
  std::string getSourceName() const override { return {}; }
  std::string getText(const antlr4::misc::Interval& i) override {
    return std::string(bytes_.substr(static_cast<size_t>(i.a), static_cast<size_t>(i.b - i.a + 1)));
  }
  std::string toString() const override { return std::string(bytes_); }

 private:
  std::string_view bytes_;
  size_t at_ = 0;
};

// Signs have no names in the grammar; their texts tell them apart.
TokenKind sign_kind(std::string_view text) {
  switch (text[0]) {
    case '(': return TokenKind::open;
    case ')': return TokenKind::close;
    case ',': return TokenKind::comma;
    case '?': return TokenKind::question;
    case ':': return TokenKind::colon;
    case '-': return TokenKind::minus;
    case '+': return TokenKind::plus;
    case '*':
    case '/': return TokenKind::product;
    case '&': return TokenKind::and_;
    case '|': return TokenKind::or_;
    case '!': return text == "!" ? TokenKind::not_ : TokenKind::relation;
    case '=': return text == "=" ? TokenKind::assign : TokenKind::relation;
    case '<':
    case '>': return TokenKind::relation;
    default: return TokenKind::name;  // the words of the grammar
  }
}

TokenKind kind_of(size_t type, std::string_view text) {
  switch (type) {
    case derivedLexer::NAME: return TokenKind::name;
    case derivedLexer::QUOTED: return TokenKind::quoted;
    case derivedLexer::NUMBER: return TokenKind::number;
    case derivedLexer::PARAMETER: return TokenKind::parameter;
    case derivedLexer::STRING: return TokenKind::string;
    case derivedLexer::INSTANCE: return TokenKind::instance;
    case derivedLexer::MATCHINST: return TokenKind::matchinst;
    case derivedLexer::OPEN_PATTERN: return TokenKind::open_pattern;
    case derivedLexer::OPEN_QUOTED: return TokenKind::open_quoted;
    case derivedLexer::OPEN_INSTANCE: return TokenKind::open_instance;
    case derivedLexer::OPEN_STRING: return TokenKind::open_string;
    case derivedLexer::ILLEGAL: return TokenKind::illegal;
    case antlr4::Token::EOF: return TokenKind::end;
    default: return sign_kind(text);
  }
}

}  // namespace

std::vector<Token> scan(const ExpressionText& text) {
  ByteStream bytes(text.text);
  derivedLexer lexer(&bytes);
  lexer.removeErrorListeners();
  std::vector<Token> tokens;
  const auto size = static_cast<uint32_t>(text.text.size());
  while (tokens.size() < kTokensMax) {
    const std::unique_ptr<antlr4::Token> token = lexer.nextToken();
    const size_t type = token->getType();
    if (type == antlr4::Token::EOF) {
      tokens.push_back({TokenKind::end, 0, {text.base + size, text.base + size}});
      return tokens;
    }
    const auto begin = static_cast<uint32_t>(token->getStartIndex());
    const auto end = static_cast<uint32_t>(token->getStopIndex() + 1);
    check(begin < end && end <= size, "the scanner's token is outside of its text");
    tokens.push_back({kind_of(type, text.text.substr(begin, end - begin)),
                      static_cast<uint16_t>(type),
                      {text.base + begin, text.base + end}});
  }
  return tokens;
}

}  // namespace pmjit::parse
