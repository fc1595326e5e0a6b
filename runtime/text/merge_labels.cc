#include "runtime/text/print_value.h"

#include <algorithm>
#include <cerrno>
#include "runtime/base/limits.h"

namespace pmjit {

namespace {

bool letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool digit(char c) { return c >= '0' && c <= '9'; }

bool good_name(std::string_view name) {
  constexpr size_t kNameBytesMax = 255;
  if (name.empty() || name.size() > kNameBytesMax || !letter(name.front())) return false;
  for (const char c : name) {
    if (!letter(c) && !digit(c) && c != '_' && c != '.') return false;
  }
  return true;
}

// One JSON text. Values are copied as they are written, without the blanks between their parts.
class LabelScanner {
 public:
  explicit LabelScanner(std::string_view text) : text_(text) {}

  // An object's labels, their names behind `prefix`.
  bool object(const std::string& prefix, FlatLabels& out, uint32_t depth) {
    if (depth > limits::kNestingMax || !take('{')) return false;
    if (take('}')) {
      // Nothing to flatten: the name keeps its empty object.
      return prefix.empty() || out.emplace(prefix, "{}").second;
    }
    do {
      std::string name;
      if (!string(name)) return false;
      name = name.substr(1, name.size() - 2);
      if (!good_name(name) || !take(':')) return false;
      if (!prefix.empty()) name = prefix + "." + name;
      if (peek() == '{') {
        if (!object(name, out, depth + 1)) return false;
        continue;
      }
      std::string value;
      if (!scalar_or_array(value, depth) || !out.emplace(name, value).second) return false;
    } while (take(','));
    cut_short_ = at_end();
    return take('}');
  }
  // The text ends where only a brace is missing.
  [[nodiscard]] bool cut_short() const { return cut_short_; }
  [[nodiscard]] bool at_end() {
    skip_blanks();
    return pos_ == text_.size();
  }
  [[nodiscard]] char peek() {
    skip_blanks();
    return pos_ < text_.size() ? text_[pos_] : '\0';
  }

 private:
  void skip_blanks() {
    while (pos_ < text_.size() && std::string_view(" \t\r\n").contains(text_[pos_])) ++pos_;
  }
  bool take(char c) {
    if (peek() != c) return false;
    ++pos_;
    return true;
  }
  // With its quotes and escapes.
  bool string(std::string& out) {
    if (peek() != '"') return false;
    const size_t from = pos_++;
    while (pos_ < text_.size() && text_[pos_] != '"') pos_ += text_[pos_] == '\\' ? 2 : 1;
    if (pos_ >= text_.size()) return false;
    out += text_.substr(from, ++pos_ - from);
    return true;
  }
  bool word(std::string& out) {
    const size_t from = pos_;
    while (pos_ < text_.size() && (letter(text_[pos_]) || digit(text_[pos_]) ||
                                   std::string_view("+-.").contains(text_[pos_]))) {
      ++pos_;
    }
    const std::string_view taken = text_.substr(from, pos_ - from);
    const bool number = !taken.empty() && (taken[0] == '-' || digit(taken[0]));
    if (!number && taken != "null" && taken != "true" && taken != "false") return false;
    out += taken;
    return true;
  }
  bool scalar_or_array(std::string& out, uint32_t depth) {
    if (peek() == '"') return string(out);
    if (peek() == '[' || peek() == '{') return nested(out, depth + 1);
    return word(out);
  }
  // An array, or an object inside one, as text.
  bool nested(std::string& out, uint32_t depth) {
    if (depth > limits::kNestingMax) return false;
    const bool is_object = peek() == '{';
    const char end = is_object ? '}' : ']';
    out += text_[pos_++];
    for (bool first = true; !take(end); first = false) {
      if (!first) {
        if (!take(',')) return false;
        out += ',';
      }
      if (is_object) {
        if (!string(out) || !take(':')) return false;
        out += ':';
      }
      if (!scalar_or_array(out, depth)) return false;
    }
    out += end;
    return true;
  }

  std::string_view text_;
  size_t pos_ = 0;
  bool cut_short_ = false;
};

}  // namespace

std::optional<FlatLabels> flat_labels(std::string_view json) {
  const auto is_control = [](char c) { return static_cast<unsigned char>(c) < ' '; };
  FlatLabels out;
  LabelScanner in(json);
  if (!in.object("", out, 0) || !in.at_end()) return {};
  for (const auto& [name, value] : out) {
    if (std::ranges::any_of(value, is_control)) return {};
  }
  return out;
}

std::expected<std::string, int> merge_labels(std::span<const std::string_view> sets) {
  if (sets.empty()) return std::unexpected(-EINVAL);
  FlatLabels merged;
  for (const std::string_view set : sets) {
    if (set.empty()) continue;
    LabelScanner in(set);
    FlatLabels labels;
    // The reference takes an array, and an object that is not closed, for an empty set.
    if (in.peek() == '[') continue;
    if (!in.object("", labels, 0)) {
      if (in.cut_short()) continue;
      return std::unexpected(-EINVAL);
    }
    if (!in.at_end()) return std::unexpected(-EINVAL);
    for (auto& [name, value] : labels) merged.insert_or_assign(name, std::move(value));
  }
  if (merged.empty()) return std::string();
  std::string out;
  for (const auto& [name, value] : merged) {
    out += out.empty() ? "{\"" : ",\"";
    out += name + "\":" + value;
  }
  return out + "}";
}

}  // namespace pmjit
