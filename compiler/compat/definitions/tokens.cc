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
  PcpTokenKind kind;
  Operator op = Operator::none;
};
// Longer ones first.
constexpr PcpSign kSigns[] = {
    {"<=", PcpTokenKind::sign, Operator::le},
    {"==", PcpTokenKind::sign, Operator::eq},
    {">=", PcpTokenKind::sign, Operator::ge},
    {"!=", PcpTokenKind::sign, Operator::ne},
    {"&&", PcpTokenKind::sign, Operator::and_},
    {"||", PcpTokenKind::sign, Operator::or_},
    {"+", PcpTokenKind::sign, Operator::add},
    {"-", PcpTokenKind::sign, Operator::sub},
    {"*", PcpTokenKind::sign, Operator::mul},
    {"/", PcpTokenKind::sign, Operator::div},
    {"<", PcpTokenKind::sign, Operator::lt},
    {">", PcpTokenKind::sign, Operator::gt},
    {"!", PcpTokenKind::not_},
    {"=", PcpTokenKind::assign},
    {"(", PcpTokenKind::open},
    {")", PcpTokenKind::close},
    {",", PcpTokenKind::comma},
    {"?", PcpTokenKind::question},
    {":", PcpTokenKind::colon},
};

bool is_space(char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

// Whether what it is, or where it ends, is known only from the byte behind it.
bool looks_ahead(const PcpToken& token) {
  switch (token.kind) {
    case PcpTokenKind::integer:
    case PcpTokenKind::real:
    case PcpTokenKind::name:
    case PcpTokenKind::tag:
    case PcpTokenKind::assign:
    case PcpTokenKind::not_: return true;
    case PcpTokenKind::sign: return token.op == Operator::lt || token.op == Operator::gt;
    default: return false;
  }
}

template <size_t N>
bool is_word(std::string_view text, const PcpWord (&words)[N], Dialect dialect) {
  const auto* found = std::ranges::find(words, text, &PcpWord::text);
  return found != std::end(words) && (dialect != Dialect::pcp6 || !found->only_newer);
}

}  // namespace

const PcpToken& PcpScanner::peek() {
  if (!scanned_) {
    next_ = scan();
    scanned_ = true;
  }
  return next_;
}

PcpToken PcpScanner::take() {
  const PcpToken token = peek();
  scanned_ = false;
  at_ = token.end + (looks_ahead(token) && at(token.end) == kEnd ? 1 : 0);
  return token;
}

PcpToken PcpScanner::scan() {
  while (at_ < text_.size() && is_space(text_[at_])) ++at_;
  if (at_ == text_.size()) return {.kind = PcpTokenKind::end, .begin = at_, .end = at_};
  const char c = text_[at_];
  if (c == kEnd) return {.kind = PcpTokenKind::end, .begin = at_ + 1, .end = at_ + 1};
  if (is_letter(c)) return word();
  if (is_digit(c) || c == '.') return number();
  if (c == '"') return enclosed(PcpTokenKind::string, '"', "unterminated STRING");
  if (c == '[') return enclosed(PcpTokenKind::instance, ']', "unterminated instance name");
  if (c == '/' && in_pattern_) return enclosed(PcpTokenKind::pattern, '/', "unterminated pattern");
  return sign();
}

PcpToken PcpScanner::word() {
  uint32_t end = at_;
  while (is_letter(at(end)) || is_digit(at(end)) || at(end) == '_' || at(end) == '.') ++end;
  const std::string_view word = text_.substr(at_, end - at_);
  PcpTokenKind kind = PcpTokenKind::name;
  if (is_word(word, kTags, dialect_)) kind = PcpTokenKind::tag;
  if (at(end) == '(' && is_word(word, kFunctions, dialect_)) kind = PcpTokenKind::function;
  if (kind == PcpTokenKind::function && word == "matchinst") in_pattern_ = true;
  return {.kind = kind, .begin = at_, .end = end};
}

PcpToken PcpScanner::number() {
  uint32_t end = at_;
  while (is_digit(at(end))) ++end;
  PcpToken token{.kind = PcpTokenKind::integer, .begin = at_, .end = end};
  if (at(end) == '.') {
    do {
      ++end;
    } while (is_digit(at(end)));
    token.kind = PcpTokenKind::real;
    token.end = end;
    return token;
  }
  uint64_t value = 0;
  const auto done = std::from_chars(text_.data() + at_, text_.data() + end, value);
  if (done.ec != std::errc() || value > std::numeric_limits<uint32_t>::max()) {
    token.kind = PcpTokenKind::bad;
    token.message = "Constant value too large";
  }
  return token;
}

// A \ hides the byte behind it, but in strings.
PcpToken PcpScanner::enclosed(PcpTokenKind kind, char closing, std::string_view unterminated) {
  const auto limit = static_cast<uint32_t>(std::min(text_.find(kEnd, at_), text_.size()));
  uint32_t end = at_ + 1;
  while (end < limit && text_[end] != closing) {
    end += kind != PcpTokenKind::string && text_[end] == '\\' ? 2 : 1;
  }
  if (end >= limit) {
    return {.kind = PcpTokenKind::bad, .begin = at_, .end = limit, .message = unterminated};
  }
  return {.kind = kind, .begin = at_, .end = end + 1};
}

PcpToken PcpScanner::sign() {
  for (const PcpSign& sign : kSigns) {
    if (!text_.substr(at_).starts_with(sign.text)) continue;
    const auto end = at_ + static_cast<uint32_t>(sign.text.size());
    return {.kind = sign.kind, .op = sign.op, .begin = at_, .end = end};
  }
  return {.kind = PcpTokenKind::bad, .begin = at_, .end = at_ + 1, .message = "Illegal character"};
}

}  // namespace pmjit::pcp
