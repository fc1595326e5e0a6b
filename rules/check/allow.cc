#include "rules/check/allow.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>

#include "rules/code_pages/code_pages.h"
#include "runtime/base/blanks.h"
#include "runtime/base/near.h"

namespace pmjit {

namespace {

// "D02, D47" behind `// pmjit: allow`, and where the comment begins.
struct AllowComment {
  size_t column;
  std::vector<std::string_view> codes;
};
std::optional<AllowComment> comment_in(std::string_view line, std::string_view mark) {
  constexpr std::string_view kPragma = "pmjit:", kAllow = "allow ";
  for (size_t at = line.find(mark); at != line.npos; at = line.find(mark, at + 1)) {
    std::string_view rest = without_blanks(line.substr(at + mark.size()));
    if (!rest.starts_with(kPragma)) continue;
    rest = without_blanks(rest.substr(kPragma.size()));
    if (!rest.starts_with(kAllow)) continue;
    rest.remove_prefix(kAllow.size());
    AllowComment out{.column = at, .codes = {}};
    constexpr std::string_view kBetween = " ,\t\r";
    for (size_t begin = rest.find_first_not_of(kBetween); begin != rest.npos;
         begin = rest.find_first_not_of(kBetween, begin)) {
      const size_t end = std::min(rest.find_first_of(kBetween, begin), rest.size());
      out.codes.push_back(rest.substr(begin, end - begin));
      begin = end;
    }
    return out;
  }
  return std::nullopt;
}

// The statement that a comment is about: of one alone in its line the next, else that of the line.
std::optional<StatementLines> covered(const std::vector<StatementLines>& statements, uint32_t line,
                                      bool alone) {
  const auto found = std::ranges::find_if(statements, [&](const StatementLines& one) {
    return alone ? one.last > line : one.last >= line;
  });
  if (found == statements.end() || (!alone && found->first > line)) return std::nullopt;
  StatementLines out = *found;
  // Others of the same line.
  for (auto next = found + 1; !alone && next != statements.end() && next->first <= line; ++next) {
    out.last = std::max(out.last, next->last);
  }
  return out;
}

bool silence_one(std::string_view code, const StatementLines& where, CheckedFile& file) {
  return std::erase_if(file.findings, [&](const Finding& finding) {
           return finding.level != Level::error && finding.at.line >= where.first &&
                  finding.at.line <= where.last && code_text(finding) == code;
         }) > 0;
}

template <class F>
void each_line(std::string_view text, F&& f) {
  uint32_t number = 1;
  for (size_t at = 0; at < text.size(); ++number) {
    const size_t end = std::min(text.find('\n', at), text.size());
    f(number, text.substr(at, end - at));
    at = end + 1;
  }
}

}  // namespace

std::vector<StatementLines> definition_lines(std::string_view text) {
  std::vector<StatementLines> out;
  bool continues = false;
  each_line(text, [&](uint32_t number, std::string_view line) {
    const std::string_view words = without_blanks(line);
    if (continues) {
      out.back().last = number;
    } else if (!words.empty() && !words.starts_with('#')) {
      out.push_back({number, number});
    } else {
      return;
    }
    continues = line.ends_with('\\');
  });
  return out;
}

std::vector<StatementLines> lines_of(std::string_view text, const std::vector<Span>& parts) {
  std::vector<StatementLines> out;
  uint32_t line = 1;
  size_t at = 0;
  const auto go_to = [&](size_t offset) {
    for (; at < std::min(offset, text.size()); ++at) line += text[at] == '\n' ? 1 : 0;
    return line;
  };
  for (const Span part : parts) {
    const uint32_t first = go_to(part.begin);
    out.push_back({first, go_to(part.end > part.begin ? part.end - 1 : part.end)});
  }
  return out;
}

void silence(std::string_view text, const std::vector<StatementLines>& statements,
             const AllowOptions& options, CheckedFile& file) {
  Diags unused;
  size_t begin = 0;
  each_line(text, [&](uint32_t number, std::string_view line) {
    const auto comment = comment_in(line, options.comment);
    const size_t at = begin;
    begin += line.size() + 1;
    if (!comment) return;
    const bool alone = without_blanks(line.substr(0, comment->column)).empty();
    const auto where = covered(statements, number, alone);
    for (const std::string_view code : comment->codes) {
      if (where && silence_one(code, *where, file)) continue;
      const bool is_known = find_code_page(code) != nullptr;
      if (is_known && !options.tell_unused) continue;
      const auto from = static_cast<uint32_t>(at + comment->column);
      Diag& diag = unused.add(DiagCode::D_Pragma,
                              Span{from, static_cast<uint32_t>(at + line.size())}, "unused");
      diag.severity = Severity::warning;
      diag.message = fmt::format("this allow of {} silences nothing", code);
      if (is_known) continue;
      diag.message = fmt::format("there is no code {}", code);
      const std::string near = near_names_text(near_codes(code));
      diag.help(near.empty() ? "pmjit explain codes lists all codes" : near);
    }
  });
  if (unused.empty()) return;
  add_findings({.name = file.name, .text = std::string(text)}, unused, file);
}

}  // namespace pmjit
