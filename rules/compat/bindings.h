// Bindings: which elements a rule holds for, and what %h %c %i %v are of them. Source: spec
// rules-language.md §13.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "rules/compat/evaluator.h"

namespace pmjit::pmie {

// The nodes that supply names and values for a rule, or for another expression.
struct BindingNodes {
  uint32_t node = kNone;   // B
  uint32_t value = kNone;  // V
};
[[nodiscard]] BindingNodes binding_of(const PmieEvaluator& at, uint32_t start);

// The elements of B that it holds for. Only where B has a value.
[[nodiscard]] std::vector<size_t> satisfying(const PmieEvaluator& at, const BindingNodes& binding);

struct ElementNames {
  std::optional<std::string> host, connection, instance;
};
// Of an element of a node, which need not have an instance axis.
[[nodiscard]] ElementNames names_of(const PmieEvaluator& at, uint32_t node, size_t element,
                                    const std::vector<std::string>& hosts,
                                    const std::vector<std::string>& connections);

// The arguments of an action with their selectors replaced, one after another.
class Expansion {
 public:
  // Names of sources, by their numbers; they outlive it.
  Expansion(const PmieEvaluator& at, const std::vector<std::string>& hosts,
            const std::vector<std::string>& connections)
      : at_(at), hosts_(hosts), connections_(connections) {}

  // `clean`: what becomes of each text that a selector brings in; none: it stays.
  using Clean = std::string (*)(std::string_view);
  [[nodiscard]] std::string expand(const std::vector<std::string>& arguments, uint32_t rule,
                                   Clean clean = nullptr) const;

 private:
  [[nodiscard]] std::string selected(char selector, const ElementNames& names, uint32_t value,
                                     size_t element) const;
  void put(std::string& out, const std::string& argument, const BindingNodes& binding,
           size_t element, Clean clean) const;

  const PmieEvaluator& at_;
  const std::vector<std::string>&hosts_, &connections_;
};

}  // namespace pmjit::pmie
