#include "runtime/base/chars.h"
#include "runtime/text/date_text.h"

#include <algorithm>
#include <cctype>
#include <string>

namespace pmjit {

namespace {

struct DateWord {
  std::string_view text;
  DateKind kind;
  int64_t value;
};
constexpr DateWord kWords[] = {
#define DATE_WORD(text, kind, value) {text, DateKind::kind, value},
#include "runtime/text/date_words.def"
#undef DATE_WORD
};

template <class Match>
const DateWord* find_word(Match match) {
  const auto* it = std::ranges::find_if(kWords, match);
  return it == std::end(kWords) ? nullptr : it;
}

const DateWord* exactly(std::string_view text) {
  return find_word([&](const DateWord& word) { return word.text == text; });
}

bool is_name(DateKind kind) { return kind == DateKind::month || kind == DateKind::day; }
bool is_unit(DateKind kind) { return kind == DateKind::months || kind == DateKind::seconds; }
bool is_zone(DateKind kind) { return kind == DateKind::zone || kind == DateKind::summer_zone; }

// A letter is a zone: a to m without j lie east of ours in the writer's eyes, so minutes west;
// n to y the other way; z is Greenwich.
int64_t military_minutes(char letter) {
  if (letter == 'z') return 0;
  if (letter > 'm') return -60 * (letter - 'm');
  return 60 * (letter - 'a' + (letter < 'j'));
}

DateToken word_token(std::string text) {
  std::ranges::transform(text, text.begin(), [](unsigned char c) { return std::tolower(c); });
  if (const DateWord* word = exactly(text)) return {word->kind, word->value};
  if (text.size() == 4 && text[3] == '.') text.pop_back();
  if (text.size() == 3) {
    const DateWord* name = find_word(
        [&](const DateWord& word) { return is_name(word.kind) && word.text.starts_with(text); });
    if (name) return {name->kind, name->value};
  }
  if (const DateWord* word = exactly(text)) return {word->kind, word->value};
  if (text.ends_with('s')) {
    const DateWord* unit = exactly(std::string_view(text).substr(0, text.size() - 1));
    if (unit && is_unit(unit->kind)) return {unit->kind, unit->value};
  }
  if (text.size() == 1 && is_letter(text[0]) && text[0] != 'j') {
    return {DateKind::zone, military_minutes(text[0])};
  }
  std::erase(text, '.');
  const DateWord* zone = exactly(text);
  if (zone && is_zone(zone->kind)) return {zone->kind, zone->value};
  return {DateKind::unknown};
}

}  // namespace

DateToken DateTokens::take() {
  const DateToken taken = next_;
  next_ = scan();
  return taken;
}

DateToken DateTokens::scan() {
  while (!text_.empty()) {
    const char c = text_.front();
    if (std::isspace(static_cast<unsigned char>(c))) {
      text_.remove_prefix(1);
    } else if (is_digit(c)) {
      return scan_number(false, false);
    } else if (c == '+' || c == '-') {
      text_.remove_prefix(1);  // before anything but a digit a sign means nothing
      if (!text_.empty() && is_digit(text_.front())) return scan_number(true, c == '-');
    } else if (is_letter(c)) {
      const auto* stop = std::ranges::find_if_not(
          text_, [](char letter) { return is_letter(letter) || letter == '.'; });
      const auto many = static_cast<size_t>(stop - text_.begin());
      const std::string word(text_.substr(0, many));
      text_.remove_prefix(many);
      return word_token(word);
    } else if (c == '(') {
      skip_comment();
    } else {
      text_.remove_prefix(1);
      return {DateKind::sign, c};
    }
  }
  return {DateKind::end};
}

// Digits beyond 64 bits wrap, as they do in the reference.
DateToken DateTokens::scan_number(bool has_sign, bool negative) {
  uint64_t value = 0;
  while (!text_.empty() && is_digit(text_.front())) {
    value = value * 10 + static_cast<uint64_t>(text_.front() - '0');
    text_.remove_prefix(1);
  }
  return {has_sign ? DateKind::signed_number : DateKind::number,
          static_cast<int64_t>(negative ? 0 - value : value)};
}

// A comment that is not closed goes to the end.
void DateTokens::skip_comment() {
  int depth = 0;
  while (!text_.empty()) {
    const char c = text_.front();
    text_.remove_prefix(1);
    depth += c == '(' ? 1 : c == ')' ? -1 : 0;
    if (depth == 0) return;
  }
}

}  // namespace pmjit
