// Words: one line of the text form, word by word. Nothing here knows what the words mean.
//
//   Words line("%1 = rate %0 : f64 instant");
//   line.take("%")  line.number()  line.take(" = ")  line.word() …
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace pmjit {

class Words {
 public:
  explicit Words(std::string_view line) : line_(line) {}

  [[nodiscard]] bool done() const { return at_ == line_.size(); }
  [[nodiscard]] size_t column() const { return at_ + 1; }
  [[nodiscard]] bool next_is(std::string_view text) const { return rest().starts_with(text); }
  // Goes on behind `text` if it is what comes next.
  [[nodiscard]] bool take(std::string_view text);
  std::string_view word();                          // up to a space or the end
  [[nodiscard]] std::optional<uint32_t> number();   // decimal digits
  [[nodiscard]] std::optional<std::string> name();  // a word, or quoted text
  // Everything before the first of ` over `, ` hosts `, ` window ` or the end.
  std::string_view before_axes();

 private:
  [[nodiscard]] std::string_view rest() const { return line_.substr(at_); }
  std::string_view line_;
  size_t at_ = 0;
};

}  // namespace pmjit
