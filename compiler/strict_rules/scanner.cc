#include "compiler/strict_rules/scanner.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>

#include "compiler/compat/pmie/settings.h"
#include "compiler/compat/pmie/words.h"
#include "runtime/base/chars.h"
#include "runtime/base/near.h"

namespace pmjit::strict {

namespace {

using pmie::RuleToken;

constexpr size_t kTextMax = 254;              // characters of a name or a text that pmie keeps
constexpr std::string_view kKnown = "known";  // a word more than pmie has; it binds as `instant`

bool is_name_part(char c) { return is_letter(c) || is_digit(c) || c == '.' || c == '_'; }

// Is a text macro a text here, or a name?
bool wants_text(const std::vector<pmie::ScannedToken>& before) {
  if (before.empty()) return false;
  switch (before.back().kind) {
    case RuleToken::VERB:
    case RuleToken::TEXT:
    case RuleToken::MATCH:
    case RuleToken::UNIT: return true;
    default: return false;
  }
}

// No name of a metric does.
bool begins_as_number(std::string_view text) {
  const size_t begin = std::min(text.find_first_not_of("- "), text.size());
  return begin < text.size() && is_digit(text[begin]);
}

// Of a host or an instance.
bool wants_name(const std::vector<pmie::ScannedToken>& before) {
  return !before.empty() &&
         (before.back().kind == RuleToken::COLON || before.back().kind == RuleToken::HASH);
}

// What a slash stands before is known when the next token is.
void find_unit_slashes(std::vector<pmie::ScannedToken>& tokens) {
  for (size_t i = 1; i + 1 < tokens.size(); ++i) {
    const bool after_number =
        tokens[i - 1].kind == RuleToken::NUMBER || tokens[i - 1].kind == RuleToken::UNIT;
    if (tokens[i].kind == RuleToken::DIVIDED && after_number &&
        tokens[i + 1].kind == RuleToken::UNIT) {
      tokens[i].kind = RuleToken::UNIT_SLASH;
    }
  }
}

struct AlertWord {
  std::string_view text;
  RuleToken token;
};
// Words only in an alert. Source: spec alerting.md §3.1.
constexpr AlertWord kAlertWords[] = {
    {"info", RuleToken::SEVERITY},     {"warning", RuleToken::SEVERITY},
    {"critical", RuleToken::SEVERITY}, {"until", RuleToken::UNTIL},
    {"for", RuleToken::FOR},           {"keep", RuleToken::KEEP},
    {"stale", RuleToken::STALE},       {"gone", RuleToken::GONE},
    {"resolves", RuleToken::RESOLVES}, {"label", RuleToken::LABEL},
    {"note", RuleToken::NOTE},
};

// May a name stand behind it that is a word elsewhere?
bool takes_any_name(RuleToken before) {
  return before == RuleToken::HASH || before == RuleToken::COLON || before == RuleToken::LABEL ||
         before == RuleToken::NOTE;
}

}  // namespace

// `alert` is a word only directly behind `NAME =`, and the others only then. In quotes they are
// names.
void StrictScanner::find_alert_words(ScannedWords& words) const {
  std::vector<pmie::ScannedToken>& tokens = words.tokens;
  const auto is_bare = [&](size_t i) {
    return tokens[i].kind == RuleToken::NAME && is_letter(text_[words.spans[i].begin]);
  };
  const bool is_alert = tokens.size() > 3 && tokens[0].kind == RuleToken::NAME &&
                        tokens[1].kind == RuleToken::BECOMES && is_bare(2) &&
                        tokens[2].text == "alert";
  if (!is_alert) return;
  tokens[2].kind = RuleToken::ALERT;
  for (size_t i = 3; i < tokens.size(); ++i) {
    const RuleToken before = tokens[i - 1].kind;
    const bool wants_text =
        tokens[i - 2].kind == RuleToken::LABEL || tokens[i - 2].kind == RuleToken::NOTE;
    if (wants_text && words.macros[i] != nullptr && words.macros[i]->is_text()) {
      tokens[i].kind = RuleToken::TEXT;
    }
    if (!is_bare(i) || takes_any_name(before)) continue;
    const auto* const word = std::ranges::find(kAlertWords, tokens[i].text, &AlertWord::text);
    if (word != std::end(kAlertWords)) tokens[i].kind = word->token;
  }
}

void StrictScanner::skip_blanks() {
  while (at_ < text_.size()) {
    if (is_blank(peek())) {
      ++at_;
    } else if (peek() == '/' && peek(1) == '/') {
      at_ = std::min(text_.find('\n', at_), text_.size());
    } else if (peek() == '/' && peek(1) == '*') {
      const size_t end = text_.find("*/", at_ + 2);
      if (end == std::string_view::npos) {
        diags_
            .add(DiagCode::P_Unterminated, {static_cast<uint32_t>(at_), from(at_).begin + 2},
                 "comment")
            .help("write */ where it ends; a comment of one line begins with //");
      }
      at_ = end == std::string_view::npos ? text_.size() : end + 2;
    } else {
      return;
    }
  }
}

bool StrictScanner::at_end() {
  skip_blanks();
  return at_ == text_.size();
}

ScannedWords StrictScanner::statement() {
  ScannedWords words;
  do {
    skip_blanks();
    scan(words);
  } while (words.tokens.back().kind != RuleToken::END);
  find_unit_slashes(words.tokens);
  find_alert_words(words);
  pmie::classify_in_context(words.tokens);
  const pmie::ScannedToken& first = words.tokens.front();
  if (first.kind == RuleToken::TARGET && find_clock_variable(first.text) != nullptr) {
    diags_.add(DiagCode::P_Syntax, words.spans.front(), first.text + " cannot be given a value")
        .help("two values are compared by ==");
  }
  return words;
}

void StrictScanner::scan(ScannedWords& words) {
  const size_t begin = at_;
  pmie::ScannedToken token;
  words.macros.push_back(nullptr);
  const char c = peek();
  if (at_ == text_.size()) {
    token.kind = RuleToken::END;
  } else if (c == ';' || c == '}') {
    ++at_;
    token.kind = RuleToken::END;
  } else if (is_digit(c) || (c == '.' && is_digit(peek(1)))) {
    scan_number(token);
  } else if (c == '"') {
    scan_text(token);
  } else if (c == '$') {
    scan_macro(token, words);
  } else if (is_letter(c) || c == '%' || c == '\'') {
    scan_name(token);
  } else {
    scan_sign(token);
  }
  words.tokens.push_back(std::move(token));
  words.spans.push_back(from(begin));
}

void StrictScanner::scan_number(pmie::ScannedToken& token) {
  const size_t begin = at_;
  while (is_digit(peek())) ++at_;
  if (peek() == '.' && peek(1) != '.') {
    ++at_;
    while (is_digit(peek())) ++at_;
  }
  if ((peek() == 'e' || peek() == 'E') && (is_digit(peek(1)) || peek(1) == '-')) {
    at_ += 2;
    while (is_digit(peek())) ++at_;
  } else if ((peek() == 'e' || peek() == 'E') && peek(1) == '+') {
    diags_.add(DiagCode::D_Exponent, from(begin)).help("leave out the +");
    at_ += 2;
    while (is_digit(peek())) ++at_;
  }
  token.kind = RuleToken::NUMBER;
  token.text = text_.substr(begin, at_ - begin);
  std::from_chars(token.text.data(), token.text.data() + token.text.size(), token.number);
  if (peek() == '-' && peek(1) != '>') {
    diags_.add(DiagCode::D_MinusSwallowed, {static_cast<uint32_t>(at_), from(begin).end + 1})
        .help(begin > 0 && text_[begin - 1] == '@'
                  ? "samples from 0 to 4 are written @0..4"
                  : fmt::format("write {} - …, with blanks", token.text));
  }
}

// Up to `closing`, which is taken; the opening one is, too.
std::string StrictScanner::quoted(char closing, std::string_view what, bool with_macros) {
  static constexpr std::string_view kEscapes = "ntvbrfa", kMeant = "\n\t\v\b\r\f\a";
  const size_t begin = at_ - 1;
  std::string out;
  while (at_ < text_.size() && peek() != closing) {
    char c = text_[at_++];
    if (c == '$' && with_macros) {
      out += text_of_macro();
      continue;
    }
    if (c == '\\' && at_ < text_.size()) {
      c = text_[at_++];
      const size_t escape = closing == '"' ? kEscapes.find(c) : kEscapes.npos;
      if (escape != kEscapes.npos) c = kMeant[escape];
    }
    out += c;
  }
  if (at_ == text_.size()) {
    diags_.add(DiagCode::P_Unterminated, from(begin), what);
  } else {
    ++at_;
  }
  if (out.size() > kTextMax) diags_.add(DiagCode::D_TextCut, from(begin));
  return out;
}

void StrictScanner::scan_name(pmie::ScannedToken& token) {
  token.kind = RuleToken::NAME;
  const size_t begin = at_++;
  if (text_[begin] == '\'') {
    token.text = quoted('\'', "name", false);
    if (find_clock_variable(token.text) == nullptr) return;
    diags_.add(DiagCode::P_Syntax, from(begin), token.text + " is no name")
        .help("write it without quotes");
    return;
  }
  while (is_name_part(peek())) ++at_;
  token.text = text_.substr(begin, at_ - begin);
  if (token.text.size() > kTextMax) diags_.add(DiagCode::D_TextCut, from(begin));
  pmie::classify_word(token.text, token);
  if (token.kind == RuleToken::NAME && token.text == kKnown) token.kind = RuleToken::INSTANT;
}

void StrictScanner::scan_text(pmie::ScannedToken& token) {
  token.kind = RuleToken::TEXT;
  ++at_;
  token.text = quoted('"', "text", true);
}

const StrictMacro* StrictScanner::reference() {
  const size_t begin = at_ - 1;
  std::string name;
  if (peek() == '\'') {
    ++at_;
    name = quoted('\'', "name of a macro", false);
  } else {
    const size_t first = at_;
    while (is_letter(peek()) || (at_ > first && (is_digit(peek()) || peek() == '_'))) ++at_;
    name = text_.substr(first, at_ - first);
  }
  const auto found = macros_.find(name);
  if (found != macros_.end()) {
    found->second.used = true;
    return &found->second;
  }
  if (name == pmie::name_of(pmie::Variable::month)) {
    diags_.add(DiagCode::D_MonthFromZero, from(begin));
  } else {
    add_no_macro(from(begin), name);
  }
  return nullptr;
}

void StrictScanner::add_no_macro(Span where, const std::string& name) {
  Diag& diag = diags_.add(DiagCode::R_NoMacro, where, name);
  if (name.empty()) {
    diag.help("a $ without a macro is written \\$");
    return;
  }
  // As in templates of Prometheus: {{ $labels.instance }}.
  if (name == "labels" || name == "value") {
    diag.help("texts have %i for the instance, %v for the value and %h for the host");
    return;
  }
  std::vector<std::string> names;
  if (offers_left_ > 0) {
    --offers_left_;
    for (const auto& [known, macro] : macros_) names.push_back(known);
  }
  std::vector<std::string> near = near_names(name, names);
  for (std::string& one : near) one.insert(0, "$");
  if (!near.empty()) diag.label(where, near_names_text(near));
  if (near.empty()) diag.help("macros are defined before they are used: name = 5 count;");
}

// limit = "5 Mbyte", which pmie would scan again.
void StrictScanner::refuse_as_number(size_t begin, const StrictMacro& macro) {
  const std::string written(text_.substr(begin, at_ - begin));
  Diag& diag = diags_.add(DiagCode::P_Syntax, from(begin), "");
  diag.message = fmt::format("{} is a text, and a number is needed here", written);
  diag.label(macro.span, "defined here")
      .help(fmt::format("write the number there without quotes: {}", macro.text));
}

// pmie does so, too.
void StrictScanner::refuse_as_text(size_t begin, const StrictMacro& macro) {
  const std::string written(text_.substr(begin, at_ - begin));
  Diag& diag = diags_.add(DiagCode::P_Syntax, from(begin), fmt::format("{} is no text", written));
  if (macro.clock != nullptr) return;
  diag.label(macro.span, "defined here").help("a macro in a text is defined as one: name = \"5\";");
}

std::string StrictScanner::text_of_macro() {
  const size_t begin = at_ - 1;
  const StrictMacro* const macro = reference();
  if (macro == nullptr) return {};
  if (!macro->is_text()) refuse_as_text(begin, *macro);
  return macro->text;
}

void StrictScanner::scan_macro(pmie::ScannedToken& token, ScannedWords& words) {
  const size_t begin = at_++;
  const StrictMacro* const macro = reference();
  words.macros.back() = macro;
  token.kind = RuleToken::MACRO;
  if (macro == nullptr || macro->number) return;
  const bool wanted = wants_text(words.tokens);
  token.kind = wanted ? RuleToken::TEXT : RuleToken::NAME;
  token.text = macro->text;
  const bool named = wanted || wants_name(words.tokens);
  if (macro->clock == nullptr) {
    // Behind a name it may be the text of a label.
    const bool operand = words.tokens.empty() || words.tokens.back().kind != RuleToken::NAME;
    if (!named && operand && begins_as_number(macro->text)) refuse_as_number(begin, *macro);
    return;
  }
  if (named) refuse_as_text(begin, *macro);
  token.text = macro->clock->operand;
}

void StrictScanner::scan_sign(pmie::ScannedToken& token) {
  if (peek() == '/') {
    ++at_;
    token.kind = RuleToken::DIVIDED;
    token.op = pmie::PmieOp::divide;
    return;
  }
  for (const size_t length : {size_t{2}, size_t{1}}) {
    const pmie::Sign* const sign = pmie::find_sign(text_.substr(at_, length));
    if (sign == nullptr) continue;
    at_ += length;
    token.kind = sign->token;
    token.op = sign->op;
    return;
  }
  diags_.add(DiagCode::P_IllegalCharacter, {static_cast<uint32_t>(at_), from(at_).end + 1},
             std::string(1, peek()));
  ++at_;
  token.kind = RuleToken::ILLEGAL;
}

}  // namespace pmjit::strict
