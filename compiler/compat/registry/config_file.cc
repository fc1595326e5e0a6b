#include "compiler/compat/registry/config_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "runtime/base/blanks.h"
#include "runtime/base/chars.h"

namespace pmjit {

namespace {

std::string_view without_leading(std::string_view text) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  return text;
}
// Letters first in every part; a dot at the end slips through.
bool is_metric_name(std::string_view name) {
  bool begins = true;
  for (const char c : name) {
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    const bool later = (c >= '0' && c <= '9') || c == '_';
    if (c == '.' && !begins) {
      begins = true;
      continue;
    }
    if (!letter && (begins || !later)) return false;
    begins = false;
  }
  return !name.empty();
}

// White space as it is, everything else blank, and the mark.
std::string caret_line(std::string_view text, size_t at) {
  std::string out;
  for (size_t i = 0; i < text.size(); ++i) {
    out += i == at ? '^' : is_blank(text[i]) ? text[i] : ' ';
  }
  return out;
}

}  // namespace

Span ReadLine::in_file(Span part) const {
  const auto place = [&](uint32_t at) {
    const size_t in_line = expression_begin_ + at;
    const auto joined = std::ranges::upper_bound(joints_, in_line) - joints_.begin();
    return static_cast<uint32_t>(line_begin_ + in_line + 2 * static_cast<size_t>(joined));
  };
  const uint32_t begin = place(part.begin);
  return {begin, part.end > part.begin ? place(part.end - 1) + 1 : begin};
}

int ConfigFile::read() {
  while (next_line()) line();
  return defined_;
}

// A line without a newline is none.
bool ConfigFile::next_line() {
  line_number_ += 1 + extra_lines_;
  extra_lines_ = 0;
  line_begin_ = at_;
  joints_.clear();
  const size_t end = text_.find('\n', at_);
  if (end == text_.npos) return false;
  line_ = text_.substr(at_, end - at_);
  at_ = end + 1;
  if (registry_.dialect() == Dialect::pcp6 || !line_.ends_with('\\')) return true;
  joined_.clear();
  while (line_.ends_with('\\')) {
    joined_ += line_.substr(0, line_.size() - 1);
    const size_t next = text_.find('\n', at_);
    if (next == text_.npos) return false;
    line_ = text_.substr(at_, next - at_);
    at_ = next + 1;
    ++extra_lines_;
    joints_.push_back(joined_.size());
  }
  joined_ += line_;
  line_ = joined_;
  return true;
}

void ConfigFile::line() {
  line_ = line_.substr(0, line_.find('\0'));  // text is C's
  if (line_.empty()) return;
  keep_line();
  if (line_.front() == '#') {
    if (kept_ != nullptr) kept_->back().kind = ReadLine::Kind::comment;
    controls_.read_comment(line_, fmt::format("[{}:{}] ", path_, line_number_));
    return;
  }
  const size_t equals = line_.find('=');
  if (equals == line_.npos) return refuse_line("missing ``='' after derived metric name");
  Head head;
  if (!read_head(head, equals)) return;
  const std::string_view rest = line_.substr(equals + 1);
  if (head.has_attribute) return set_attribute(head, rest);
  if (without_leading(rest).empty()) return refuse_line("expression missing");
  define(head.name, rest);
}

bool ConfigFile::read_head(Head& out, size_t equals) {
  const std::string_view left = line_.substr(0, equals);
  const size_t open = left.find('(');
  out.name = without_blanks(left.substr(0, open));
  if (out.name.empty()) {
    refuse_line("derived metric name missing");
    return false;
  }
  if (!is_metric_name(out.name)) {
    refuse(fmt::format("illegal derived metric name ({})", out.name));
    return false;
  }
  if (open == left.npos) return true;
  const size_t close = left.find(')', open);
  if (close == left.npos) {
    refuse_line("missing ')' after attribute");
    return false;
  }
  out.has_attribute = true;
  out.attribute = without_blanks(left.substr(open + 1, close - open - 1));
  if (const auto rest = without_blanks(left.substr(close + 1)); kept_ != nullptr && !rest.empty()) {
    const auto begin = static_cast<uint32_t>(rest.data() - line_.data());
    keep_ignored(kept_->back().in_file({begin, begin + static_cast<uint32_t>(rest.size())}));
  }
  return true;
}

void ConfigFile::define(std::string_view name, std::string_view expression) {
  const std::string_view text = without_leading(expression);
  keep_definition(name, text);
  const auto wrong = registry_.add(name, text);
  if (kept_ != nullptr) kept_->back().wrong = wrong;
  if (!wrong) {
    registry_.find_to_change(name)->place = fmt::format("{}:{}", path_, line_number_);
    ++defined_;
    return;
  }
  const auto skipped = static_cast<int64_t>(expression.size() - text.size());
  const int64_t at = skipped + wrong->offset;
  std::string message = fmt::format("pmRegisterDerived({}, ...) syntax error\n{}\n{}", name,
                                    expression, caret_line(expression, static_cast<size_t>(at)));
  if (!wrong->message.empty()) message += "\n" + wrong->message;
  complain("Error", message);
}

void ConfigFile::keep_line() {
  if (kept_ == nullptr) return;
  ReadLine& kept = kept_->emplace_back();
  kept.span = {static_cast<uint32_t>(line_begin_), static_cast<uint32_t>(at_ - 1)};
  kept.line_begin_ = line_begin_;
  kept.joints_ = joints_;
}

void ConfigFile::keep_ignored(Span part) {
  if (kept_ == nullptr) return;
  ReadLine& kept = kept_->back();
  kept.ignored.push_back(part);
  kept.span.end = std::max(kept.span.end, part.end);  // a text in quotes runs over lines
}

void ConfigFile::keep_definition(std::string_view name, std::string_view text) {
  if (kept_ == nullptr) return;
  ReadLine& kept = kept_->back();
  kept.kind = ReadLine::Kind::definition;
  kept.expression_begin_ = static_cast<size_t>(name.data() - line_.data());
  kept.name_span = kept.in_file({0, static_cast<uint32_t>(name.size())});
  kept.name = name;
  kept.expression_begin_ = static_cast<size_t>(text.data() - line_.data());
  kept.expression = text;
  kept.repeated = registry_.find(name) != nullptr;
  kept.in_pattern = registry_.in_pattern();
}

void ConfigFile::set_attribute(const Head& head, std::string_view rest) {
  if (head.attribute.empty()) return refuse_line("attribute name missing");
  if (kept_ != nullptr) kept_->back().kind = ReadLine::Kind::attribute;
  const Value value = read_value(rest);
  if (!value.found) return;
  DerivedMetric* metric = registry_.find_to_change(head.name);
  if (metric == nullptr) {
    return refuse_line(
        fmt::format("cannot set attribute, derived metric ({}) not defined", head.name));
  }
  auto* text = head.attribute == "oneline"    ? &metric->one_line
               : head.attribute == "helptext" ? &metric->help
                                              : nullptr;
  if (text == nullptr) {
    return refuse_line(
        fmt::format("attribute ({}) is unknown for metric ({})", head.attribute, head.name));
  }
  if (*text) {
    return refuse_line(fmt::format("duplicate value for attribute ({}) of metric ({})",
                                   head.attribute, head.name));
  }
  *text = value.text;
}

// The rest of the line, or what stands in quotes, over several lines if need be.
ConfigFile::Value ConfigFile::read_value(std::string_view rest) {
  const std::string_view text = without_leading(rest);
  const bool quoted = text.starts_with('"') || text.starts_with('\'');
  // A quote that the line ends with opens nothing.
  if (text.size() <= (quoted ? 1 : 0)) {
    refuse_line("attribute value missing");
    return {};
  }
  if (!quoted) return {std::string(text), true};
  if (kept_ != nullptr) kept_->back().kind = ReadLine::Kind::quoted_attribute;
  bool several_lines = false;
  Value value = read_quoted(back_to(line_.size() - text.size()), several_lines);
  if (!value.found) {
    refuse(fmt::format("missing termination ({}) for value", text.front()));
    return value;
  }
  size_t end = std::min(text_.find('\n', at_), text_.size());
  // Behind a text of several lines one byte is lost.
  if (several_lines && at_ < end) ++at_;
  const std::string_view behind = without_leading(text_.substr(at_, end - at_));
  if (!behind.empty()) {
    complain("Warning", fmt::format("pmLoadDerivedConfig: extra text ({}) after attribute value "
                                    "will be ignored",
                                    behind));
    const auto begin = static_cast<uint32_t>(behind.data() - text_.data());
    keep_ignored({begin, static_cast<uint32_t>(begin + without_blanks(behind).size())});
  }
  at_ = std::min(end + 1, text_.size());
  return value;
}

size_t ConfigFile::back_to(size_t at) {
  const auto before = std::ranges::upper_bound(joints_, at) - joints_.begin();
  extra_lines_ = static_cast<int>(before);
  return line_begin_ + at + 2 * static_cast<size_t>(before);
}

// Leaves at_ behind the closing quote. Of the lines that it takes in 6.x does not count the first,
// and 7.x calls all of them by the number of the first.
ConfigFile::Value ConfigFile::read_quoted(size_t begin, bool& several_lines) {
  Value value;
  const char quote = text_[begin];
  int newlines = 0;
  size_t i = begin + 1;
  for (; i < text_.size() && text_[i] != quote; ++i) {
    if (text_[i] == '\\' && i + 1 < text_.size()) {
      ++i;
      if (text_[i] != '\n') value.text += text_[i];
    } else {
      value.text += text_[i];
    }
    if (text_[i] == '\n') ++newlines;
  }
  several_lines = newlines > 0;
  if (registry_.dialect() != Dialect::pcp6) {
    extra_lines_ += newlines;
  } else if (newlines > 1) {
    line_number_ += newlines - 1;
  }
  value.found = i < text_.size();
  at_ = value.found ? i + 1 : text_.size();
  return value;
}

void ConfigFile::complain(std::string_view kind, std::string_view text) {
  say_(fmt::format("[{}:{}] {}: {}\n", path_, line_number_, kind, text));
}

void ConfigFile::keep_refused(std::string_view what) {
  if (kept_ == nullptr) return;
  kept_->back().kind = ReadLine::Kind::refused;
  kept_->back().why_refused = what;
}

void ConfigFile::refuse(std::string_view what) {
  keep_refused(what);
  complain("Error", fmt::format("pmLoadDerivedConfig: {}", what));
}

void ConfigFile::refuse_line(std::string_view what) {
  keep_refused(what);
  complain("Error", fmt::format("pmLoadDerivedConfig: {}\n{}", what, line_));
}

}  // namespace pmjit
