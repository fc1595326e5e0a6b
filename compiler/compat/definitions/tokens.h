// PcpScanner: the tokens of the compatible dialects, one at a time, because what a `/` is and which
// mistake comes first depend on how far the parser has come. Source: spec derived-metrics.md §3.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "compiler/ast/ast.h"
#include "compiler/ast/dialect.h"
#include "runtime/model/desc.h"

namespace pmjit::pcp {

enum class PcpTokenKind : uint8_t {
  integer,
  real,
  name,
  function,  // a word of the list right before a `(`
  tag,
  string,    // "text"
  instance,  // [text]
  pattern,   // /text/
  open,
  close,
  comma,
  assign,
  question,
  colon,
  sign,  // op: a two-sided operator, or the minus
  not_,
  bad,  // message: why it is none
  end,
};

struct PcpToken {
  PcpTokenKind kind = PcpTokenKind::end;
  Operator op = Operator::none;
  uint32_t begin = 0, end = 0;
  std::string_view message{};
};

class PcpScanner {
 public:
  // `in_pattern` outlives the text: a matchinst( that is never closed makes every later / the start
  // of a pattern (spec §17 defect 11, dialects.md row 14).
  PcpScanner(std::string_view text, Dialect dialect, bool& in_pattern)
      : text_(text.substr(0, text.find('\0'))), dialect_(dialect), in_pattern_(in_pattern) {}

  [[nodiscard]] const PcpToken& peek();
  PcpToken take();
  // After the ) of a matchinst(): / divides again.
  void leave_pattern() { in_pattern_ = false; }
  [[nodiscard]] std::string_view text(const PcpToken& token) const {
    return text_.substr(token.begin, token.end - token.begin);
  }

 private:
  // libpcp takes this byte for the end of the text, but only where it stands: the token that was
  // read up to it has taken it along, and the next one begins behind it.
  static constexpr char kEnd = '\xff';

  [[nodiscard]] PcpToken scan();
  [[nodiscard]] PcpToken word();
  [[nodiscard]] PcpToken number();
  [[nodiscard]] PcpToken enclosed(PcpTokenKind kind, char closing, std::string_view unterminated);
  [[nodiscard]] PcpToken sign();
  [[nodiscard]] char at(size_t i) const { return i < text_.size() ? text_[i] : '\0'; }

  std::string_view text_;
  Dialect dialect_;
  bool& in_pattern_;
  uint32_t at_ = 0;  // before the next token
  bool scanned_ = false;
  PcpToken next_;
};

// What is checked of the words in an expression while it is parsed: tags, units, patterns. Each
// answers with libpcp's message, or with nothing. Source: spec derived-metrics.md §4, §5.

// Units beyond space, time and count are of 7.2.0.
[[nodiscard]] ExtraUnits extra_units_of(Dialect dialect);

[[nodiscard]] std::string wrong_units(std::string_view units, Dialect dialect);
[[nodiscard]] std::string wrong_pattern(const std::string& pattern);
[[nodiscard]] std::string wrong_tag(const Spec& spec, Dialect dialect);
// Of a constant with a fraction: an integer type.
[[nodiscard]] std::string wrong_real(std::span<const Spec> specs);

// The values of tags that are not wrong.
[[nodiscard]] std::optional<int> type_of_tag(std::string_view value);
[[nodiscard]] std::optional<Semantics> semantics_of_tag(std::string_view value);
[[nodiscard]] std::optional<InDomId> indom_of_tag(std::string_view value);
[[nodiscard]] Units units_of_tag(std::string_view value, Dialect dialect);

}  // namespace pmjit::pcp
