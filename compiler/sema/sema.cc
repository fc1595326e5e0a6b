#include "compiler/sema/sema.h"

#include <fmt/core.h>

#include <algorithm>
#include <set>

#include "compiler/sema/checker.h"
#include "runtime/base/limits.h"
#include "runtime/base/near.h"
#include "runtime/model/exporter_names.h"

namespace pmjit {

namespace {

// Each takes a look at all metrics. A file with more wrong names has another mistake.

// Is only the place alike, as of all.uptime and all.cpu.idle? Then it is no slip and no other home.
bool is_neighbour(std::string_view name, std::string_view near) {
  if (near.starts_with(name) || name.starts_with(near)) return false;
  const std::string_view word = name.substr(name.rfind('.') + 1);  // npos + 1 is 0
  constexpr size_t kLettersToEdit = 3;
  return edit_distance(word, near.substr(near.rfind('.') + 1)) * kLettersToEdit > word.size();
}

}  // namespace

Sema::Sema(const Catalog& catalog, std::vector<NamedExpr> exprs,
           const CompatibleMetrics& compatible, const EquivalentDomains& equivalent)
    : catalog_(catalog),
      exprs_(std::move(exprs)),
      compatible_(compatible),
      equivalent_(equivalent),
      marks_(exprs_.size(), Mark::fresh),
      checked_(exprs_.size()) {
  for (uint32_t i = 0; i < exprs_.size(); ++i) {
    if (!exprs_[i].name.empty()) by_name_.try_emplace(exprs_[i].name, i);
  }
}

std::optional<uint32_t> Sema::definition(std::string_view name) const {
  auto it = by_name_.find(std::string(name));
  if (it == by_name_.end()) return std::nullopt;
  return it->second;
}

std::vector<std::string> Sema::near_metrics(const std::string& name) const {
  const auto known = near_.find(name);
  if (known != near_.end()) return known->second;
  if (near_.size() == kNearAskedMax) return {};
  return near_.emplace(name, find_near(name)).first->second;
}

std::vector<std::string> Sema::find_near(const std::string& name) const {
  std::vector<std::string> out = near_names(catalog_, name);
  std::set<std::string> defined;
  constexpr std::string_view kSigns = " ()[]+-*/<>=!?:&|'\"";
  for (std::string& metric : compatible_.names()) {
    // An expression of a dialect of PCP's is its own name.
    if (metric.find_first_of(kSigns) == metric.npos) defined.insert(std::move(metric));
  }
  for (const auto& [own, number] : by_name_) defined.insert(own);
  const std::vector<std::string> own = near_names(name, {defined.begin(), defined.end()});
  for (const std::string& metric : own) {
    if (std::ranges::find(out, metric) == out.end()) out.push_back(metric);
  }
  std::ranges::stable_sort(out, {}, [&](const auto& near) { return edit_distance(name, near); });
  std::vector<std::string> slips = out;
  keep_slips(name, slips);
  if (!slips.empty()) {
    out = std::move(slips);
  } else if (name_in_pcp(name).empty()) {
    std::erase_if(out, [&](const std::string& near) { return is_neighbour(name, near); });
  }
  out.resize(std::min(out.size(), limits::kNearNamesMax));
  return out;
}

std::vector<uint32_t> Sema::uses(uint32_t index) const {
  std::vector<uint32_t> out;
  if (!exprs_[index].ast) return out;
  const Ast& ast = *exprs_[index].ast;
  const auto add = [&](std::string_view name) {
    if (const auto found = definition(name)) out.push_back(*found);
  };
  for (const Expr& expr : ast.exprs) {
    if (expr.kind == ExprKind::name) add(expr.text);
    for (const Spec& spec : ast.specs_of(expr)) {
      if (spec.tag == "meta") add(spec.value);
    }
  }
  return out;
}

// Depth first with a stack of our own: chains of definitions may be long.
void Sema::check(std::span<const uint32_t> wanted) {
  struct Visit {
    uint32_t index;
    std::vector<uint32_t> uses;
    size_t next = 0;
  };
  std::vector<Visit> stack;
  auto enter = [&](uint32_t index) {
    marks_[index] = Mark::open;
    stack.push_back({index, uses(index)});
  };
  for (uint32_t index : wanted) {
    if (marks_[index] == Mark::fresh) enter(index);
    while (!stack.empty()) {
      Visit& visit = stack.back();
      if (visit.next < visit.uses.size()) {
        const uint32_t used = visit.uses[visit.next++];
        if (marks_[used] == Mark::fresh) {
          enter(used);
        } else if (marks_[used] == Mark::open) {
          const NamedExpr& expr = exprs_[used];
          expr.diags->add(DiagCode::S_Cycle, expr.name_span, expr.name)
              .help("a definition may use others, but not itself through them");
          checked_[used].assign(expr.ast->exprs.size(), Checked{.failed = true});
        }
        continue;
      }
      check_one(visit.index);
      marks_[visit.index] = Mark::done;
      order_.push_back(visit.index);
      stack.pop_back();
    }
  }
}

// disk.dev = …: this definition hides the metrics below the name disk.dev.
void Sema::warn_of_hidden(const NamedExpr& expr) const {
  const std::vector<std::string> below = catalog_.leaves(expr.name);
  if (below.empty() || below.front() == expr.name) return;  // a leaf that nobody describes
  Diag& diag = expr.diags->add(DiagCode::S_HidesMetric, expr.name_span, expr.name);
  diag.severity = Severity::warning;
  diag.message =
      fmt::format("there are metrics below the name {}, such as {}", expr.name, below.front());
  diag.help("give the definition another name");
}

void Sema::check_one(uint32_t index) {
  const NamedExpr& expr = exprs_[index];
  if (!checked_[index].empty()) return;  // part of a cycle
  if (!expr.name.empty() && catalog_.describe(expr.name)) {
    expr.diags->add(DiagCode::S_HidesMetric, expr.name_span, expr.name)
        .help("the real metric would win in every other dialect; choose another name");
  } else if (!expr.name.empty()) {
    warn_of_hidden(expr);
  }
  if (expr.ast) checked_[index] = Checker(*this, expr).run();
}

std::string dump_types(const Sema& sema, uint32_t index) {
  const Ast& ast = *sema.exprs()[index].ast;
  std::string out;
  for (uint32_t i = 0; i < ast.exprs.size(); ++i) {
    const Checked& checked = sema.checked(index)[i];
    const Expr& expr = ast.exprs[ExprId{{i}}];
    const std::string units = units_text(checked.type.units);
    out += fmt::format(
        "{}..{} {}: {} {}{}{}{}{}\n", expr.span.begin, expr.span.end,
        expr.text.empty() ? operator_text(expr.op) : std::string_view(expr.text),
        checked.failed ? "failed" : elem_text(checked.type.elem),
        semantics_text(checked.type.semantics), units.empty() ? "" : " ", units,
        checked.type.axes.domain == kNullId ? "" : " over " + indom_text(checked.type.axes.domain),
        checked.bare ? " (bare number)" : "");
  }
  return out;
}

}  // namespace pmjit
