// What is checked on the tokens, before anything recurses over them: bytes that belong to no token,
// texts without an end, and the depth of the parser's recursion, counted exactly as the parser will
// recurse.
#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "compiler/ast/percent.h"
#include "compiler/ast/words.h"
#include "compiler/parse/stages.h"
#include "runtime/base/blanks.h"
#include "runtime/base/chars.h"
#include "runtime/base/limits.h"

namespace pmjit::parse {
namespace {

// The bytes of one character: a whole UTF-8 sequence where there is one.
Span character_at(const ExpressionText& text, uint32_t begin) {
  const std::string_view rest = text.text.substr(begin - text.base);
  const auto byte = static_cast<unsigned char>(rest[0]);
  size_t length = byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : byte >= 0xC2 ? 2 : 1;
  for (size_t i = 1; i < length; ++i)
    if (i >= rest.size() || (rest[i] & 0xC0) != 0x80) length = 1;
  return {begin, begin + static_cast<uint32_t>(length)};
}

std::string character_text(std::string_view bytes) {
  const auto byte = static_cast<unsigned char>(bytes[0]);
  if (bytes.size() == 1 && (byte < 0x20 || byte >= 0x7F)) return fmt::format("0x{:02x}", byte);
  if (const OtherBlank* const blank = other_blank(bytes)) return std::string(blank->name);
  return fmt::format("'{}'", bytes);
}

std::string way_out(std::string_view character) {
  if (character == "&") return "write && for \"and\"";
  if (character == "|") return "write || for \"or\"";
  if (character == "]" || character == "{")
    return "write an instance in brackets after a metric: name[instance]";
  if (character == "\\")
    return "\\ has no meaning here: write the expression on one line, without it";
  if (character == "#") return "a comment is a line of its own, with # in the first column";
  if (character == ";") return "nothing ends an expression: leave out the ;";
  if (character == "%") return "there is no remainder; for a percentage multiply by 100";
  if (character == "@") return "only rules choose samples; delta() and rate() look back";
  if (character == "^") return "there are no powers; multiply";
  if (character == "“" || character == "”" || character == "‘" || character == "’")
    return "use straight quotes: \" or '";
  if (const OtherBlank* const blank = other_blank(character))
    return fmt::format("this is {}, and no blank: delete it, and type a blank", blank->name);
  if (character == "µ" || character == "μ") return "write u for µ: usec";
  if (character == "−" || character == "–") return "use the plain minus sign: -";
  if (character == "×") return "use * to multiply";
  if (character == "≤") return "write <=";
  if (character == "≥") return "write >=";
  if (character == "≠") return "write !=";
  return "";
}

// disk.dev.read{device="vda"}, as PromQL selects.
std::string braces_meant(const ExpressionText& text, Span span) {
  const std::string_view before = text.text.substr(0, span.begin - text.base);
  std::string_view inside = text.text.substr(span.end - text.base);
  inside = inside.substr(0, inside.find('}'));
  size_t begin = before.size();
  while (begin > 0 && (is_letter(before[begin - 1]) || is_digit(before[begin - 1]) ||
                       before[begin - 1] == '.' || before[begin - 1] == '_')) {
    --begin;
  }
  const std::string_view name = before.substr(begin);
  const size_t sign = inside.find_first_of("=!"), open = inside.find('"');
  const size_t close = open == inside.npos ? open : inside.find('"', open + 1);
  if (name.empty() || sign == inside.npos || close == inside.npos || sign > open) {
    return way_out("{");
  }
  const std::string_view label = without_blanks(inside.substr(0, sign));
  const std::string_view value = inside.substr(open + 1, close - open - 1);
  const std::string_view relation = without_blanks(inside.substr(sign, open - sign));
  if (label == "host" || label == "hostname" || label == "job" || label == "nodename") {
    return "hosts are chosen by -h HOST, or by -a ARCHIVE";
  }
  if (relation == "=") return fmt::format("write an instance in brackets: {}[{}]", name, value);
  if (relation == "=~") return fmt::format("write matchinst(/^({})$/, {})", value, name);
  return fmt::format("write matchinst(!/^({})$/, {})", value, name);
}

// filesys.full > 95 %, and no remainder: x % 2
std::string percent_meant(const ExpressionText& text, Span span) {
  const std::string_view before = without_blanks(text.text.substr(0, span.begin - text.base));
  const std::string_view behind = without_blanks(text.text.substr(span.end - text.base));
  const size_t number = before.find_last_not_of("0123456789.") + 1;  // npos + 1 is 0
  const bool ends = behind.empty() || std::string_view(")<>=!&|?:,+-*/").contains(behind.front());
  if (number == before.size() || !ends) return way_out("%");
  return percent_help(before.substr(0, number), before.substr(number));
}

// disk.dev.read # a comment, disk.dev.read #'sda'
std::string hash_meant(const ExpressionText& text, uint32_t behind) {
  const std::string_view rest = text.text.substr(behind - text.base);
  const bool comment = rest.empty() || is_blank(rest[0]);
  return comment ? way_out("#") : "write an instance in brackets after a metric: name[instance]";
}

void report_illegal(const ExpressionText& text, Span span, Diags& diags) {
  const std::string_view bytes = text.of(span);
  Diag& diag = diags.add(DiagCode::P_IllegalCharacter, span, character_text(bytes));
  std::string help = way_out(bytes);
  if (bytes == "#" && span.begin > text.base) help = hash_meant(text, span.end);
  if (bytes == "%") help = percent_meant(text, span);
  if (bytes == "{") help = braces_meant(text, span);
  if (!help.empty()) diag.help(help);
}

// The OPEN_… token runs to the end of the text; the place is where it opens.
void report_open(const ExpressionText& text, const Token& token, Diags& diags) {
  Span at{token.span.begin, token.span.begin + 1};
  std::string_view what, closing;
  switch (token.kind) {
    case TokenKind::open_pattern: {
      const auto slash = static_cast<uint32_t>(text.of(token.span).find('/'));
      at = {token.span.begin + slash, token.span.begin + slash + 1};
      what = "pattern", closing = "a pattern ends with /; a / inside of it is written \\/";
      break;
    }
    case TokenKind::open_quoted: what = "quoted name", closing = "a quoted name ends with '"; break;
    case TokenKind::open_instance:
      what = "instance name",
      closing = "an instance name ends with ]; a ] inside of it is written \\]";
      break;
    default: what = "string", closing = "a string ends with \""; break;
  }
  diags.add(DiagCode::P_Unterminated, at, what).help(std::string(closing));
}

bool check_characters(const ExpressionText& text, const std::vector<Token>& tokens, Diags& diags) {
  if (const size_t nul = text.text.find('\0'); nul != text.text.npos) {
    const uint32_t at = text.base + static_cast<uint32_t>(nul);
    report_illegal(text, {at, at + 1}, diags);
    return false;
  }
  for (const Token& token : tokens) {
    const bool open = token.kind >= TokenKind::open_pattern && token.kind <= TokenKind::open_string;
    if (token.kind == TokenKind::illegal)
      report_illegal(text, character_at(text, token.span.begin), diags);
    else if (open)
      report_open(text, token, diags);
    else
      continue;
    return false;
  }
  return true;
}

bool ends_operand(TokenKind kind) {
  switch (kind) {
    case TokenKind::name:
    case TokenKind::quoted:
    case TokenKind::number:
    case TokenKind::parameter:
    case TokenKind::string:
    case TokenKind::instance:
    case TokenKind::close: return true;
    default: return false;
  }
}

// Calls of the parser's rule `expr` that are open at a time. An operator's right operand is a call
// that ends at the next operator that binds no tighter; what follows a ? stays inside of it to the
// end of the parentheses; prefix signs end with their operand.
class Depth {
 public:
  uint32_t after(TokenKind kind) {
    const bool operand_ended = ends_operand(last_);
    last_ = kind;
    switch (kind) {
      case TokenKind::open:
      case TokenKind::matchinst: push(); break;
      case TokenKind::close: pop(); break;
      case TokenKind::comma: top() = {}; break;
      case TokenKind::question: top().binary = 0, top().prefixes = 0, ++top().ternaries; break;
      case TokenKind::colon: top().binary = 0, top().prefixes = 0; break;
      case TokenKind::not_: ++top().prefixes; break;
      case TokenKind::minus:
        if (operand_ended)
          binary(kSum);
        else
          ++top().prefixes;
        break;
      case TokenKind::plus: binary(kSum); break;
      case TokenKind::product: binary(kProduct); break;
      case TokenKind::relation: binary(kRelation); break;
      case TokenKind::and_: binary(kAnd); break;
      case TokenKind::or_: binary(kOr); break;
      default: break;
    }
    return below_ + own();
  }

 private:
  enum : uint32_t { kOr = 1, kAnd = 2, kRelation = 4, kSum = 8, kProduct = 16 };
  struct Level {
    uint32_t binary = 0, prefixes = 0, ternaries = 0;
  };

  Level& top() { return levels_.back(); }
  uint32_t own() {
    return static_cast<uint32_t>(std::popcount(top().binary)) + top().prefixes + top().ternaries;
  }
  void binary(uint32_t sign) {
    top().binary = (top().binary & (sign - 1)) | sign;
    top().prefixes = 0;
  }
  void push() {
    below_ += own() + 1;
    levels_.push_back({});
  }
  void pop() {
    if (levels_.size() == 1) return;  // a syntax error, reported by the parser
    levels_.pop_back();
    below_ -= own() + 1;
  }

  std::vector<Level> levels_{1};
  uint32_t below_ = 0;
  TokenKind last_ = TokenKind::end;
};

}  // namespace

bool check_tokens(const ExpressionText& text, const std::vector<Token>& tokens, Diags& diags) {
  if (!check_characters(text, tokens, diags)) return false;
  Depth depth;
  for (const Token& token : tokens) {
    if (depth.after(token.kind) <= limits::kNestingMax) continue;
    diags.add(DiagCode::P_TooDeep, token.span, fmt::to_string(limits::kNestingMax))
        .help("define parts of it as metrics of their own");
    return false;
  }
  if (tokens.back().kind == TokenKind::end) return true;
  diags.add(DiagCode::P_TooManyTokens, tokens.back().span, fmt::to_string(kTokensMax))
      .help("define parts of it as metrics of their own");
  return false;
}

}  // namespace pmjit::parse
