// Which dialect a definition file is in (spec dialects.md §2): what --compat says, its pragma, what
// --dialect says, else pcp6.
//
//   #pmjit: dialect=strict        a comment line of its own, before the first definition
#pragma once

#include <optional>
#include <string_view>

#include "compiler/ast/dialect.h"
#include "compiler/diag/diag.h"

namespace pmjit {

// What the command line says.
struct DialectChoice {
  DialectChoice() = default;
  DialectChoice(std::optional<Dialect> dialect) : said(dialect) {}
  DialectChoice(Dialect dialect) : said(dialect) {}
  // --compat: whatever files say.
  [[nodiscard]] static DialectChoice compatible(Dialect dialect) {
    DialectChoice out(dialect);
    out.for_all = true;
    return out;
  }

  std::optional<Dialect> said{};
  bool for_all = false;
  Dialect otherwise = Dialect::pcp6;  // of files that do not say theirs, where nothing is said
};

// A wrong, late, repeated or contradicted pragma is D01 in `diags`.
Dialect dialect_of(const SourceText& file, DialectChoice choice, Diags& diags);

}  // namespace pmjit
