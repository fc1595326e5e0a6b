#include "compiler/compat/definitions/tokens.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <limits>

namespace pmjit::pcp {

namespace {

struct PcpWord {
  std::string_view text;
  bool only_newer = false;  // no word of it in pcp6
};
constexpr PcpWord kFunctions[] = {
    {"avg"},     {"count"},   {"delta"},     {"max"},     {"min"},
    {"sum"},     {"anon"},    {"rate"},      {"instant"}, {"mkconst"},
    {"rescale"}, {"defined"}, {"matchinst"}, {"scalar"},  {"novalue", true},
};
constexpr PcpWord kTags[] = {{"type"}, {"semantics"}, {"units"}, {"indom", true}, {"meta", true}};

struct PcpSign {
  std::string_view text;
  TokenKind kind;
  Operator op = Operator::none;
};
// Longer ones first.
constexpr PcpSign kSigns[] = {
    {"<=", TokenKind::sign, Operator::le},
    {"==", TokenKind::sign, Operator::eq},
    {">=", TokenKind::sign, Operator::ge},
    {"!=", TokenKind::sign, Operator::ne},
    {"&&", TokenKind::sign, Operator::and_},
    {"||", TokenKind::sign, Operator::or_},
    {"+", TokenKind::sign, Operator::add},
    {"-", TokenKind::sign, Operator::sub},
    {"*", TokenKind::sign, Operator::mul},
    {"/", TokenKind::sign, Operator::div},
    {"<", TokenKind::sign, Operator::lt},
    {">", TokenKind::sign, Operator::gt},
    {"!", TokenKind::not_},
    {"=", TokenKind::assign},
    {"(", TokenKind::open},
    {")", TokenKind::close},
    {",", TokenKind::comma},
    {"?", TokenKind::question},
    {":", TokenKind::colon},
};

bool is_space(char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

// Whether what it is, or where it ends, is known only from the byte behind it.
bool looks_ahead(const Token& token) {
  switch (token.kind) {
    case TokenKind::integer:
    case TokenKind::real:
    case TokenKind::name:
    case TokenKind::tag:
    case TokenKind::assign:
    case TokenKind::not_: return true;
    case TokenKind::sign: return token.op == Operator::lt || token.op == Operator::gt;
    default: return false;
  }
}

template <size_t N>
bool is_word(std::string_view text, const PcpWord (&words)[N], Dialect dialect) {
  const auto* found = std::ranges::find(words, text, &PcpWord::text);
  return found != std::end(words) && (dialect != Dialect::pcp6 || !found->only_newer);
}

}  // namespace

const Token& Scanner::peek() {
  if (!scanned_) {
    next_ = scan();
    scanned_ = true;
  }
  return next_;
}

Token Scanner::take() {
  const Token token = peek();
  scanned_ = false;
  at_ = token.end + (looks_ahead(token) && at(token.end) == kEnd ? 1 : 0);
  return token;
}

Token Scanner::scan() {
  while (at_ < text_.size() && is_space(text_[at_])) ++at_;
  if (at_ == text_.size()) return {.kind = TokenKind::end, .begin = at_, .end = at_};
  const char c = text_[at_];
  if (c == kEnd) return {.kind = TokenKind::end, .begin = at_ + 1, .end = at_ + 1};
  if (is_letter(c)) return word();
  if (is_digit(c) || c == '.') return number();
  if (c == '"') return enclosed(TokenKind::string, '"', "unterminated STRING");
  if (c == '[') return enclosed(TokenKind::instance, ']', "unterminated instance name");
  if (c == '/' && in_pattern_) return enclosed(TokenKind::pattern, '/', "unterminated pattern");
  return sign();
}

Token Scanner::word() {
  uint32_t end = at_;
  while (is_letter(at(end)) || is_digit(at(end)) || at(end) == '_' || at(end) == '.') ++end;
  const std::string_view word = text_.substr(at_, end - at_);
  TokenKind kind = TokenKind::name;
  if (is_word(word, kTags, dialect_)) kind = TokenKind::tag;
  if (at(end) == '(' && is_word(word, kFunctions, dialect_)) kind = TokenKind::function;
  if (kind == TokenKind::function && word == "matchinst") in_pattern_ = true;
  return {.kind = kind, .begin = at_, .end = end};
}

Token Scanner::number() {
  uint32_t end = at_;
  while (is_digit(at(end))) ++end;
  Token token{.kind = TokenKind::integer, .begin = at_, .end = end};
  if (at(end) == '.') {
    do {
      ++end;
    } while (is_digit(at(end)));
    token.kind = TokenKind::real;
    token.end = end;
    return token;
  }
  uint64_t value = 0;
  const auto done = std::from_chars(text_.data() + at_, text_.data() + end, value);
  if (done.ec != std::errc() || value > std::numeric_limits<uint32_t>::max()) {
    token.kind = TokenKind::bad;
    token.message = "Constant value too large";
  }
  return token;
}

// A \ hides the byte behind it, but in strings.
Token Scanner::enclosed(TokenKind kind, char closing, std::string_view unterminated) {
  const auto limit = static_cast<uint32_t>(std::min(text_.find(kEnd, at_), text_.size()));
  uint32_t end = at_ + 1;
  while (end < limit && text_[end] != closing) {
    end += kind != TokenKind::string && text_[end] == '\\' ? 2 : 1;
  }
  if (end >= limit) {
    return {.kind = TokenKind::bad, .begin = at_, .end = limit, .message = unterminated};
  }
  return {.kind = kind, .begin = at_, .end = end + 1};
}

Token Scanner::sign() {
  for (const PcpSign& sign : kSigns) {
    if (!text_.substr(at_).starts_with(sign.text)) continue;
    const auto end = at_ + static_cast<uint32_t>(sign.text.size());
    return {.kind = sign.kind, .op = sign.op, .begin = at_, .end = end};
  }
  return {.kind = TokenKind::bad, .begin = at_, .end = at_ + 1, .message = "Illegal character"};
}

}  // namespace pmjit::pcp
