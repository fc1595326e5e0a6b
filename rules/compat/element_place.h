// Which host and instance an element of a node is. Source: spec rules-language.md §5, §13.
#pragma once

#include <optional>
#include <string>

#include "rules/compat/evaluator.h"

namespace pmjit::pmie {

struct ElementPlace {
  uint32_t host = 0;                      // of the fetch's hosts
  const std::string* instance = nullptr;  // null: it has no name
};

// By the metric records of `metrics`, a fetch; none: there is no such element. An element of a node
// without an instance axis is looked up in the same way (Q29).
[[nodiscard]] std::optional<ElementPlace> place_of(const PmieEvaluator& at, uint32_t metrics,
                                                   size_t element);

}  // namespace pmjit::pmie
