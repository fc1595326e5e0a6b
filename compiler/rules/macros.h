// Macros of the strict dialect: names of numbers, which keep their units, and of texts, which are
// one token or a part of one and never read again.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "compiler/ast/ast.h"

namespace pmjit::strict {

struct Macro {
  std::optional<Ast> number;  // none: a text
  std::string text;
  Span span;  // where it is defined
  bool used = false;
};

using Macros = std::map<std::string, Macro, std::less<>>;

}  // namespace pmjit::strict
