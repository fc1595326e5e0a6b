// The tokens of a free-format date: numbers, words of date_words.def, signs. Blanks and comments in
// nested parentheses are skipped. For date_text.cc alone.
#pragma once

#include <cstdint>
#include <string_view>

namespace pmjit {

enum class DateKind : uint8_t {
  end,
  number,         // without a sign, or an ordinal word
  signed_number,  // + or − directly before it
  half,           // am, pm: hours to add
  month,
  day,
  zone,
  summer_zone,
  summer,  // "dst" behind a zone
  seconds,
  months,
  whole_days,
  word_seconds,
  ago,
  sign,  // value: the character
  unknown,
};

struct DateToken {
  DateKind kind;
  int64_t value = 0;
};

class DateTokens {
 public:
  explicit DateTokens(std::string_view text) : text_(text) { take(); }
  [[nodiscard]] DateToken next() const { return next_; }  // as often as one likes
  DateToken take();                                       // and go on

 private:
  DateToken scan();
  DateToken scan_number(bool has_sign, bool negative);
  void skip_comment();

  std::string_view text_;
  DateToken next_{DateKind::end};
};

}  // namespace pmjit
