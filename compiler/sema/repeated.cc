#include "compiler/sema/repeated.h"

#include <fmt/format.h>

#include <unordered_map>

#include "compiler/diag/line_starts.h"

namespace pmjit {

namespace {

// Where names stand in files that may have thousands.
class NamePlaces {
 public:
  std::string text_of(const NamedExpr& expr) {
    const SourceText& source = *expr.source;
    const LineStarts& starts = starts_.try_emplace(&source, source.text).first->second;
    return fmt::format("{}:{}", source.name,
                       line_column(source, starts, expr.name_span.begin).line);
  }

 private:
  std::unordered_map<const SourceText*, LineStarts> starts_;
};

}  // namespace

void refuse_repeated(std::span<const NamedExpr> exprs, const CompatibleMetrics& compatible) {
  std::unordered_map<std::string_view, const NamedExpr*> first;
  NamePlaces places;
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
      diag.help(fmt::format("the first one is in {}", places.text_of(before)));
    }
    diag.help("give one of them another name");
  }
}

}  // namespace pmjit
