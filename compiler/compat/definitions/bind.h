// bind(): names become metrics, every node gets its descriptor, and what may not stand together is
// refused with libpcp's message. Source: spec derived-metrics.md §9–§11.
//
//   auto tree = pcp::bind(ast, names, {.dialect = Dialect::pcp6});
//   if (!tree && !tree.error().message.empty()) say(tree.error().what, tree.error().message);
#pragma once

#include <expected>
#include <optional>
#include <string>
#include <string_view>

#include "compiler/compat/definitions/tree.h"
#include "runtime/model/catalog.h"
#include "runtime/model/pm_codes.h"

namespace pmjit::pcp {

// The function of this name; none: there is no such function of one argument.
[[nodiscard]] Function function_of(std::string_view text);
// Those of one metric.
[[nodiscard]] std::vector<std::string_view> function_names();

// The context that a metric is bound in.
class BindContext {
 public:
  virtual ~BindContext() = default;

  struct Found {
    PmId pmid;
    bool derived;
  };
  [[nodiscard]] virtual OrPmError<Found> find(std::string_view name) = 0;
  // Binds it first, if it is a derived metric.
  [[nodiscard]] virtual OrPmError<Desc> desc_of(PmId pmid) = 0;
};

struct BindOptions {
  Dialect dialect = Dialect::pcp6;
  bool missing_are_novalue = false;               // PCP_DERIVED_OPTION_NOVALUE
  const EquivalentDomains* equivalent = nullptr;  // pcp7; null: none are
};

struct BindError {
  std::string what;      // the expression that is wrong: "a + 1", "operand a"
  std::string message;   // empty: libpcp says nothing
  Span span;             // of that expression
  bool of_name = false;  // a metric is missing or cannot be used: with others it may do
};

// What people can write instead. Empty: nothing better is known.
[[nodiscard]] std::string_view way_out(const BindError& wrong);

[[nodiscard]] std::expected<PcpTree, BindError> bind(const Ast& ast, BindContext& names,
                                                     const BindOptions& options);

// The semantic checks of a node whose operands have been checked, and its descriptor. Source: spec
// derived-metrics.md §10, §11.
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
