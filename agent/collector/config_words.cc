#include "agent/collector/config_words.h"

#include <fmt/format.h>

#include <algorithm>

namespace pmjit {

namespace {

constexpr std::string_view kSpecials = ",:;[]{}", kBlanks = " \t\r\f\v\n";

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

// A backslash before a quote or a hash stands for nothing.
bool is_escape(std::string_view text, size_t at) {
  return text[at] == '\\' && at + 1 < text.size() && (text[at + 1] == '"' || text[at + 1] == '#');
}

}  // namespace

bool ConfigWord::is(std::string_view keyword) const {
  return !quoted && std::ranges::equal(text, keyword, {}, lower, lower);
}

// One logical line: joined ones, without its comment.
bool ConfigWords::read_line() {
  if (ended_ || !failure_.empty()) return false;
  current_.clear();
  at_ = 0;
  ended_ = rest_.empty();
  if (!ended_ || ends_line_) ++line_;
  if (ended_) return false;
  for (bool joined = true; joined && !rest_.empty();) {
    const size_t end = std::min(rest_.find('\n'), rest_.size());
    ends_line_ = end < rest_.size();
    std::string_view piece = rest_.substr(0, end);
    rest_.remove_prefix(std::min(end + 1, rest_.size()));
    joined = piece.ends_with('\\');
    if (joined) piece.remove_suffix(1);
    current_ += piece;
    if (joined) current_ += ' ';
  }
  if (current_.size() > kLineMax) {
    failure_ = fmt::format("ridiculously long line ({} characters)", kLineMemory);
    return false;
  }
  bool quoted = false;
  for (size_t i = 0; i < current_.size(); ++i) {
    if (is_escape(current_, i)) {
      ++i;
    } else if (current_[i] == '"') {
      quoted = !quoted;
    } else if (current_[i] == '#' && !quoted) {
      current_.resize(i);
    }
  }
  if (quoted) failure_ = "unterminated quoted string";
  return !quoted;
}

bool ConfigWords::next_line() {
  while (read_line()) {
    if (current_.find_first_not_of(kBlanks) != std::string::npos) return true;
  }
  return false;
}

bool ConfigWords::begins_access() const {
  const size_t first = current_.find_first_not_of(kBlanks);
  return first != std::string::npos && current_[first] == '[';
}

// None: the line ends.
std::optional<ConfigWord> ConfigWords::word(bool with_specials) {
  at_ = std::min(current_.find_first_not_of(kBlanks, at_), current_.size());
  if (at_ == current_.size()) return {};
  ConfigWord out;
  const auto special = [&](char c) {
    return with_specials && kSpecials.find(c) != std::string_view::npos;
  };
  out.quoted = current_[at_] == '"';
  if (!out.quoted && special(current_[at_])) {
    out.text = current_[at_++];
    return out;
  }
  if (out.quoted) ++at_;
  for (; at_ < current_.size(); ++at_) {
    const char c = current_[at_];
    if (is_escape(current_, at_)) {
      out.text += current_[++at_];
      continue;
    }
    if (out.quoted ? c == '"' : kBlanks.find(c) != std::string_view::npos || special(c)) break;
    out.text += c;
  }
  if (out.quoted) ++at_;
  return out;
}

std::vector<ConfigWord> ConfigWords::take_line() {
  std::vector<ConfigWord> out;
  while (auto one = word(false)) out.push_back(*std::move(one));
  return out;
}

std::optional<ConfigWord> ConfigWords::next() {
  if (line_ == 0 && !read_line()) return {};
  while (true) {
    if (auto one = word(true)) return one;
    if (!read_line()) return {};
  }
}

}  // namespace pmjit
