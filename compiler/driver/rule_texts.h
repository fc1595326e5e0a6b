// Conditions of rules, compiled together: what they have in common is evaluated once. The other
// door into the list of stages (driver.h), for Asts that are there.
#pragma once

#include <vector>

#include "compiler/driver/driver.h"

namespace pmjit {

struct ParsedRoot {
  size_t source = 0;  // of `sources`
  const Ast* ast = nullptr;
  std::string title;
  bool again = false;  // a part of a root before it: what is wrong was said there
};

// A root each, in this order. All that is given outlives the call. Whoever has read definition
// files has told what of them libpcp skips.
Compilation compile_parsed(const std::vector<SourceText>& sources,
                           const std::vector<ParsedRoot>& roots,
                           const std::vector<SourceText>& definition_files, const Catalog& catalog,
                           const CompileOptions& options);

}  // namespace pmjit
