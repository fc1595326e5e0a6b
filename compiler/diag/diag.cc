// The rows of diag.def as a table, and how a Diag is filled. Arguments replace {} in order and are
// never read again themselves: a metric name with {} in it stays as it is.

#include "compiler/diag/diag.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>

#include "compiler/diag/line_starts.h"
#include "runtime/base/fill.h"

namespace pmjit {

namespace {

struct DiagRow {
  std::string_view code, text;
  Severity severity;
  std::string_view here{};  // of a compatible dialect; empty: text
};

constexpr auto kRows = std::to_array<DiagRow>({
#define DIAG(name, code, severity, text) {code, text, Severity::severity},
#define BOTH(name, code, text, here) {code, text, Severity::error, here},
#include "compiler/diag/diag.def"
#undef DIAG
});

const DiagRow& row_of(DiagCode code) { return kRows[static_cast<size_t>(code)]; }

}  // namespace

std::string_view diag_code_text(DiagCode code) { return row_of(code).code; }

Diag& Diag::label(Span where, std::string text) {
  labels.push_back({where, std::move(text)});
  return *this;
}

Diag& Diag::help(std::string text) {
  helps.push_back(std::move(text));
  return *this;
}

bool Diags::has_errors() const {
  for (const Diag& diag : diags_)
    if (diag.severity == Severity::error) return true;
  return false;
}

Diag& Diags::add_with(DiagCode code, Span span, bool here, std::vector<std::string> args) {
  const DiagRow& row = row_of(code);
  const std::string_view text = here && !row.here.empty() ? row.here : row.text;
  return diags_.emplace_back(Diag{.code = code,
                                  .severity = here ? Severity::warning : row.severity,
                                  .span = span,
                                  .message = fill(text, args),
                                  .labels = {},
                                  .helps = {}});
}

// Offsets to lines and columns. A column counts code points: bytes 10xxxxxx continue one and do not
// count.
LineColumn line_column(const SourceText& source, uint32_t offset) {
  const std::string_view before = std::string_view(source.text).substr(0, offset);
  const auto lines = std::count(before.begin(), before.end(), '\n');
  const size_t line_begin = before.rfind('\n') + 1;  // npos + 1 == 0
  const auto column = std::count_if(before.begin() + static_cast<std::ptrdiff_t>(line_begin),
                                    before.end(), [](char c) { return (c & 0xC0) != 0x80; });
  return {source.first_line + static_cast<uint32_t>(lines), static_cast<uint32_t>(column) + 1};
}

LineColumn line_column(const SourceText& source, const LineStarts& starts, uint32_t offset) {
  const size_t line = starts.line_of(offset), begin = starts.start(line);
  const SourceText alone{.name = {},
                         .text = source.text.substr(begin, starts.end(line) - begin),
                         .first_line = source.first_line + static_cast<uint32_t>(line)};
  return line_column(alone, offset - starts.start(line));
}

}  // namespace pmjit
