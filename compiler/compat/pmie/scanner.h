// PmieScanner: the text of rule files as tokens, a statement at a time, with what macros bring in.
// Source: spec rules-language.md §2, §4.
//
//   PmieScanner scanner(macros, "pmie");
//   scanner.open(text, "rules.pmie");
//   while (!scanner.at_end()) use(scanner.statement());
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/compat/pmie/expr.h"
#include "compiler/compat/pmie/settings.h"
#include "compiler/diag/diag.h"
#include "compiler/parse/rule_steps.h"

namespace pmjit::pmie {

using parse::RuleToken;

// Where characters come from: the file, and macros (or text that is read again) on top of it.
struct Input {
  std::shared_ptr<const std::string> text;
  size_t at = 0;
  uint32_t line = 1;
  std::string name;       // of the file, "" for standard input; of the macro
  bool is_macro = false;  // its lines are counted for themselves
  bool again = false;     // text that was looked at: it has no lines
  bool peeked = false;    // the next character, or the end, has been read: a line feed counts
  uint32_t from = 0;      // above the file: where in it what brought this in begins
};
using Inputs = std::vector<Input>;

// A message that the scanner has to say when a token is read.
struct ScanNote {
  std::string text;
  bool counts = false;  // as an error of the statement
};

// What is read otherwise than it looks, as bits: what `check` wants to know of a token.
namespace trap {
enum TrapBit : uint8_t {
  none = 0,
  minus_swallowed = 1,
  exponent_lost = 2,
  number_rounded = 4,
  quotes_lost = 8,
  cut = 16,
  macro_scanned = 32,  // the text of a macro is more than a token, or a part of one
};
}  // namespace trap

struct ScannedToken {
  RuleToken kind = RuleToken::END;
  PmieOp op = PmieOp::constant;  // operators, verbs, aggregates, quantifiers
  Dim dim = Dim::none;
  double number = 0;
  std::string text;  // names, texts, units
  PmieMacro macro;   // MACRO: as it is now
  uint32_t line = 0;
  Inputs after;  // the scanner when it had read this
  std::vector<ScanNote> notes;
  Span span{};                      // in the file; of what a macro brings in: where that is named
  uint8_t traps = trap::none;       // bits of it
  std::vector<std::string> used{};  // macros
};

class PmieScanner {
 public:
  PmieScanner(const PmieMacros& macros, std::string program) : macros_(macros), program_(program) {}

  void open(std::string_view text, std::string_view name);
  [[nodiscard]] bool at_end() const;
  // The tokens up to a terminator, END last.
  [[nodiscard]] std::vector<ScannedToken> statement();
  // Goes back to where the scanner was.
  void resume(const Inputs& inputs) { inputs_ = inputs; }
  [[nodiscard]] const Inputs& inputs() const { return inputs_; }
  // To the next `;`, whatever stands before it.
  void skip_statement();
  // Takes it.
  void end_statement();
  // Where the rest of the file is not read, behind `;` and `.` (spec Q5).
  [[nodiscard]] std::optional<uint32_t> discarded() const { return discarded_; }
  // "pmie: syntax error - near line 3 of file x\n": as seen from there.
  [[nodiscard]] std::string location(Inputs inputs, std::string_view severity) const;

 private:
  static constexpr int kEnd = -1;
  static constexpr size_t kTextMax = 254;  // characters of a name, of a text

  [[nodiscard]] int get();
  [[nodiscard]] int peek();
  void push(Input input);
  // Reads the text of a macro next; false: too many have been.
  bool expand(const PmieMacro& macro, const std::string& name, ScannedToken& token);
  // Where the next character is, in the file.
  [[nodiscard]] uint32_t place() const;
  void skip_blanks();
  [[nodiscard]] bool comment_behind_slash();
  int skip_comment();
  [[nodiscard]] bool comment_next();
  void skip_all();

  void scan(ScannedToken& token);
  void scan_point(ScannedToken& token);
  void scan_sign(int c, ScannedToken& token);
  void scan_terminator();
  void scan_slash(ScannedToken& token);
  void swap_next_two();
  void scan_number(int first, ScannedToken& token);
  bool scan_name(int first, ScannedToken& token, std::string& name, bool& quoted);
  bool scan_text(ScannedToken& token);
  void classify(const std::string& name, ScannedToken& token) const;
  void cut(ScannedToken& token);
  // What stands behind `$`. Null: there is none, and the token is cut here.
  const PmieMacro* reference(ScannedToken& token, std::string& name);
  // A `$` within a name or a text: its text is read next.
  bool embed(ScannedToken& token, bool (*is_literal)(int));

  const PmieMacros& macros_;
  std::string program_;
  Inputs inputs_;
  uint32_t expanded_ = 0;  // macros of this statement
  std::optional<uint32_t> discarded_;
};

}  // namespace pmjit::pmie
