#include "compiler/compat/pmie/scanner.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "compiler/compat/pmie/words.h"
#include "runtime/base/limits.h"

namespace pmjit::pmie {
namespace {

bool is_blank(int c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
bool is_digit(int c) { return c >= '0' && c <= '9'; }
bool is_letter(int c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_name_start(int c) { return is_letter(c) || c == '%' || c == '\''; }
bool is_name_part(int c) { return is_letter(c) || is_digit(c) || c == '.' || c == '_'; }

// Is a text read as one name, whatever stands around it?
bool is_plain_name(std::string_view text) {
  ScannedToken word;
  word.kind = RuleToken::NAME;
  if (text.empty() || !is_letter(text.front())) return false;
  if (!std::ranges::all_of(text, is_name_part)) return false;
  classify_word(text, word);
  return word.kind == RuleToken::NAME;
}

// What stands of a number that strtod() read up to `end`.
uint8_t traps_of(const std::string& digits, const char* end, int next, double value) {
  const std::string_view lost =
      std::string_view(digits).substr(static_cast<size_t>(end - digits.c_str()));
  if (lost.find('-') != lost.npos) return trap::minus_swallowed;
  if (!lost.empty() && next == '+') return trap::exponent_lost;
  if (!std::ranges::all_of(digits, is_digit)) return trap::none;
  constexpr double kExact = 9007199254740992;           // 2^53
  constexpr double kTooLarge = 18446744073709551616.0;  // 2^64: no whole number of strict
  if (value >= kTooLarge) return trap::number_rounded;
  const bool exact = value < kExact || fmt::format("{:.0f}", value) == digits;
  return exact ? trap::none : trap::number_rounded;
}

// Behind a backslash the end of the file is a character to pmie.
constexpr int kEndEscaped = 0xff;

// What a macro may bring into a name or a text without being read as more than characters.
bool is_literal_in_quotes(int c) { return c != '\'' && c != '\\' && c != '$'; }
bool is_literal_in_text(int c) { return c != '"' && c != '\\' && c != '$'; }

}  // namespace

void PmieScanner::open(std::string_view text, std::string_view name) {
  inputs_.clear();
  discarded_.reset();
  inputs_.push_back({.text = std::make_shared<const std::string>(text), .name = std::string(name)});
}

// Macros end when the character after them is asked for, not before: locations depend on it.
int PmieScanner::peek() {
  while (inputs_.size() > 1 && inputs_.back().at >= inputs_.back().text->size()) {
    inputs_.pop_back();
  }
  if (inputs_.empty()) return kEnd;
  inputs_.back().peeked = true;
  if (inputs_.back().at >= inputs_.back().text->size()) return kEnd;
  return static_cast<unsigned char>((*inputs_.back().text)[inputs_.back().at]);
}

int PmieScanner::get() {
  const int c = peek();
  if (c == kEnd) return c;
  ++inputs_.back().at;
  inputs_.back().peeked = false;
  if (c == '\n') ++inputs_.back().line;
  return c;
}

bool PmieScanner::at_end() const {
  return std::ranges::all_of(inputs_, [](const Input& in) { return in.at >= in.text->size(); });
}

void PmieScanner::push(Input input) {
  input.again = !input.is_macro;
  if (inputs_.size() > 1) input.from = inputs_[1].from;
  inputs_.push_back(std::move(input));
}

uint32_t PmieScanner::place() const {
  return inputs_.size() == 1 ? static_cast<uint32_t>(inputs_.front().at) : inputs_[1].from;
}

void PmieScanner::skip_blanks() {
  while (is_blank(peek())) (void)get();
}

void PmieScanner::skip_all() {
  discarded_ = place();
  inputs_.resize(1);
  inputs_.front().at = inputs_.front().text->size();
}

void PmieScanner::skip_statement() {
  while (peek() != kEnd && peek() != ';') (void)get();
}

void PmieScanner::end_statement() {
  if (get() != kEnd) scan_terminator();
}

std::vector<ScannedToken> PmieScanner::statement() {
  std::vector<ScannedToken> tokens;
  expanded_ = 0;
  do {
    ScannedToken& token = tokens.emplace_back();
    scan(token);
    token.after = inputs_;
    if (token.span.end == 0) token.span.end = static_cast<uint32_t>(inputs_.front().at);
    token.line = 1;
    for (const Input& input : inputs_)
      if (!input.again) token.line = input.line;
  } while (tokens.back().kind != RuleToken::END);
  classify_in_context(tokens);
  return tokens;
}

std::string PmieScanner::location(Inputs inputs, std::string_view severity) const {
  while (inputs.size() > 1 && inputs.back().again) inputs.pop_back();
  Input& file = inputs.front();
  const std::string file_text = file.name.empty() ? "standard input" : "file " + file.name;
  const std::string head = fmt::format("{}: {} - ", program_, severity);
  if (inputs.size() == 1 && file.peeked && file.at >= file.text->size())
    return head + "at end of file\n";
  Input& top = inputs.back();
  if (top.peeked && top.at < top.text->size() && (*top.text)[top.at] == '\n') ++top.line;
  if (!top.is_macro) return fmt::format("{}near line {} of {}\n", head, file.line, file_text);
  return fmt::format("{}near line {} of macro ${} called from {}\n", head, top.line, top.name,
                     file_text);
}

void PmieScanner::scan(ScannedToken& token) {
  for (;;) {
    // What is no ASCII and was looked at before it is read is no character to pmie, but an end.
    if (inputs_.back().peeked && peek() >= 0x80) return (void)get();
    skip_blanks();
    token.span.begin = place();
    const int c = get();
    if (c == kEnd) return;
    if (c == ';' || c == '}') {
      token.span.end = token.span.begin + 1;
      return scan_terminator();
    }
    if (c == '/' && comment_behind_slash()) {
      (void)skip_comment();
      continue;
    }
    if (c == '$') {
      std::string name;
      const PmieMacro* macro = reference(token, name);
      if (macro == nullptr) {
        token.span.end = static_cast<uint32_t>(inputs_.front().at);
        return cut(token);
      }
      if (macro->sem == Sem::text) {
        if (!is_plain_name(macro->text)) token.traps |= trap::macro_scanned;
        if (!expand(*macro, name, token)) return cut(token);
        continue;
      }
      token.kind = RuleToken::MACRO;
      token.macro = *macro;
      return;
    }
    if (is_digit(c) || (c == '.' && is_digit(peek()))) return scan_number(c, token);
    if (c == '.' && peek() != '.') return scan_point(token);
    if (c == '"') {
      if (!scan_text(token)) cut(token);
      return;
    }
    if (is_name_start(c)) {
      std::string name;
      bool quoted = false;
      if (scan_name(c, token, name, quoted)) {
        token.text = name;
        token.kind = RuleToken::NAME;
        if (!quoted) classify_word(name, token);
      } else {
        cut(token);
      }
      return;
    }
    return scan_sign(c, token);
  }
}

// To pmie a point that begins nothing is the sign that follows it, which comes once more then: a
// `"` begins a text, and ends it.
void PmieScanner::scan_point(ScannedToken& token) {
  const int next = peek();
  if (next == kEnd) return;
  if (next == ';' || next == '}') return scan_terminator();
  if (next == '"') return (void)scan_text(token);
  if (next != '$') return scan_sign(next, token);
  std::string name;
  (void)reference(token, name);  // there is none that begins so
  cut(token);
}

// A macro could not be read: the rest of the statement is nobody's.
void PmieScanner::cut(ScannedToken& token) {
  token.kind = RuleToken::END;
  skip_statement();
}

// The `.` that ends everything: spec §2, Q5.
void PmieScanner::scan_terminator() {
  skip_blanks();
  if (peek() == '.') skip_all();
}

bool PmieScanner::comment_next() {
  if (peek() != '/') return false;
  const Input& input = inputs_.back();
  const char next = input.at + 1 < input.text->size() ? (*input.text)[input.at + 1] : ' ';
  return next == '/' || next == '*';
}

bool PmieScanner::comment_behind_slash() { return peek() == '/' || peek() == '*'; }

// Its first character has been read; its last one.
int PmieScanner::skip_comment() {
  int c = get();
  if (c == '/') {
    while (c != kEnd && c != '\n') c = get();
    return c;
  }
  for (c = get(); c != kEnd; c = get())
    if (c == '*' && peek() == '/') return get();
  return c;
}

// The value is that of the longest start of the collected text that is a number: `5-3` is 5.
void PmieScanner::scan_number(int first, ScannedToken& token) {
  std::string digits;
  bool point = first == '.', exponent = false, minus = false;
  if (point) digits = "0.";
  int c = point ? get() : first;
  for (;;) {
    digits += static_cast<char>(c);
    if (!point && peek() == '.') {
      const Inputs before = inputs_;
      (void)get();
      if (peek() == '.') {
        inputs_ = before;
        break;
      }
      point = true;
      digits += '.';
    }
    if (!exponent && (peek() == 'e' || peek() == 'E')) {
      exponent = true;
      digits += static_cast<char>(get());
    }
    if (!minus && peek() == '-') {
      minus = true;
      digits += static_cast<char>(get());
    }
    if (!is_digit(peek())) break;
    c = get();
  }
  token.kind = RuleToken::NUMBER;
  char* end = nullptr;
  token.number = std::strtod(digits.c_str(), &end);
  token.traps |= traps_of(digits, end, peek(), token.number);
}

// `is_literal`: there. The first character always is.
bool PmieScanner::embed(ScannedToken& token, bool (*is_literal)(int)) {
  std::string name;
  const PmieMacro* macro = reference(token, name);
  if (macro == nullptr) return false;
  if (macro->sem != Sem::text) {
    token.notes.push_back({location(inputs_, "syntax error") +
                               fmt::format("macro ${} not string valued as expected\n", name),
                           true});
    return false;
  }
  const std::string_view text = macro->text;
  if (!std::ranges::all_of(text.substr(text.empty() ? 0 : 1), is_literal)) {
    token.traps |= trap::macro_scanned;
  }
  return expand(*macro, name, token);
}

bool PmieScanner::expand(const PmieMacro& macro, const std::string& name, ScannedToken& token) {
  if (++expanded_ > limits::kRuleMacrosMax) {
    token.notes.push_back(
        {location(inputs_, "syntax error") +
             fmt::format("macro ${}: more than {} macros in a statement; does one name itself?\n",
                         name, limits::kRuleMacrosMax),
         true});
    return false;
  }
  push({.text = std::make_shared<const std::string>(macro.text),
        .name = name,
        .is_macro = true,
        .from = token.span.begin});
  return true;
}

bool PmieScanner::scan_name(int first, ScannedToken& token, std::string& name, bool& quoted) {
  quoted = first == '\'';
  if (!quoted) name += static_cast<char>(first);
  while (name.size() < kTextMax) {
    int c = peek();
    if (quoted ? (c == '\'' && !name.empty()) || c == kEnd
               : !is_name_part(c) && c != '\\' && c != '$') {
      if (c == '\'' && quoted) (void)get(), (void)peek();
      return true;
    }
    (void)get();
    if (c == '\\') {
      c = get();
      if (c == kEnd && !quoted) c = kEndEscaped;
    } else if (c == '$') {
      if (!embed(token, quoted ? is_literal_in_quotes : is_name_part)) return false;
      continue;
    }
    if (c == kEnd) return true;
    name += static_cast<char>(c);
  }
  token.traps |= trap::cut;
  return true;
}

bool PmieScanner::scan_text(ScannedToken& token) {
  static constexpr std::string_view kEscapes = "ntvbrfa", kMeant = "\n\t\v\b\r\f\a";
  token.kind = RuleToken::TEXT;
  for (int c = get(); c != kEnd && c != '"'; c = get()) {
    if (token.text.size() == kTextMax) {
      token.traps |= trap::cut;
      return true;  // this character is lost, too
    }
    if (c == '\\') {
      c = get();
      if (c == kEnd) c = kEndEscaped;
      const size_t escape = kEscapes.find(static_cast<char>(c));
      if (escape != kEscapes.npos) c = kMeant[escape];
    } else if (c == '$') {
      if (!embed(token, is_literal_in_text)) return false;
      c = get();
    }
    if (c == kEnd) break;
    token.text += static_cast<char>(c);
  }
  return true;
}

const PmieMacro* PmieScanner::reference(ScannedToken& token, std::string& name) {
  const bool quoted = peek() == '\'';
  if (quoted) (void)get();
  if (!is_letter(peek())) {
    // The end, too, is said as the character that it is to pmie.
    const char c = static_cast<char>(get());
    token.notes.push_back(
        {fmt::format("macro name must begin with an alphabetic (not '{}')\n", c)});
    return nullptr;
  }
  while (name.size() < kTextMax) {
    const int c = peek();
    if (quoted ? (c == '\'' && !name.empty()) || c == kEnd
               : !is_letter(c) && !is_digit(c) && c != '_')
      break;
    name += static_cast<char>(get());
  }
  if (peek() == kEnd) {
    token.notes.push_back({fmt::format("unexpected end of file in macro name: ${}\n", name)});
    return nullptr;
  }
  if (quoted && peek() == '\'') (void)get();
  const PmieMacro* macro = macros_.find(name);
  if (macro == nullptr) token.notes.push_back({fmt::format("undefined macro name ${}\n", name)});
  if (macro != nullptr) token.used.push_back(name);
  return macro;
}

// A slash that stands behind another one, and behind blanks, and begins no comment: to pmie it and
// what follows it have changed places.
void PmieScanner::swap_next_two() {
  Input& input = inputs_.back();
  if (input.at + 1 >= input.text->size()) return;
  std::string swapped = *input.text;
  std::swap(swapped[input.at], swapped[input.at + 1]);
  input.text = std::make_shared<const std::string>(std::move(swapped));
}

// Before a unit it is another token. What was looked at is read again as bare text. Where the file
// ends directly behind it, or behind a comment, it is lost to the end.
void PmieScanner::scan_slash(ScannedToken& token) {
  if (inputs_.size() == 1) token.span.end = static_cast<uint32_t>(inputs_.front().at);
  bool at_blank = is_blank(peek());
  skip_blanks();
  while (comment_next()) {
    (void)get();
    at_blank = skip_comment() == '\n' || is_blank(peek());
    skip_blanks();
  }
  const int c = peek();
  if (c == kEnd && !at_blank) return;
  token.kind = RuleToken::DIVIDED;
  token.op = PmieOp::divide;
  if (c == '/') swap_next_two();
  if (!is_name_start(c)) return;
  const uint32_t from = place();
  (void)get();
  std::string name;
  bool quoted = false;
  if (!scan_name(c, token, name, quoted)) return cut(token);
  if (!quoted && find_unit(name) != nullptr) token.kind = RuleToken::UNIT_SLASH;
  if (quoted && !is_plain_name(name)) token.traps |= trap::quotes_lost;
  push({.text = std::make_shared<const std::string>(std::move(name)), .from = from});
}

void PmieScanner::scan_sign(int c, ScannedToken& token) {
  if (c == '/') return scan_slash(token);
  const std::string one(1, static_cast<char>(c));
  // What is peeked at counts as read: only where a second character could belong to the sign.
  const int next = begins_long_sign(one.front()) ? peek() : kEnd;
  if (next != kEnd)
    if (const Sign* sign = find_sign(one + static_cast<char>(next))) {
      (void)get();
      token.kind = sign->token;
      token.op = sign->op;
      return;
    }
  const Sign* sign = find_sign(one);
  token.kind = sign != nullptr ? sign->token : RuleToken::ILLEGAL;
  if (sign != nullptr) token.op = sign->op;
}

}  // namespace pmjit::pmie
