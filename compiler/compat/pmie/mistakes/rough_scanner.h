// Tokens of a file of rules, as much of each as it takes to see what is missing. Both dialects have
// the same ones. No text is too wrong for it.
//
//   RoughScanner scanner(text);
//   for (RoughToken token = scanner.next(); token.kind != RoughToken::Kind::end; …)
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "compiler/diag/diag.h"

namespace pmjit::pmie {

struct RoughToken {
  enum class Kind : uint8_t { word, text, sign, end };
  Kind kind = Kind::end;
  Span span;
  std::string_view text;
  bool begins_line = false;
  bool open = false;  // a text or name that its line does not close, or by accident
};

[[nodiscard]] bool is_number(std::string_view text);
// ; or } or the end of the text
[[nodiscard]] bool ends_statement(const RoughToken& token);

// Comments and blanks are left out. A text ends with its line at the latest.
class RoughScanner {
 public:
  explicit RoughScanner(std::string_view text) : text_(text) {}

  RoughToken next();
  // Where the comment begins that nothing ends.
  [[nodiscard]] std::optional<uint32_t> open_comment() const { return open_comment_; }

 private:
  [[nodiscard]] Span span(size_t begin) const {
    return {static_cast<uint32_t>(begin), static_cast<uint32_t>(at_)};
  }
  void skip();
  // False: the line ends before it does.
  bool quoted(char quote);

  std::string_view text_;
  size_t at_ = 0;
  bool begins_line_ = true;
  std::optional<uint32_t> open_comment_{};
};

}  // namespace pmjit::pmie
