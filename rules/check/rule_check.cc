#include "rules/check/rule_check.h"

#include <algorithm>

#include "runtime/model/pm_codes.h"

namespace pmjit {

// The reader that supposes asks nobody.
class RuleCheck::Nobody final : public pmie::RuleMetrics {
 public:
  Result<uint32_t> source(std::string_view) override { return 0U; }
  std::string host(uint32_t) const override { return {}; }
  std::string title(uint32_t) const override { return {}; }
  OrPmError<PmId> look_up(uint32_t, std::string_view) override { return pm_fail(pm_err::E_NAME); }
  OrPmError<Desc> describe(uint32_t, PmId) override { return pm_fail(pm_err::E_NAME); }
  OrPmError<std::vector<Catalog::Instance>> instances(uint32_t, InDomId) override {
    return pm_fail(pm_err::E_NAME);
  }
};

RuleCheck::RuleCheck(const RuleCheckOptions& options)
    : nobody_(std::make_unique<Nobody>()),
      reader_(options.metrics != nullptr ? *options.metrics : *nobody_, silent_,
              {.program = "pmjit",
               .delta = options.delta,
               .settings = options.settings,
               .suppose = options.metrics == nullptr}),
      differences_({.metrics = options.metrics}) {
  reader_.watch(&differences_);
}

Result<void> RuleCheck::read(const std::vector<SourceText>& files) {
  for (const SourceText& file : files) {
    RuleCheckReport::Text& text = report_.texts.emplace_back(RuleCheckReport::Text{.source = file});
    Diags found;
    differences_.begin(found);
    auto done = reader_.read(file.text, file.name);
    differences_.end(reader_.last_failed());
    // In the order of the text; of one place as they were found, and what is about a statement as
    // a whole behind it.
    std::vector<Diag> all(found.all().begin(), found.all().end());
    std::ranges::stable_sort(all, {}, [](const Diag& diag) {
      const bool of_statement =
          diag.code == DiagCode::D_OthersRun || diag.code == DiagCode::D_LastStatusOnly;
      return of_statement ? diag.span.end : diag.span.begin;
    });
    for (const Diag& diag : all) text.diags.append(diag);
    text.statements = differences_.statements();
    render(text);
    if (!done) return done;
  }
  return {};
}

void RuleCheck::render(RuleCheckReport::Text& text) {
  report_.rules +=
      static_cast<size_t>(std::ranges::count_if(text.statements, &pmie::CheckedStatement::is_rule));
  for (const Diag& diag : text.diags.all()) {
    report_.errors += diag.severity == Severity::error ? 1 : 0;
    report_.warnings += diag.severity == Severity::warning ? 1 : 0;
  }
  if (!report_.rendered.empty() && !text.diags.empty()) report_.rendered += '\n';
  report_.rendered += render_all(text.diags, text.source);
}

}  // namespace pmjit
