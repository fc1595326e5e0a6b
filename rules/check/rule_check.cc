#include "rules/check/rule_check.h"

#include <fmt/format.h>

#include <algorithm>

#include "compiler/compat/pmie/mistakes/usual_mistakes.h"
#include "rules/check/conditions.h"
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
      differences_({.metrics = options.metrics,
                    .catalog = options.catalog,
                    .differences = options.differences,
                    .progress = progress_of(options.progress)}) {
  reader_.watch(&differences_);
}

std::function<void(uint32_t)> RuleCheck::progress_of(std::function<void(double)> show) const {
  if (!show) return {};
  return [this, show = std::move(show)](uint32_t at) {
    show(static_cast<double>(read_ + at) / static_cast<double>(all_));
  };
}

namespace {

// A host that a rule asks for and no archive is of: an error at its name, and the file's last.
bool add_missing_host(const Error& error, std::string_view text, Diags& found) {
  constexpr std::string_view kHost = "host ";
  if (error.fault() != Fault::not_found || !error.place().starts_with(kHost)) return false;
  const std::string_view host = std::string_view(error.place()).substr(kHost.size());
  Span where{0, 1};
  for (size_t at = text.find(host); at != text.npos; at = text.find(host, at + 1)) {
    const size_t before = text.find_last_not_of(" \t'", at == 0 ? text.npos : at - 1);
    if (at == 0 || before == text.npos || text[before] != ':') continue;
    where = {static_cast<uint32_t>(at), static_cast<uint32_t>(at + host.size())};
    break;
  }
  Diag& diag = found.add(DiagCode::P_RuleText, where, "");
  diag.message = fmt::format("none of the archives is of host {}", host);
  diag.help("name an archive of each host with -a; what follows in the file is not checked");
  return true;
}

}  // namespace

void RuleCheck::warn_of_conditions(std::string_view text, Diags& found) const {
  const pmie::RuleProgram& program = reader_.program();
  MistakenOperands mistaken;
  for (const Diag& diag : found.all()) mistaken.add(diag.code, diag.severity, diag.span.begin);
  for (const pmie::CheckedStatement& statement : differences_.statements()) {
    if (!statement.is_rule) continue;
    const uint32_t root = program.statements[statement.number].root;
    std::vector<Condition> conditions = turns_of(program, root, text);
    const bool is_ruleset = !conditions.empty();
    if (!is_ruleset) conditions.push_back(condition_of(program, root, text));
    for (Condition& one : conditions) {
      mistaken.leave_out_of(one);
      warn_of_constant(one, found);
    }
    if (is_ruleset) warn_of_turns(conditions, found);
  }
}

Result<void> RuleCheck::read(const std::vector<SourceText>& files) {
  for (const SourceText& file : files) all_ += file.text.size();
  for (const SourceText& file : files) {
    RuleCheckReport::Text& text = report_.texts.emplace_back(RuleCheckReport::Text{.source = file});
    Diags found;
    differences_.begin(found, text.source.text);
    auto done = reader_.read(file.text, file.name);
    differences_.end(reader_.last_failed());
    if (!done && add_missing_host(done.error(), file.text, found)) done = {};
    warn_of_conditions(file.text, found);
    // In the order of the text; of one place as they were found, and what is about a statement as
    // a whole behind it.
    std::vector<const Diag*> all;
    for (const Diag& diag : found.all()) all.push_back(&diag);
    std::ranges::stable_sort(all, {}, [](const Diag* diag) {
      const bool of_statement =
          diag->code == DiagCode::D_OthersRun || diag->code == DiagCode::D_LastStatusOnly;
      return of_statement ? diag->span.end : diag->span.begin;
    });
    Diags ordered;
    for (const Diag* diag : all) ordered.append(*diag);
    if (const auto at = pmie::open_comment(file.text)) {
      Diag& diag = ordered.add_here(DiagCode::D_RestIgnored, Span{*at, *at + 2});
      diag.severity = Severity::warning;
      diag.message = "this comment has no */, so the rest of the file is part of it";
      diag.help("write */ where it ends; a comment of one line begins with //");
    }
    if (done) pmie::warn_of_brace(file.text, ordered);
    text.diags = pmie::with_usual_mistakes(file.text, std::move(ordered));
    text.statements = differences_.statements();
    read_ += file.text.size();
    if (!done) return done;
  }
  return {};
}

size_t RuleCheckReport::Text::rules() const {
  const std::string_view all(source.text);
  // Of a mistaken statement nobody knows: one without a comparison was to be a macro.
  return static_cast<size_t>(std::ranges::count_if(statements, [&](const auto& one) {
    const std::string_view rest = all.substr(one.span.begin);
    const std::string_view statement = rest.substr(0, rest.find(';'));
    const bool compares = statement.find_first_of("<>") != statement.npos ||
                          statement.contains("==") || statement.contains("!=");
    return one.is_rule || (one.mistaken && compares);
  }));
}

}  // namespace pmjit
