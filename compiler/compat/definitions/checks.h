// The semantic checks of a node whose operands have been checked, and its descriptor. Source: spec
// derived-metrics.md §10, §11.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "compiler/compat/definitions/tree.h"
#include "runtime/model/equivalent_domains.h"

namespace pmjit::pcp {

struct Wrong {
  std::string what;
  std::string_view message;
};
// `equivalent`: domains whose instances meet, too; null: none.
[[nodiscard]] std::optional<Wrong> check_node(PcpTree& tree, uint32_t at,
                                              const EquivalentDomains* equivalent);

// The type in which two operands meet.
[[nodiscard]] int promoted(int left, int right);

// Units of `+ - * /`, and what the operands are converted by. `base`: the operand that the result
// is like. Sets the factors of both operands; true: a scale is converted, so the result is DOUBLE.
bool combine_units(Operator op, PcpNode& left, PcpNode& right, const Units& base, Units& result);

// pcp7: decides which arms of every ?: count, from guards that are known before any value is:
// defined(), whole numbers, and logic of these. Nodes of the other arms become `unused`.
void choose_arms(PcpTree& tree);

}  // namespace pmjit::pcp
