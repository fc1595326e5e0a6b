// The words of the language that are no operators: how a name, a string, an instance and a pattern
// are written, and which words are reserved.
#pragma once

#include <string>
#include <string_view>

namespace pmjit {

// What looks as a blank does, and is none: a no-break space.
struct OtherBlank {
  std::string_view bytes, name;  // UTF-8; for people
};
// That `text` begins with. Null: with none.
[[nodiscard]] const OtherBlank* other_blank(std::string_view text);

// The function whose arguments are samples of one truth: that so many percent of them are true.
inline constexpr std::string_view kAtLeastOf = "at_least_of";

// Tags of mkconst() and novalue(): as metric names they must be quoted (dialects.md row 12).
bool is_reserved_word(std::string_view word);

// null, nil, NaN: what other languages call a value that is not there.
bool is_null_word(std::string_view word);

// [A-Za-z][A-Za-z0-9_.]*: what may stand without quotes.
bool is_plain_name(std::string_view name);

// Why regcomp() refuses a POSIX extended regular expression; empty: it does not. What would take it
// too much memory (pattern_part.h) it is not asked: the answer is the one for too little memory.
std::string pattern_error(const std::string& pattern);
// The fault of a pattern that regcomp() refuses, for people: "this [ has no ]"; empty: it is not a
// usual one.
std::string pattern_fault(std::string_view pattern);

// Text between delimiters with \ before each byte that would end or escape it, and its inverse: \x
// is x.
std::string escape(std::string_view text, char closing);
std::string unescape(std::string_view text);

}  // namespace pmjit
