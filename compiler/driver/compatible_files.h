// Definition files of the compatible dialects: read as libpcp reads them, bound to a catalog.
// Private to compiler/driver.
//
//   CompatibleFiles files;
//   files.read(file, Dialect::pcp6);
//   out.compatible = files.bind(catalog);
//
// What libpcp skips is skipped, and told: files of many definitions are for many hosts, and of a
// host some metrics are always missing.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "compiler/ast/dialect.h"
#include "compiler/compat/registry/config_file.h"
#include "compiler/diag/diag.h"
#include "compiler/ir/ir.h"
#include "compiler/plan/plan.h"
#include "compiler/sema/compatible.h"
#include "runtime/model/catalog.h"

namespace pmjit {

class CompatibleFiles {
 public:
  // Instances of equivalent domains meet in pcp7.
  explicit CompatibleFiles(EquivalentDomains equivalent) : equivalent_(std::move(equivalent)) {}

  // libpcp's messages about what it skips go to `mistakes`, and names that a file of another
  // dialect has defined: the first stays, lines of the others are repeated ones.
  void read(const SourceText& file, Dialect dialect, std::vector<std::string>& mistakes);
  // An expression that nobody has given a name: its text is its name. A name alone is none: it
  // stays that of what is defined or recorded. Else what is wrong with it.
  [[nodiscard]] std::optional<pcp::SyntaxError> add(const std::string& expression, Dialect dialect);
  // Such a name, as strict reads it.
  void add_name(const std::string& expression, Dialect dialect, const Ast& ast);
  // What was read, in its order.
  struct File {
    SourceText source;
    Dialect dialect;
    std::vector<ReadLine> lines;
    Span not_read{};  // a last line without a newline
  };
  [[nodiscard]] const std::vector<File>& files() const { return files_; }
  struct Typed {
    std::string expression;
    Dialect dialect;
    std::optional<pcp::SyntaxError> wrong;
    bool in_pattern = false;         // of the scanner, before it
    std::shared_ptr<const Ast> ast;  // none: something is wrong
  };
  [[nodiscard]] const std::vector<Typed>& typed() const { return typed_; }
  [[nodiscard]] const DerivedMetric* find(const std::string& name, Dialect dialect) const;
  [[nodiscard]] bool equivalent(InDomId a, InDomId b) const { return equivalent_.equivalent(a, b); }
  // Definitions read so far.
  [[nodiscard]] size_t definitions() const;
  // All of them, in the order of the text; those that cannot be used say why, also where they use
  // metrics of `strict`, which are defined in that dialect. What was read and `catalog` outlive it.
  [[nodiscard]] CompatibleMetrics bind(const Catalog& catalog,
                                       const std::set<std::string>& strict) const;

 private:
  Registry& registry(Dialect dialect);

  EquivalentDomains equivalent_;
  std::vector<File> files_;
  std::vector<Typed> typed_;
  // Of one dialect; definitions see those of all files in it.
  std::map<Dialect, Registry> registries_;
  std::set<const DerivedMetric*> hidden_;  // by one of another dialect
};

// prove(): derived metrics of a compatible dialect become core operators, which kernels compute,
// wherever these give the same bits at every time and for every instance, whatever is recorded:
// names, and arithmetic in binary64 without scales. Source: spec dialects.md §7–§10, design §6.
//
//   %0 = derived "half" : f64 …     →  %0 = fetch x : u64 …   %1 = to_f64 %0   %2 = constant 2
//                                      %3 = div_or_0 %1 %2    %4 = proven "half" %3
//
// What stays as it is: integers (they wrap), single precision, aggregates (in the order of the
// fetch), relations (of NaN), ?: (by position), selections, scales, everything with a history, and
// all that is used beneath a history of a strict expression.

// `bodies`: of Ir::derived.
[[nodiscard]] Ir prove(const Ir& ir, const Bodies& bodies);

}  // namespace pmjit
