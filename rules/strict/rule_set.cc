#include "rules/strict/rule_set.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "compiler/diag/line_starts.h"
#include "compiler/strict_rules/tree.h"
#include "runtime/model/hosts.h"

namespace pmjit::strict {

namespace {

ClauseRoots add_clause(const Clause& clause, size_t source, TaskRules& to) {
  ClauseRoots out;
  if (!clause.condition) return out;
  const auto add = [&](const Ast& ast, bool again) {
    to.roots.push_back({.source = source, .ast = &ast, .title = print(ast), .again = again});
    return to.roots.size() - 1;
  };
  out.condition = add(*clause.condition, false);
  for (const Binding& binding : clause.bindings) {
    BindingRoots& roots = out.bindings.emplace_back(BindingRoots{.of = out.bindings.size(),
                                                                 .set = add(binding.set, true),
                                                                 .first_only = binding.first_only,
                                                                 .each_host = binding.each_host,
                                                                 .hosts = binding.hosts});
    if (binding.value) roots.value = add(*binding.value, true);
  }
  return out;
}

void add_named(const AlertTerms& terms, size_t source, TaskRules& to, TaskRule& rule) {
  for (const auto& [name, value] : terms.values) {
    if (!value.ast) continue;
    to.roots.push_back({.source = source, .ast = &*value.ast, .title = print(*value.ast)});
    rule.named.emplace_back(name, to.roots.size() - 1);
  }
}

bool names_hosts(const Ast& ast) {
  for (const Expr& expr : ast.exprs) {
    if (is_over_hosts(expr)) return true;
    if (expr.kind == ExprKind::name && MetricOfHost::of(expr.text)) return true;
    for (const Spec& spec : ast.specs_of(expr)) {
      if (spec.tag == "host") return true;
    }
  }
  return false;
}

void refuse_names(const RuleSet& set, const RuleFile& file, Diags& diags) {
  std::map<size_t, LineStarts> starts;  // of sources
  for (const Rule& rule : file.rules) {
    const auto same = set.first_of.find(rule.name);
    if (same == set.first_of.end()) continue;
    const auto& [first, source] = set.rules[same->second];
    const SourceText& text = set.sources[source];
    const LineStarts& lines = starts.try_emplace(source, text.text).first->second;
    diags.add(DiagCode::S_Duplicate, rule.span, rule.name)
        .help(fmt::format("the first one is in {}:{}; give each rule its own name", text.name,
                          line_column(text, lines, first.span.begin).line))
        .help("to compare two versions of a file: pmjit run --diff OLD NEW -a ARCHIVE");
  }
}

}  // namespace

Result<void> add_rules(RuleSet& set, SourceText source, const ReadOptions& options) {
  Diags diags;
  auto file = read_rules(source, options, diags);
  if (!file) return fail(file.error().at("file", source.name));
  diags = with_other_alerts(source.text, diags);
  refuse_names(set, *file, diags);
  if (diags.has_errors()) set.errors += render_all(diags, source);
  if (!diags.empty()) set.wrong.push_back({.source = source, .diags = diags});
  set.macros.merge(file->macros);
  for (Rule& rule : file->rules) {
    set.first_of.try_emplace(rule.name, set.rules.size());
    set.rules.push_back({.rule = std::move(rule), .source = set.sources.size()});
  }
  set.mistakes.push_back(std::make_shared<const pmie::UsualMistakes>(source.text));
  set.sources.push_back(std::move(source));
  return {};
}

bool joins_hosts(const SetRule& rule) {
  if (rule.rule.alert) {
    for (const auto& [name, value] : rule.rule.alert->values) {
      if (value.ast && names_hosts(*value.ast)) return true;
    }
  }
  return std::ranges::any_of(rule.rule.clauses, [](const Clause& clause) {
    return clause.condition && names_hosts(*clause.condition);
  });
}

bool looks_beyond_host(const SetRule& rule) {
  const bool has_own = std::ranges::any_of(rule.rule.clauses, [](const Clause& clause) {
    return clause.condition && has_metric(*clause.condition, clause.condition->root);
  });
  return joins_hosts(rule) || !has_own;
}

std::vector<std::string> hosts_of(const Feeds& feeds) {
  if (feeds.hosts() == nullptr) return {feeds.host()};
  std::vector<std::string> out;
  for (const HostsCatalog::Part& part : feeds.hosts()->hosts()) out.push_back(part.name);
  return out;
}

std::vector<TaskRules> tasks_of(const RuleSet& set, const TakesRule& takes) {
  std::vector<TaskRules> out;
  std::map<double, size_t> task_of;  // of `out`, by interval
  for (size_t i = 0; i < set.rules.size(); ++i) {
    const auto& [rule, source] = set.rules[i];
    if (takes && !takes(set.rules[i])) continue;
    const auto [at, is_new] = task_of.try_emplace(rule.delta, out.size());
    if (is_new) out.push_back({.delta = rule.delta});
    TaskRules& task = out[at->second];
    TaskRule& added = task.rules.emplace_back(TaskRule{.rule = i});
    for (const Clause& clause : rule.clauses) {
      added.clauses.push_back(add_clause(clause, source, task));
    }
    if (rule.alert) add_named(*rule.alert, source, task, added);
  }
  return out;
}

}  // namespace pmjit::strict
