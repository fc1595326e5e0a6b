// Colours on a terminal: errors red, warnings yellow, places blue, suggestions green; in tables
// headings bold, and unknown values yellow. They are put into finished text, line by line, so that
// nobody who writes a text knows of them, and without them it is the same text. Tables alone are
// given theirs, for a line does not show what in it is a heading.
#pragma once

#include <string>
#include <string_view>

#include "rules/cmd/command.h"
#include "runtime/report/text/paint.h"

namespace pmjit {

inline constexpr std::string_view kColorName = "--color";
// Gives it to every verb below; `value` is always, auto or never, and outlives them.
void add_color_option(Command& program, std::string& value);
// From now on. auto: where a terminal is, unless $NO_COLOR is set or $TERM is dumb.
void set_colors(std::string_view value);
[[nodiscard]] bool colors_output();  // is standard output in colour?

// Of tables on standard output: headings, and values that are unknown. Nothing where it is not in
// colour.
[[nodiscard]] Paint table_paint();

// Of messages, if standard error is in colour.
[[nodiscard]] std::string painted_messages(std::string_view text);
// Of results, whole lines, if standard output is: what rules are and became, what tests did.
[[nodiscard]] std::string painted_results(std::string_view text);
// Of `explain why`: its first line, and what is unknown.
[[nodiscard]] std::string painted_why(std::string_view text);

}  // namespace pmjit
