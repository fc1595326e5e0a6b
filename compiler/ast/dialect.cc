#include "compiler/ast/dialect.h"

#include <algorithm>
#include <iterator>

#include "runtime/base/blanks.h"
#include "runtime/base/near.h"

namespace pmjit {

namespace {

constexpr std::string_view kNames[] = {"pcp6", "pcp7", "strict"};

constexpr std::string_view kMark = "pmjit:", kDialect = "dialect", kAllow = "allow ";

// "dialect = NAME" → NAME.
std::string_view name_in(std::string_view text) {
  if (!text.starts_with(kDialect)) return {};
  text = without_blanks(text.substr(kDialect.size()));
  return text.starts_with("=") ? without_blanks(text.substr(1)) : std::string_view();
}

// `pmjit dialect=strict`, and in a comment of C: no pragma, though one is meant.
bool meant_as_pragma(std::string_view line, const CommentForm& comments) {
  const bool block = comments.mark == "//" && line.starts_with("/*");
  if (!block && !line.starts_with(comments.mark)) return false;
  const std::string_view comment = without_blanks(line.substr(block ? 2 : comments.mark.size()));
  constexpr std::string_view kProgram = "pmjit";
  if (!comment.starts_with(kProgram)) return false;
  const bool colon = comment.starts_with(kMark);
  const std::string_view said =
      without_blanks(comment.substr(colon ? kMark.size() : kProgram.size()));
  return (block || !colon) && said.starts_with(kDialect);
}

}  // namespace

std::string_view dialect_text(Dialect dialect) { return kNames[static_cast<size_t>(dialect)]; }

std::optional<Dialect> dialect_from_text(std::string_view text) {
  for (size_t i = 0; i < std::size(kNames); ++i) {
    if (kNames[i] == text) return static_cast<Dialect>(i);
  }
  return std::nullopt;
}

std::string meant_pragma(const Pragma& pragma) {
  if (pragma.word == kDialect) return {};
  std::vector<std::string> near = near_names(pragma.word, {"allow", "dialect"});
  keep_slips(pragma.word, near);
  return near_names_text(near);
}

std::vector<Pragma> pragmas_of(std::string_view text, const CommentForm& comments) {
  std::vector<Pragma> out;
  bool began = false;
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size());
    const std::string_view whole = text.substr(at, end - at);
    const std::string_view line = comments.indented ? without_blanks(whole) : whole;
    const Span span{static_cast<uint32_t>(at), static_cast<uint32_t>(end)};
    at = end + 1;
    if (meant_as_pragma(line, comments)) {
      out.push_back({.span = span, .name = {}, .word = kDialect, .late = began, .broken = true});
      continue;
    }
    if (!line.starts_with(comments.mark)) {
      began = began || !without_blanks(line).empty();
      continue;
    }
    const std::string_view comment = without_blanks(line.substr(comments.mark.size()));
    if (!comment.starts_with(kMark)) continue;
    const std::string_view said = without_blanks(comment.substr(kMark.size()));
    if (said.starts_with(kAllow)) continue;  // a comment for `check`; it may stand anywhere
    const std::string_view word = said.substr(0, said.find_first_of(" =\t"));
    out.push_back({.span = span, .name = name_in(said), .word = word, .late = began});
  }
  return out;
}

}  // namespace pmjit
