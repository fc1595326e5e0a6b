// Sema: names, units, types and axes of expressions in the strict dialect (spec dialects.md §4). An
// Ast and a Catalog in, the same Ast with a Checked for every expression out, or diagnostics.
//
//   Sema sema(catalog, expressions);       // definitions may use each other in any order
//   sema.check({3, 4});                    // and everything that these use
//   sema.root(3), sema.order()             // users after what they use: the order to lower in
//
// What an operand must become before its operator (another scale, another number type) is decided
// here, in Checked::want; lowering only obeys.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "compiler/ast/ast.h"
#include "compiler/diag/diag.h"
#include "compiler/ir/ir.h"
#include "compiler/sema/compatible.h"
#include "runtime/model/catalog.h"

namespace pmjit {

// An expression with a name of its own: a definition of a file, or one typed at the command line
// (name "").
struct NamedExpr {
  std::string name;
  const Ast* ast = nullptr;  // none: it does not parse, and is not to be blamed on who uses it
  Diags* diags = nullptr;    // of the text that it stands in
  const SourceText* source = nullptr;  // that text
  Span name_span;
  bool as_pcp = false;  // a metric, asked for in a dialect of PCP's
};

struct Checked {
  enum class Refers : uint8_t { nothing, metric, definition, compatible };
  // elem is the strict one (i64, u64, f64, truth): a metric of a narrower type is widened where it
  // is used.
  Type type{};
  bool failed = false;    // a diagnostic was given, here or below
  bool unread = false;    // of no meaning: in an arm of ?: that is never taken
  bool constant = false;  // no metric in it
  bool nobody = false;    // novalue()
  bool bare = false;      // a number without a unit: it takes the unit of what it meets
  bool amount = false;    // a difference, sum or multiple: of a temperature, none itself
  std::optional<double>
      number{};     // of a bare number: for the rules about 0 and infinity; defined()
  uint8_t arm = 0;  // of ?: whose guard is settled: the argument that it is
  Refers refers = Refers::nothing;
  Desc desc{};                 // of the metric
  uint32_t definition = 0;     // or the number of the compatible metric
  std::string instance{};      // [name]: the full name; of several: what matches them
  std::vector<InDomId> met{};  // whose instances are here among those of the type's own domain
  std::array<Type, 3> want{};
};

class Sema {
 public:
  // `catalog`, `compatible` and `equivalent` outlive it.
  Sema(const Catalog& catalog, std::vector<NamedExpr> exprs, const CompatibleMetrics& compatible,
       const EquivalentDomains& equivalent);

  // And everything that they use; what has been checked before is not checked again.
  void check(std::span<const uint32_t> wanted);

  [[nodiscard]] const std::vector<NamedExpr>& exprs() const { return exprs_; }
  // Of expression `index`, one Checked an ExprId. Empty: not reached.
  [[nodiscard]] const std::vector<Checked>& checked(uint32_t index) const {
    return checked_[index];
  }
  [[nodiscard]] const Checked& root(uint32_t index) const {
    const Ast* ast = exprs_[index].ast;
    return ast ? checked_[index][ast->root.index] : does_not_parse_;
  }
  [[nodiscard]] const std::vector<uint32_t>& order() const { return order_; }
  [[nodiscard]] std::optional<uint32_t> definition(std::string_view name) const;
  // Definitions that `index` names directly.
  [[nodiscard]] std::vector<uint32_t> uses(uint32_t index) const;
  [[nodiscard]] const CompatibleMetrics& compatible() const { return compatible_; }
  [[nodiscard]] const Catalog& catalog() const { return catalog_; }
  // Metrics that `name` may be meant for, recorded or defined, the nearest first. Of one that is
  // only mistyped no others.
  [[nodiscard]] std::vector<std::string> near_metrics(const std::string& name) const;
  // Do instances of both meet?
  [[nodiscard]] bool meet(InDomId a, InDomId b) const {
    return a == b || equivalent_.equivalent(a, b) || of_all_hosts(a, b) || of_all_hosts(b, a) ||
           of_two_hosts(a, b);
  }
  // Has `all` the names of `own` on every host of the run?
  [[nodiscard]] bool of_all_hosts(InDomId all, InDomId own) const {
    return all != own && catalog_.domain_of_all_hosts(own) == all;
  }
  // Are they one domain, of two hosts?
  [[nodiscard]] bool of_two_hosts(InDomId a, InDomId b) const {
    const InDomId all = catalog_.domain_of_all_hosts(a);
    return all != a && all == catalog_.domain_of_all_hosts(b);
  }

 private:
  enum class Mark : uint8_t { fresh, open, done };
  const Checked does_not_parse_{.failed = true};
  void check_one(uint32_t index);
  void warn_of_hidden(const NamedExpr& expr) const;
  [[nodiscard]] std::vector<std::string> find_near(const std::string& name) const;

  const Catalog& catalog_;
  std::vector<NamedExpr> exprs_;
  const CompatibleMetrics& compatible_;
  const EquivalentDomains& equivalent_;
  std::unordered_map<std::string, uint32_t> by_name_;
  std::vector<Mark> marks_;
  std::vector<std::vector<Checked>> checked_;
  std::vector<uint32_t> order_;
  mutable std::unordered_map<std::string, std::vector<std::string>> near_;  // that were asked for
};

// One line an expression: `explain --dump=types`.
std::string dump_types(const Sema& sema, uint32_t index);

}  // namespace pmjit
