// Findings: what `check` has found in a file, each with its level, its place and the text that it
// is about; in either kind of file and in every dialect.
//
//   CheckedFile file{.name = "rules.pmie", .kind = CheckedKind::rules, .count = 3};
//   add_findings(source, diags, file);
//   silence(source.text, statements, file);         allow.h
//   print(text_of(files, options));                 check_output.h
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "compiler/diag/diag.h"
#include "compiler/diag/line_starts.h"

namespace pmjit {

enum class Level : uint8_t { error, warning, difference };
[[nodiscard]] std::string_view level_text(Level level);

// A file, or a part of one that says on which line it begins. A text may have thousands of
// findings, so they share it.
struct FoundIn {
  SourceText text;
  LineStarts starts;

  explicit FoundIn(SourceText source) : text(std::move(source)), starts(text.text) {}
};

struct Finding {
  Level level = Level::error;
  Diag diag;
  // Of another table of codes; empty: that of `diag`.
  std::string_view code{};
  std::shared_ptr<const FoundIn> in;
  LineColumn at{};  // in the file

  [[nodiscard]] uint32_t begin() const { return diag.span.begin; }
};

[[nodiscard]] inline std::string_view code_text(const Finding& finding) {
  return finding.code.empty() ? diag_code_text(finding.diag.code) : finding.code;
}

// No mistake, and worth knowing: the values beside a threshold, when a rule fires in strict.
struct CheckNote {
  LineColumn at{1, 1};  // in the file
  std::string message;
  std::vector<std::string> details{};  // lines below it
  std::string help{};
  bool one_is_enough = false;  // of several notes of this kind, where not all are asked for
};

// What a file holds. In the configuration of a daemon only the mistakes are counted.
enum class CheckedKind : uint8_t { rules, definitions, expressions, columns, configuration };

struct CheckedFile {
  std::string name;  // as given, "<stdin>"; "" for expressions of the command line
  CheckedKind kind = CheckedKind::rules;
  size_t count = 0;               // of what it holds
  std::vector<Finding> findings;  // errors first, then warnings; of a level as in the text
  std::vector<CheckNote> notes{};
  // Of each rule, what it means in pmie and in strict. Asked for with the differences.
  std::vector<CheckNote> comparisons{};
  [[nodiscard]] size_t of(Level level) const;
};

// For people: whole lines.
[[nodiscard]] std::string comparisons_text(std::span<const CheckNote> comparisons);

void add_findings(const SourceText& source, const Diags& diags, CheckedFile& file);
void add_findings(const std::shared_ptr<const FoundIn>& in, const Diags& diags, CheckedFile& file);

// The warnings of a file, so that those of a rule are found without a look at all of them. Valid
// until findings come or go.
class WarningsByPlace {
 public:
  explicit WarningsByPlace(CheckedFile& file);
  [[nodiscard]] std::span<Finding* const> in(Span span) const;  // that begin there

 private:
  std::vector<Finding*> sorted_;
};

// In the order of CheckedFile::findings.
void sort_findings(CheckedFile& file);

}  // namespace pmjit
