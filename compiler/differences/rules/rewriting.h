// Rewriting: a rule of pmie as strict has to have it, for the same meaning: `rate` before counters,
// parentheses, units. What strict has no words for stays as it is.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/compat/pmie/scanner.h"
#include "compiler/diag/diag.h"

namespace pmjit::pmie {

struct RuleView;

// Around a text, or in its place.
struct Edit {
  Span span;
  std::string before, behind;
  std::optional<std::string> instead{};
};

void add_edits(const RuleView& at, std::vector<Edit>& edits);
void add_edits(const std::vector<ScannedToken>& tokens, std::vector<Edit>& edits);

// A part of the text that the spans are of. Of edits that share a border the wider one is outside.
[[nodiscard]] std::string rewritten(std::string_view text, Span part,
                                    const std::vector<Edit>& edits);

}  // namespace pmjit::pmie
