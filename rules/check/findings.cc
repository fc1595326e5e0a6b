#include "rules/check/findings.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>
#include <utility>

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

// Places, counted on from the one before where they are in the order of the text: a line may be a
// whole file.
class PlacesInOrder {
 public:
  explicit PlacesInOrder(const FoundIn& in) : in_(in), text_(in.text.text) {}

  LineColumn of(uint32_t offset) {
    const size_t upto = std::min<size_t>(offset, text_.size());
    const size_t line = in_.starts.line_of(upto);
    if (line != line_ || upto < at_) {
      line_ = line;
      at_ = in_.starts.start(line);
      column_ = 1;
    }
    column_ += std::ranges::count_if(text_.substr(at_, upto - at_),
                                     [](char c) { return (c & 0xC0) != 0x80; });
    at_ = upto;
    return {in_.text.first_line + static_cast<uint32_t>(line), static_cast<uint32_t>(column_)};
  }

 private:
  const FoundIn& in_;
  std::string_view text_;
  size_t line_ = SIZE_MAX, at_ = 0;
  ptrdiff_t column_ = 1;
};

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
  SourceText named = source;
  named.name = file.name;  // of an expression: none
  add_findings(std::make_shared<const FoundIn>(std::move(named)), diags, file);
}

void add_findings(const std::shared_ptr<const FoundIn>& in, const Diags& diags, CheckedFile& file) {
  PlacesInOrder places(*in);
  for (const Diag& diag : diags.all()) {
    file.findings.push_back({.level = level_of(diag.severity),
                             .diag = diag,
                             .in = in,
                             .at = places.of(diag.span.begin)});
  }
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
