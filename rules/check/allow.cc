#include "rules/check/allow.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

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
// Statements are in the order of the text.
std::optional<StatementLines> covered(const std::vector<StatementLines>& statements, uint32_t line,
                                      bool alone) {
  const auto found =
      std::ranges::lower_bound(statements, alone ? line + 1 : line, {}, &StatementLines::last);
  if (found == statements.end() || (!alone && found->first > line)) return std::nullopt;
  StatementLines out = *found;
  // Others of the same line.
  for (auto next = found + 1; !alone && next != statements.end() && next->first <= line; ++next) {
    out.last = std::max(out.last, next->last);
  }
  return out;
}

// The findings of a file that comments can silence, by their codes and lines: there may be
// thousands of both.
class SilencedFindings {
 public:
  explicit SilencedFindings(const CheckedFile& file) : silenced_(file.findings.size()) {
    for (size_t i = 0; i < file.findings.size(); ++i) {
      const Finding& finding = file.findings[i];
      if (finding.level == Level::error) continue;
      places_.push_back({.code = code_text(finding), .line = finding.at.line, .finding = i});
    }
    std::ranges::sort(places_);
  }

  // False: there is none.
  bool silence(std::string_view code, const StatementLines& where) {
    bool any = false;
    auto at = std::ranges::lower_bound(places_, Place{.code = code, .line = where.first});
    for (; at != places_.end() && at->code == code && at->line <= where.last; ++at) {
      any = any || !silenced_[at->finding];
      silenced_[at->finding] = true;
    }
    return any;
  }

  void take_out_of(CheckedFile& file) const {
    std::vector<Finding> left;
    for (size_t i = 0; i < silenced_.size(); ++i) {
      if (!silenced_[i]) left.push_back(std::move(file.findings[i]));
    }
    file.findings = std::move(left);
  }

 private:
  struct Place {
    std::string_view code;
    uint32_t line = 0;
    size_t finding = 0;
    auto operator<=>(const Place&) const = default;
  };
  std::vector<Place> places_;
  std::vector<bool> silenced_;
};

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
  SilencedFindings silenced(file);
  size_t begin = 0;
  each_line(text, [&](uint32_t number, std::string_view line) {
    const auto comment = comment_in(line, options.comment);
    const size_t at = begin;
    begin += line.size() + 1;
    if (!comment) return;
    const bool alone = without_blanks(line.substr(0, comment->column)).empty();
    const auto where = covered(statements, number, alone);
    for (const std::string_view code : comment->codes) {
      if (where && silenced.silence(code, *where)) continue;
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
  silenced.take_out_of(file);
  if (unused.empty()) return;
  add_findings({.name = file.name, .text = std::string(text)}, unused, file);
}

}  // namespace pmjit
