// S14: a pattern of matchinst() or match_inst, or a name in brackets, that selects none of the
// instances there are. The
// same words in every dialect.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "compiler/diag/diag.h"

namespace pmjit {

struct NoMatch {
  std::string pattern;
  bool negated = false;  // selects those that do not match
  std::string of;        // what has the instances

  // No instance at all selects nobody either, but then nothing is known.
  [[nodiscard]] bool holds(std::span<const std::string> instances) const;
  [[nodiscard]] std::string text() const;
  // Which instances there are.
  [[nodiscard]] static std::string help(std::span<const std::string> instances);
  void add_to(Diags& diags, Span where, std::span<const std::string> instances) const;
};

// Of x[name], where x is one value: "mem.free has no instances, so [sda] selects nothing".
[[nodiscard]] std::string no_instances_text(std::string_view of, std::string_view wanted);
inline constexpr const char* kNoInstancesHelp = "leave the brackets out";

}  // namespace pmjit
