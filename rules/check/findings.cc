#include "rules/check/findings.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "rules/check/line_starts.h"

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

std::string comparisons_text(std::span<const CheckNote> comparisons) {
  std::string out = comparisons.empty() ? "" : "over this archive, here and in strict:\n";
  for (const CheckNote& one : comparisons) {
    out += fmt::format("  {}\n", one.message);
    for (const std::string& detail : one.details) out += fmt::format("    {}\n", detail);
  }
  return out;
}

size_t CheckedFile::of(Level level) const {
  return static_cast<size_t>(std::ranges::count(findings, level, &Finding::level));
}

void add_findings(const SourceText& source, const Diags& diags, CheckedFile& file) {
  if (diags.empty()) return;
  const LineStarts starts(source);
  for (const Diag& diag : diags.all()) file.findings.push_back(finding_of(diag, starts));
}

WarningsByPlace::WarningsByPlace(CheckedFile& file) {
  for (Finding& finding : file.findings) {
    if (finding.level == Level::warning) sorted_.push_back(&finding);
  }
  std::ranges::stable_sort(sorted_, {}, &Finding::begin);
}

std::span<Finding* const> WarningsByPlace::in(Span span) const {
  const auto first = std::ranges::lower_bound(sorted_, span.begin, {}, &Finding::begin);
  const auto last = std::ranges::lower_bound(sorted_, span.end, {}, &Finding::begin);
  return {first, last};
}

void sort_findings(CheckedFile& file) {
  std::ranges::stable_sort(file.findings, [](const Finding& a, const Finding& b) {
    return std::tie(a.level, a.at.line, a.at.column) < std::tie(b.level, b.at.line, b.at.column);
  });
}

}  // namespace pmjit
