// Diagnostics: a user's mistake as data, with a code, a place and a way out. Stages add them to a
// Diags and go on as far as they can; the driver stops after a stage that added an error.
//
//   diags.add(DiagCode::E_UnitsDiffer, expr.op_span, units_text(l), units_text(r))
//       .label(lhs.span, fmt::format("this is {}", units_text(l)))
//       .help("divide by an interval, or take rate()");
//
// The closed set of codes, their severity and their texts stand in diag.def; every row occurs in a
// case.
#pragma once

#include <cstdint>
#include <list>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace pmjit {

// Bytes [begin, end) of a Source. begin == end: a place between two bytes.
struct Span {
  uint32_t begin = 0, end = 0;
  friend constexpr bool operator==(const Span&, const Span&) = default;
};
inline Span join(Span a, Span b) {
  return {a.begin < b.begin ? a.begin : b.begin, a.end > b.end ? a.end : b.end};
}

enum class Severity : uint8_t { note, warning, error };

enum class DiagCode : uint16_t {
#define DIAG(name, code, severity, text) name,
#include "compiler/diag/diag.def"
#undef DIAG
};

std::string_view diag_code_text(DiagCode code);  // "D02", "P01", "S07"

struct DiagLabel {
  Span span;
  std::string text;
};

struct Diag {
  DiagCode code;
  Severity severity;
  Span span;
  std::string message;
  std::vector<DiagLabel> labels;
  std::vector<std::string> helps;

  Diag& label(Span where, std::string text);
  Diag& help(std::string text);
};

class Diags {
 public:
  // The row's text with {} replaced, in order, by the arguments. The reference stays valid.
  template <class... Args>
  Diag& add(DiagCode code, Span span, const Args&... args) {
    return add_with(code, span, false, {std::string(std::string_view(args))...});
  }
  // The same for a row's text about a compatible dialect: a warning.
  template <class... Args>
  Diag& add_here(DiagCode code, Span span, const Args&... args) {
    return add_with(code, span, true, {std::string(std::string_view(args))...});
  }
  void append(const Diag& diag) { diags_.push_back(diag); }
  // One more help with each of them.
  void help_all(const std::string& text) {
    for (Diag& diag : diags_) diag.help(text);
  }
  [[nodiscard]] bool has_errors() const;
  [[nodiscard]] bool empty() const { return diags_.empty(); }
  [[nodiscard]] const std::list<Diag>& all() const { return diags_; }

 private:
  Diag& add_with(DiagCode code, Span span, bool here, std::vector<std::string> args);
  std::list<Diag> diags_;  // most texts have none, and add() gives a reference that stays
};

// Source: one text that is compiled, with its name; and the rendering of diagnostics against it:
//
//   error[D50]: dimensions differ: Kbyte and count / sec
//     --> rates.conf:3:18
//      |
//    3 | total = mem.free + rate(disk.read)
//      |         -------- ^ --------------- this is count / sec
//      |         |
//      |         this is Kbyte
//      = help: divide by an interval, or take rate()
//
// One line a fact where several labels share a line; columns count code points.
struct SourceText {
  std::string name;  // a file name, or "<expression>"
  std::string text;
  uint32_t first_line = 1;  // of the first byte, where the text is a part of a file
};

struct LineColumn {
  uint32_t line, column;  // from 1
};
LineColumn line_column(const SourceText& source, uint32_t offset);

// What is rendered: a Diag, or a mistake with a code of another table.
struct DiagView {
  std::string_view code;
  Severity severity = Severity::error;
  Span span{};
  std::string_view message;
  std::span<const DiagLabel> labels{};
  std::span<const std::string> helps{};
};

std::string render(const DiagView& diag, const SourceText& source);
std::string render(const Diag& diag, const SourceText& source);
std::string render_all(const Diags& diags, const SourceText& source);

}  // namespace pmjit
