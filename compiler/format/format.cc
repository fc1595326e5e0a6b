// Completed text → lines → layout, and the checks of the promise.
#include "compiler/format/format.h"

#include <fmt/format.h>

#include "compiler/format/layout.h"
#include "runtime/base/check.h"
#include "runtime/base/limits.h"

namespace pmjit {
namespace format {
namespace {

std::vector<Line> read_lines(const SourceText& file, bool completed, Dialect dialect,
                             Diags& diags) {
  return dialect == Dialect::strict ? read_strict_lines(file, diags)
                                    : read_pcp_lines(file.text, completed, dialect, diags);
}

bool last_line_counts(const std::vector<Line>& lines) {
  if (lines.empty()) return false;
  const LineKind kind = lines.back().kind;
  return kind == LineKind::definition || kind == LineKind::attribute;
}

}  // namespace

}  // namespace format

Formatted format_definitions(const SourceText& file, Dialect dialect, Diags& diags) {
  const bool had_newline = file.text.empty() || file.text.ends_with('\n');
  SourceText whole = file;
  if (!had_newline) whole.text += '\n';
  const auto too_long = [&] {
    diags.add(DiagCode::P_TooLong, {0, 0}, fmt::to_string(limits::kSourceBytesMax))
        .help("split the file; a directory of definition files is read as one");
    return Formatted{.text = file.text};
  };
  if (whole.text.size() > limits::kSourceBytesMax) return too_long();
  const std::vector<format::Line> lines = format::read_lines(whole, !had_newline, dialect, diags);
  const SourceText written{.name = file.name, .text = format::lay_out(lines, dialect)};
  if (written.text.size() > limits::kSourceBytesMax) return too_long();
  Diags told_again;
  const std::vector<format::Line> again = format::read_lines(written, false, dialect, told_again);
  check(format::same_meaning(lines, again), "formatting has changed a meaning");
  check(format::lay_out(again, dialect) == written.text, "formatting twice is not formatting once");
  // The newline behind a \ of pcp7 ends no line.
  const bool ended = had_newline && !(dialect == Dialect::pcp7 && whole.text.ends_with("\\\n"));
  return {
      .text = written.text,
      .last_line_revived = dialect != Dialect::strict && !ended && format::last_line_counts(lines)};
}

}  // namespace pmjit
