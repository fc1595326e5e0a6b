#include "rules/check/findings.h"

#include <algorithm>
#include <tuple>

namespace pmjit {

namespace {

Level level_of(Severity severity) {
  switch (severity) {
    case Severity::note: return Level::difference;
    case Severity::warning: return Level::warning;
    case Severity::error: return Level::error;
  }
  return Level::error;
}

// Where lines begin, so that a place in a long text is found without reading the text.
class LineStarts {
 public:
  explicit LineStarts(const SourceText& source) : source_(source) {
    const std::string& text = source.text;
    for (size_t at = text.find('\n'); at != text.npos; at = text.find('\n', at + 1)) {
      starts_.push_back(static_cast<uint32_t>(at) + 1);
    }
  }

  // The number of the line, from 0.
  [[nodiscard]] size_t line_of(uint32_t offset) const {
    const auto next = std::ranges::upper_bound(starts_, offset);
    return static_cast<size_t>(next - starts_.begin()) - 1;
  }

  // Whole lines, with what they are in the file.
  [[nodiscard]] SourceText lines(size_t first, size_t last) const {
    const size_t end = last + 1 < starts_.size() ? starts_[last + 1] - 1 : source_.text.size();
    return {.name = source_.name,
            .text = source_.text.substr(starts_[first], end - starts_[first]),
            .first_line = source_.first_line + static_cast<uint32_t>(first)};
  }
  [[nodiscard]] uint32_t start(size_t line) const { return starts_[line]; }

 private:
  const SourceText& source_;
  std::vector<uint32_t> starts_{0};
};

Finding finding_of(const Diag& diag, const LineStarts& starts) {
  size_t first = starts.line_of(diag.span.begin), last = first;
  for (const DiagLabel& label : diag.labels) {
    first = std::min(first, starts.line_of(label.span.begin));
    last = std::max(last, starts.line_of(label.span.begin));
  }
  Finding out{.level = level_of(diag.severity), .diag = diag, .lines = starts.lines(first, last)};
  const uint32_t begin = starts.start(first);
  const auto shift = [&](Span& span) { span.begin -= begin, span.end -= begin; };
  out.begin = diag.span.begin;
  shift(out.diag.span);
  for (DiagLabel& label : out.diag.labels) shift(label.span);
  out.at = line_column(out.lines, out.diag.span.begin);
  return out;
}

}  // namespace

std::string_view level_text(Level level) {
  switch (level) {
    case Level::error: return "error";
    case Level::warning: return "warning";
    case Level::difference: return "difference";
  }
  return "";
}

size_t CheckedFile::of(Level level) const {
  return static_cast<size_t>(std::ranges::count(findings, level, &Finding::level));
}

void add_findings(const SourceText& source, const Diags& diags, CheckedFile& file) {
  if (diags.empty()) return;
  const LineStarts starts(source);
  for (const Diag& diag : diags.all()) file.findings.push_back(finding_of(diag, starts));
}

void sort_findings(CheckedFile& file) {
  std::ranges::stable_sort(file.findings, [](const Finding& a, const Finding& b) {
    return std::tie(a.level, a.at.line, a.at.column) < std::tie(b.level, b.at.line, b.at.column);
  });
}

}  // namespace pmjit
