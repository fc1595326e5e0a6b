// StrictScanner: rule files in the strict dialect as tokens of the shared grammar, a statement at a
// time, each with its place. Its words and signs are pmie's (compiler/compat/pmie/words.h); what
// pmie reads otherwise than it looks is refused: `5-3`, `1e+3`, text that is cut.
#pragma once

#include <string>
#include <vector>

#include "compiler/compat/pmie/scanner.h"
#include "compiler/diag/diag.h"
#include "compiler/strict_rules/clock.h"
#include "runtime/base/near.h"

namespace pmjit::strict {

struct ScannedWords {
  std::vector<pmie::ScannedToken> tokens;  // END last
  std::vector<Span> spans;                 // of each token
  std::vector<const StrictMacro*> macros;  // of each token; null: none
};

class StrictScanner {
 public:
  // All outlive it.
  StrictScanner(const SourceText& source, StrictMacros& macros, Diags& diags)
      : text_(source.text), macros_(macros), diags_(diags) {}

  [[nodiscard]] bool at_end();
  // The tokens up to a terminator, which is taken.
  [[nodiscard]] ScannedWords statement();

 private:
  [[nodiscard]] char peek(size_t ahead = 0) const {
    return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
  }
  void skip_blanks();
  void find_alert_words(ScannedWords& words) const;
  void scan(ScannedWords& words);
  void scan_number(pmie::ScannedToken& token);
  void scan_name(pmie::ScannedToken& token);
  void scan_text(pmie::ScannedToken& token);
  void scan_macro(pmie::ScannedToken& token, ScannedWords& words);
  void scan_sign(pmie::ScannedToken& token);
  std::string quoted(char closing, std::string_view what, bool with_macros);
  // Of `$name` in a text, whose $ is taken.
  std::string text_of_macro();
  // `$name`, whose $ is taken; null and a diagnostic: there is none.
  const StrictMacro* reference();
  void add_no_macro(Span where, const std::string& name);
  void refuse_as_number(size_t begin, const StrictMacro& macro);
  void refuse_as_text(size_t begin, const StrictMacro& macro);
  [[nodiscard]] Span from(size_t begin) const {
    return {static_cast<uint32_t>(begin), static_cast<uint32_t>(at_)};
  }

  std::string_view text_;
  StrictMacros& macros_;
  Diags& diags_;
  size_t at_ = 0;
  size_t offers_left_ = kNearAskedMax;
};

}  // namespace pmjit::strict
