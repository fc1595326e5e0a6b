// Differences: what a text of a compatible dialect would mean otherwise in strict, row by row of
// the dialect table (spec dialects.md §6–§11, §13.5), as warnings at the place concerned.
//
//   add_differences(ast, {.dialect = Dialect::pcp6, .known = metrics}, diags);
//   add_refused(text, error, …);           // of a text that libpcp does not parse
//
// A row is given where its difference is possible for the expression at hand: after what is known
// of its metrics, else after its form.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/ast/ast.h"
#include "compiler/ast/dialect.h"
#include "compiler/compat/definitions/parse.h"
#include "runtime/model/desc.h"

namespace pmjit {

// The context that a definition is read for.
class KnownMetrics {
 public:
  virtual ~KnownMetrics() = default;

  enum class Kind : uint8_t { recorded, derived, missing, unknown };  // unknown: nobody can say
  struct Metric {
    Kind kind = Kind::unknown;
    std::optional<Desc> desc{};
  };
  [[nodiscard]] virtual Metric metric(const std::string& name) const = 0;
  // Declared so: pcp7 lets their metrics meet.
  [[nodiscard]] virtual bool equivalent(InDomId a, InDomId b) const = 0;
  // Are there marks in the recording, or several archives?
  [[nodiscard]] virtual bool interrupted() const = 0;
  // The names of a domain's instances, ascending by identifier; null: not known.
  [[nodiscard]] virtual const std::vector<std::string>* instances(InDomId indom) const = 0;
};

struct DifferenceOptions {
  Dialect dialect = Dialect::pcp6;
  const KnownMetrics& known;
};
void add_differences(const Ast& ast, const DifferenceOptions& options, Diags& diags);

// Of a text that libpcp refuses: what strict reads differently. `in_pattern`: what the scanner was
// in when the text began.
void add_refused(std::string_view text, Dialect dialect, bool in_pattern, Diags& diags);

// Sets the level of a diagnostic (levels.h), and words a warning for the user. `known`: the
// metadata know all metrics of the definition. `sign`: the text that the diagnostic points at.
void set_level(bool known, std::string_view sign, Diag& diag);

}  // namespace pmjit
