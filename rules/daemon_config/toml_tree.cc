// toml++ has places as line and column in code points; ours are bytes. Its tables are sorted by
// key, ours by place.
#define TOML_EXCEPTIONS 0
#define TOML_HEADER_ONLY 1
#define TOML_ENABLE_FORMATTERS 0

#include "rules/daemon_config/toml_tree.h"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>

namespace pmjit {
namespace {

// A key of so many parts would make a tree so deep, which is freed by recursion. toml++ bounds
// nested values, and not these.
constexpr size_t kKeyPartsMax = 100;

// Byte offsets of lines.
class TextLines {
 public:
  explicit TextLines(std::string_view text) : text_(text) {
    for (size_t at = 0; at != text.npos; at = text.find('\n', at), at += at != text.npos) {
      begins_.push_back(at);
    }
  }

  [[nodiscard]] uint32_t offset(toml::source_position at) const {
    if (at.line == 0 || at.line > begins_.size()) return static_cast<uint32_t>(text_.size());
    size_t offset = begins_[at.line - 1];
    for (uint32_t column = 1; column < at.column && offset < text_.size(); ++column) {
      ++offset;
      while (offset < text_.size() && (text_[offset] & 0xC0) == 0x80) ++offset;
    }
    return static_cast<uint32_t>(std::min(offset, text_.size()));
  }

 private:
  std::string_view text_;
  std::vector<size_t> begins_;
};

class TreeMaker {
 public:
  TreeMaker(uint32_t source, std::string_view text) : source_(source), lines_(text) {}

  [[nodiscard]] ConfigPlace place(const toml::source_region& region) const {
    const uint32_t begin = lines_.offset(region.begin);
    return {source_, {begin, std::max(begin, lines_.offset(region.end))}};
  }

  [[nodiscard]] TomlNode node(const toml::node& from) const {
    using enum TomlNode::Kind;
    TomlNode out{.place = place(from.source())};
    if (const auto* table = from.as_table()) {
      for (const auto& [key, value] : *table) {
        out.entries.push_back({std::string(key.str()), place(key.source()), node(value)});
      }
      std::ranges::stable_sort(out.entries, {},
                               [](const TomlEntry& entry) { return entry.place.span.begin; });
    } else if (const auto* array = from.as_array()) {
      out.kind = list;
      for (const toml::node& item : *array) out.items.push_back(node(item));
    } else if (const auto* text_value = from.as_string()) {
      out.kind = text;
      out.text = text_value->get();
    } else if (const auto* number = from.as_integer()) {
      out.kind = integer;
      out.integer = number->get();
    } else if (const auto* truth = from.as_boolean()) {
      out.kind = TomlNode::Kind::flag;
      out.flag = truth->get();
    } else {
      out.kind = from.is_floating_point() ? real : time;
    }
    return out;
  }

 private:
  uint32_t source_;
  TextLines lines_;
};

// Where a key has too many parts; none: npos. Dots within strings count in lines of texts that
// have several alone.
size_t long_key(std::string_view text) {
  size_t dots = 0;
  char quote = 0;
  bool is_comment = false;
  for (size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    if (c == '\n') {
      dots = 0;
      quote = 0;
      is_comment = false;
    } else if (is_comment) {
      continue;
    } else if (quote != 0) {
      if (c == '\\' && quote == '"') ++at;
      if (c == quote) quote = 0;
    } else if (c == '"' || c == '\'') {
      quote = c;
    } else if (c == '#') {
      is_comment = true;
    } else if (c == '=' || c == ',' || c == '{' || c == '[') {
      dots = 0;
    } else if (c == '.' && ++dots == kKeyPartsMax) {
      return at;
    }
  }
  return text.npos;
}

}  // namespace

bool TomlNode::is_list_of_tables() const {
  return kind == Kind::list && !items.empty() &&
         std::ranges::all_of(items, [](const TomlNode& item) { return item.kind == Kind::table; });
}

const TomlEntry* TomlNode::find(std::string_view key) const {
  const auto found = std::ranges::find(entries, key, &TomlEntry::key);
  return found == entries.end() ? nullptr : &*found;
}

TomlEntry* TomlNode::find(std::string_view key) {
  const auto found = std::ranges::find(entries, key, &TomlEntry::key);
  return found == entries.end() ? nullptr : &*found;
}

std::string_view kind_text(TomlNode::Kind kind) {
  switch (kind) {
    case TomlNode::Kind::text: return "a text";
    case TomlNode::Kind::integer: return "an integer";
    case TomlNode::Kind::real: return "a number with a fraction";
    case TomlNode::Kind::flag: return "true or false";
    case TomlNode::Kind::time: return "a date or time";
    case TomlNode::Kind::list: return "a list";
    case TomlNode::Kind::table: return "a table";
  }
  return "";
}

TomlNode read_toml(uint32_t source, ConfigProblems& problems) {
  const std::string& text = problems.source(source).text;
  if (const size_t at = long_key(text); at != text.npos) {
    const auto offset = static_cast<uint32_t>(at);
    problems.add(ProblemCode::syntax, {source, {offset, offset + 1}},
                 fmt::format("a key of more than {} parts", kKeyPartsMax));
    return {};
  }
  const TreeMaker maker(source, text);
  const toml::parse_result parsed = toml::parse(std::string_view(text));
  if (!parsed) {
    problems.add(ProblemCode::syntax, maker.place(parsed.error().source()),
                 parsed.error().description());
    return {};
  }
  return maker.node(parsed.table());
}

}  // namespace pmjit
