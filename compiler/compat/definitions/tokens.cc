#include "compiler/compat/definitions/tokens.h"

#include <fmt/format.h>
#include <strings.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <limits>

#include "compiler/ast/words.h"
#include "runtime/base/chars.h"
#include "runtime/model/pm_codes.h"
#include "runtime/model/units.h"
#include "runtime/text/parse_units.h"

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

struct TypeWord {
  const char* text;
  int type;
};
constexpr TypeWord kTypes[] = {{"32", pm_type::i32},    {"U32", pm_type::u32},
                               {"64", pm_type::i64},    {"U64", pm_type::u64},
                               {"FLOAT", pm_type::f32}, {"DOUBLE", pm_type::f64}};
struct SemanticsWord {
  const char* text;
  Semantics semantics;
};
constexpr SemanticsWord kSemantics[] = {{"counter", Semantics::counter},
                                        {"instant", Semantics::instant},
                                        {"discrete", Semantics::discrete}};

// Cases do not count in them.
template <class Words>
auto* find_word(const Words& words, std::string_view value) {
  const std::string text(value);
  for (const auto& word : words) {
    if (strcasecmp(word.text, text.c_str()) == 0) return &word;
  }
  return static_cast<decltype(&words[0])>(nullptr);
}

// libpcp has room for so many bytes of such a message.
std::string cut(std::string message) {
  constexpr size_t kMessageMax = 255;
  if (message.size() > kMessageMax) message.resize(kMessageMax);
  return message;
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
  while (at_ < text_.size() && is_blank(text_[at_])) ++at_;
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

ExtraUnits extra_units_of(Dialect dialect) {
  return dialect == Dialect::pcp6 ? ExtraUnits::ignored : ExtraUnits::known;
}

std::string wrong_units(std::string_view units, Dialect dialect) {
  const auto parsed = parse_units(units, extra_units_of(dialect));
  return parsed ? "" : fmt::format("Illegal units: '{}'", parsed.error().what());
}

std::string wrong_pattern(const std::string& pattern) {
  const std::string error = pattern_error(pattern);
  return error.empty() ? "" : fmt::format("bad regular expression: '{}'", error);
}

std::string wrong_tag(const Spec& spec, Dialect dialect) {
  const std::string_view value = spec.value;
  if (spec.tag == "units") return wrong_units(value, dialect);
  if (spec.tag == "type" && !type_of_tag(value)) {
    return cut(fmt::format("Unrecognized value for type '{}'", value));
  }
  if (spec.tag == "semantics" && !semantics_of_tag(value)) {
    return cut(fmt::format("Unrecognized value for semantics '{}'", value));
  }
  if (spec.tag == "indom" && !indom_of_tag(value)) {
    return cut(fmt::format("Illegal indom: '{}'", value));
  }
  return {};
}

std::string wrong_real(std::span<const Spec> specs) {
  std::optional<int> type;
  for (const Spec& spec : specs) {
    if (spec.tag == "type") type = type_of_tag(spec.value);
  }
  if (!type || *type == pm_type::f32 || *type == pm_type::f64) return {};
  return fmt::format("Incompatible floating point constant and type '{}'", pm_type_text(*type));
}

std::optional<int> type_of_tag(std::string_view value) {
  const auto* word = find_word(kTypes, value);
  return word == nullptr ? std::nullopt : std::optional(word->type);
}

std::optional<Semantics> semantics_of_tag(std::string_view value) {
  const auto* word = find_word(kSemantics, value);
  return word == nullptr ? std::nullopt : std::optional(word->semantics);
}

// `null`, or D.S.
std::optional<InDomId> indom_of_tag(std::string_view value) {
  if (strcasecmp(std::string(value).c_str(), "null") == 0) return kNullId;
  return indom_from_text(value);
}

Units units_of_tag(std::string_view value, Dialect dialect) {
  const auto parsed = parse_units(value, extra_units_of(dialect));
  return parsed ? parsed->units : Units{};
}

}  // namespace pmjit::pcp
