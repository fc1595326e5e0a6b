// What an expression of a rule may be, one a node: where a metric is not known everything is
// possible of it. Source: spec rules-language.md §5–§9, dialects.md §4. Private to this folder.
#pragma once

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "compiler/compat/pmie/rule_reader.h"

namespace pmjit::pmie {

// A number for everything that lanes or values come from, equal for equal ones; ascending.
using RuleOrigins = std::vector<uint32_t>;

struct RuleFacts {
  std::optional<Units> units{};  // with the scales of the metric, after pmie's rates; none: unknown
  bool constant = false;
  bool bare = false;        // a number as written, without units
  bool macro_unit = false;  // the number of a macro that was written with units: those are `units`
  bool text = false;        // is one, and known to be
  bool whole = false;       // whole numbers, few enough bits that no sum of them is rounded

  bool counter = false;      // to strict it may be a raw counter
  bool gauge = true;         // or may be none
  bool has_counter = false;  // there may be one beneath
  bool rated = false;        // pmie makes a rate of something beneath
  bool may_be_nan = false, may_be_infinite = false;

  bool set = false;         // to strict it may have an instance axis
  bool several = false;     // of more than one instance
  InDomId indom = kNullId;  // of the set, where it is known
  RuleOrigins sets{};       // the metrics that its instances come from
  RuleOrigins lacks{};      // what may have no value, so that this has none
  bool unknowns = false;    // a truth that has a value may have unknown elements
  bool uneven = false;      // and others that are not
};

[[nodiscard]] inline bool includes(const RuleOrigins& all, const RuleOrigins& some) {
  return std::ranges::includes(all, some);
}

// What is known of a statement's nodes: facts[i] is of node statement.first_node + i.
[[nodiscard]] std::vector<RuleFacts> find_rule_facts(const RuleProgram& program,
                                                     const ReadStatement& statement);

}  // namespace pmjit::pmie
