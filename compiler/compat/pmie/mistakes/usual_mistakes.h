// Usual mistakes: what a file of rules lacks where its reader stumbles, mostly a line later. Both
// dialects of rules have the same statements, so one look at the text does for both.
//
//   diags = pmie::with_usual_mistakes(source.text, diags);
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include "compiler/diag/diag.h"

namespace pmjit::pmie {

// Syntax errors of statements that lack a `;`, a quote, a parenthesis, a known action or a known
// unit are replaced by one error that says so where it is missing. So is an unknown metric that
// stands where a unit may: 500 count/s.
[[nodiscard]] Diags with_usual_mistakes(std::string_view text, Diags diags);

// The same of one text whose messages come a few at a time: its statements are looked at once, when
// a message asks for them.
class UsualMistakes {
 public:
  explicit UsualMistakes(std::string text);
  ~UsualMistakes();
  UsualMistakes(const UsualMistakes&) = delete;
  UsualMistakes& operator=(const UsualMistakes&) = delete;
  [[nodiscard]] Diags instead_of(Diags diags) const;

 private:
  struct Look;
  const std::string text_;
  mutable std::once_flag looked_;
  mutable std::unique_ptr<const Look> look_;
};
// What is here in the place of a file of Prometheus with `groups:`, whose rules are in YAML.
inline constexpr std::string_view kPrometheusHelp =
    "alert: high, expr: x > 5, for: 10m is here, in a file NAME.pmie: high = alert x > 5 for 10 "
    "min; its first line is // pmjit: dialect=strict";
// Does each line define a metric, and none end in a ;? Then it is no file of rules.
[[nodiscard]] bool defines_metrics(std::string_view text);
// The same but for a ; at the end of lines: where the first one is. None: it is something else.
[[nodiscard]] std::optional<uint32_t> semicolon_of_definitions(std::string_view text);
// Either of them.
[[nodiscard]] bool is_meant_for_definitions(std::string_view text);
// Where a comment begins that nothing ends: the rest of the file is part of it.
[[nodiscard]] std::optional<uint32_t> open_comment(std::string_view text);
// A } that closes nothing, which both dialects take for a ;.
void warn_of_brace(std::string_view text, Diags& diags);

}  // namespace pmjit::pmie
