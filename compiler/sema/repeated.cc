#include "compiler/sema/repeated.h"

#include <fmt/format.h>

#include <unordered_map>

namespace pmjit {

namespace {

std::string place_of(const NamedExpr& expr) {
  return fmt::format("{}:{}", expr.source->name,
                     line_column(*expr.source, expr.name_span.begin).line);
}

}  // namespace

void refuse_repeated(std::span<const NamedExpr> exprs, const CompatibleMetrics& compatible) {
  std::unordered_map<std::string_view, const NamedExpr*> first;
  for (const NamedExpr& expr : exprs) {
    if (expr.name.empty()) continue;
    const auto [found, is_new] = first.try_emplace(expr.name, &expr);
    const NamedExpr& before = *found->second;
    const CompatibleMetric* other = compatible.find(expr.name);
    const bool named = other != nullptr && !other->place.empty();  // else it was typed
    if (is_new && !named) continue;
    Diag& diag = expr.diags->add(DiagCode::S_Duplicate, expr.name_span, expr.name);
    if (is_new) {
      diag.help(
          fmt::format("the other one, in dialect {}, is in {}", other->dialect, other->place));
    } else if (before.diags == expr.diags) {
      diag.label(before.name_span, "defined here first");
    } else {
      diag.help(fmt::format("the first one is in {}", place_of(before)));
    }
    diag.help("give one of them another name");
  }
}

}  // namespace pmjit
