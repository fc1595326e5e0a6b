#include "compiler/compat/pmie/mistakes/rough_scanner.h"

#include <algorithm>
#include <charconv>

#include "runtime/base/chars.h"

namespace pmjit::pmie {

namespace {

bool is_word(char c) { return is_letter(c) || is_digit(c) || c == '_' || c == '.'; }

// #'1 minute > 5 -> print "it's high", #'sda > 5 && disk.dev.read #'sdb': the quote that ends the
// name is not its own.
bool holds_condition(std::string_view name) {
  const bool compares =
      name.find_first_of("<>") != name.npos || name.contains("==") || name.contains("!=");
  const bool ends_before_name = name.ends_with('#') || name.ends_with(':');
  const bool ends_in_text = std::ranges::count(name, '"') % 2 == 1;
  const bool holds_action = name.contains("->") && name.contains('"');
  return compares && (ends_before_name || ends_in_text || holds_action);
}

}  // namespace

bool is_number(std::string_view text) {
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size();
}

bool ends_statement(const RoughToken& token) {
  return token.kind == RoughToken::Kind::end || token.text == ";" || token.text == "}";
}

RoughToken RoughScanner::next() {
  skip();
  RoughToken out{.begins_line = begins_line_};
  begins_line_ = false;
  const size_t begin = at_;
  if (at_ == text_.size()) return out.span = span(begin), out;
  const char c = text_[at_];
  if (c == '"' || c == '\'') {
    out.kind = c == '"' ? RoughToken::Kind::text : RoughToken::Kind::word;
    out.open = !quoted(c);
    if (c == '\'' && !out.open && holds_condition(text_.substr(begin + 1, at_ - begin - 2))) {
      out.open = true;
      at_ = std::min(text_.find('\n', begin), text_.size());
    }
  } else if (is_word(c)) {
    out.kind = RoughToken::Kind::word;
    while (at_ < text_.size() && is_word(text_[at_])) ++at_;
  } else {
    out.kind = RoughToken::Kind::sign;
    constexpr std::string_view kPairs[] = {"->", "&&", "||", "==", "!=", "<=", ">=", "=>", "=<",
                                           "<>", ":=", ">>", "<<", "!>", "!<", "=~", "!~"};
    const bool pair = std::ranges::find(kPairs, text_.substr(at_, 2)) != std::end(kPairs);
    at_ += pair ? 2 : 1;
  }
  out.span = span(begin);
  out.text = text_.substr(begin, at_ - begin);
  return out;
}

void RoughScanner::skip() {
  while (at_ < text_.size()) {
    const std::string_view rest = text_.substr(at_);
    if (rest.starts_with("//")) {
      at_ = std::min(text_.find('\n', at_), text_.size());
    } else if (rest.starts_with("/*")) {
      const size_t end = text_.find("*/", at_ + 2);
      if (end == text_.npos) open_comment_ = static_cast<uint32_t>(at_);
      at_ = end == text_.npos ? text_.size() : end + 2;
    } else if (rest.front() == '\n') {
      begins_line_ = true;
      ++at_;
    } else if (std::string_view(" \t\r\f\v").contains(rest.front())) {
      ++at_;
    } else {
      return;
    }
  }
}

bool RoughScanner::quoted(char quote) {
  for (++at_; at_ < text_.size() && text_[at_] != '\n'; ++at_) {
    if (text_[at_] == quote) return ++at_, true;
    if (text_[at_] == '\\' && at_ + 1 < text_.size()) ++at_;
  }
  at_ = std::min(at_, text_.size());
  return false;
}

}  // namespace pmjit::pmie
