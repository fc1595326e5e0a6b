// PcpTree: an expression that is bound to the metrics of one context, as the compatible dialects
// see it: every node with its descriptor, in the order in which they are evaluated (operands before
// their users, left before right). Immutable; what changes from fetch to fetch is in PcpEvaluation.
// Source: spec derived-metrics.md §9–§11.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "compiler/ast/ast.h"
#include "compiler/ast/dialect.h"
#include "runtime/base/pattern.h"
#include "runtime/model/desc.h"

namespace pmjit::pcp {

// The functions of one argument.
enum class Function : uint8_t {
  none,
#define FUNCTION(name, text, title) name,
#include "compiler/compat/definitions/functions.def"
#undef FUNCTION
};

// Which arms of a ?: count: a guard that is known before any value leaves one of them out (pcp7).
enum class Arms : uint8_t { both, left, right };

// Values are converted by value / div * mul before they meet another operand's. libpcp's ints: what
// they do not hold wraps, so that from byte to Tbyte the divisor is 0.
struct Factor {
  int32_t mul = 1, div = 1;
  bool wraps = false;
};

struct PcpNode {
  ExprKind kind = ExprKind::name;
  Operator op = Operator::none;
  Function function = Function::none;
  uint32_t args[3] = {};  // indices of PcpTree::nodes
  uint32_t first = 0;     // of the nodes that this is made of, which end with itself
  Desc desc;
  Factor factor;        // of this node's values where they meet others
  int common_type = 0;  // relations, logic: the type in which they are computed
  Arms arms = Arms::both;
  bool unknown = false;     // pcp7: no such metric, and nobody has asked for it yet
  bool nested = false;      // of a derived metric: never has values
  bool asked_only = false;  // of defined(): whether it is there
  bool unused = false;      // inside of a mkconst(), or in an arm that does not count
  bool negated = false;     // matchinst(!…)
  std::string text;         // a name, the digits of a number, an instance
  Pattern pattern;          // matchinst()
};

struct PcpTree {
  Dialect dialect = Dialect::pcp6;
  std::vector<PcpNode> nodes;  // the root last
  std::vector<PmId> operands;  // what a fetch must bring, each once, in the order of the text
  std::vector<PmId> asked;     // and derived ones, which a source does not have

  [[nodiscard]] const Desc& desc() const { return nodes.back().desc; }
};

[[nodiscard]] inline bool is_number(const PcpNode& node) {
  return node.kind == ExprKind::integer || node.kind == ExprKind::real ||
         node.kind == ExprKind::mkconst;
}

}  // namespace pmjit::pcp
