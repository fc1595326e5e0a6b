// compile_task: see rule_set.h.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <deque>
#include <map>

#include "compiler/strict_rules/tree.h"
#include "rules/strict/clock_feed.h"
#include "rules/strict/rule_set.h"
#include "runtime/model/hosts.h"

namespace pmjit::strict {

namespace {

// A condition as it is written; of a long one its beginning.
struct ConditionText {
  Span span;
  std::string text;
  ConditionText(const SourceText& source, Span where) : span(where) {
    constexpr size_t kShown = 60;
    const std::string_view all = std::string_view(source.text).substr(where.begin);
    const size_t size = where.end - where.begin;
    text = size <= kShown ? std::string(all.substr(0, size)) : "…";
  }
  // As the operand of a function, in one pair of parentheses.
  [[nodiscard]] std::string operand(const Expr& expr) const {
    const bool has_them = expr.parenthesised && text.starts_with('(');
    return has_them ? text : fmt::format("({})", text);
  }
};

void refuse_number(const ConditionText& written, Diags& diags) {
  diags.add(DiagCode::D_NumberAsTruth, written.span)
      .help(fmt::format("compare it with something, as in {} > 5", written.text));
}

// Conditions are truths, and one: by their types, whatever the instances are.
void check_condition(const ResultInfo& info, const ConditionText& written, const Expr& expr,
                     Diags& diags) {
  if (info.elem != Elem::truth) return refuse_number(written, diags);
  if (info.domain == kNullId) return;
  Diag& diag = diags.add(DiagCode::D_ConditionIsSet, written.span);
  diag.message = "the condition is a set: each instance has a truth of its own";
  diag.help(fmt::format("write some_inst {0} where one of them is enough, else all_inst {0}",
                        written.operand(expr)));
}

// `mkconst(500, units="Kbyte / sec")` is `500 Kbyte/sec` in rules.
std::string constant_as_in_rules(std::string text) {
  constexpr std::string_view kConstant = "mkconst(", kUnits = ", units=\"", kEnd = "\")";
  const size_t begin = text.find(kConstant), units = text.find(kUnits, begin);
  const size_t end = units == text.npos ? units : text.find(kEnd, units);
  if (begin == text.npos || end == text.npos) return text;
  const size_t number = begin + kConstant.size(), unit = units + kUnits.size();
  std::string written = text.substr(unit, end - unit);
  std::erase(written, ' ');
  written.insert(0, text.substr(number, units - number) + " ");
  return text.replace(begin, end + kEnd.size() - begin, written);
}

// Rules have no delta() either.
std::string as_in_rules(std::string_view help) {
  constexpr std::string_view kDelta = ", or delta() for the change since the last value";
  if (help.ends_with(kDelta)) return std::string(help.substr(0, help.size() - kDelta.size()));
  constexpr std::string_view kAny = "rate(), delta() or instant()";
  if (const size_t any = help.find(kAny); any != help.npos) {
    return std::string(help).replace(any, kAny.size(), "rate or instant");
  }
  return constant_as_in_rules(std::string(help));
}

// [1 minute] of definitions is #'1 minute' in rules.
void write_instance_as_in_rules(std::string& text) {
  const size_t open = text.find('['), close = text.rfind(']');
  if (open == text.npos || close == text.npos || close < open) return;
  text.replace(close, 1, "'").replace(open, 1, "#'");
}

// Where the # stands already.
void quote_instance(std::string& text) {
  std::ranges::replace_if(text, [](char c) { return c == '[' || c == ']'; }, '\'');
}

// "write disk.dev.read[vda], or -i vda": rules have no such option.
void write_metric_as_in_rules(std::string& help) {
  if (!help.starts_with("write ") || !help.contains('[')) return;
  help.erase(std::min(help.find(", or -i "), help.size()));
  write_instance_as_in_rules(help);
}

// A macro without its $ is an unknown metric.
void name_macro(const pmie::MacroNames& macros, std::string_view text, Diag& diag) {
  if (diag.code != DiagCode::S_NoSuchMetric) return;
  const std::string name(text.substr(diag.span.begin, diag.span.end - diag.span.begin));
  if (!macros.contains(name)) return;
  diag.helps.clear();
  diag.labels.clear();
  diag.label(diag.span, fmt::format("did you mean ${}?", name));
}

Diags as_in_rules(const Diags& diags, const pmie::MacroNames& macros, std::string_view text) {
  Diags out;
  for (Diag diag : diags.all()) {
    name_macro(macros, text, diag);
    for (std::string& help : diag.helps) help = as_in_rules(help);
    if (diag.code == DiagCode::S_NoSuchMetric) {
      std::ranges::for_each(diag.helps, write_metric_as_in_rules);
    }
    for (DiagLabel& label : diag.labels) {
      if (diag.code == DiagCode::D_FirstWord) quote_instance(label.text);
      label.text = constant_as_in_rules(std::move(label.text));
    }
    out.append(diag);
  }
  return out;
}

class TaskCompiler {
 public:
  TaskCompiler(const RuleSet& set, const TaskRules& rules, const Feeds& feeds)
      : set_(set), rules_(rules), feeds_(feeds), out_{.hosts = hosts_of(feeds)} {}

  CompiledTask run(const std::vector<SourceText>& definition_files, const CompileOptions& options) {
    refuse_hosts();
    if (!out_.errors.empty()) return std::move(out_);
    compile(definition_files, options);
    if (!out_.made.ok()) {
      name_mistakes();
      out_.errors = out_.made.rendered();
      for (const auto& report : out_.made.reports) tell(report.diags, report.source);
      for (const std::string& note : out_.made.notes) {
        out_.errors += "pmjit: note: " + note + "\n";
      }
      out_.errors += out_.made.failure;
      return std::move(out_);
    }
    for (const auto& report : out_.made.reports) tell(report.diags, report.source);
    for (const TaskRule& rule : rules_.rules) {
      place(rule);
      check_conditions(rule);
    }
    for (const auto& [number, found] : of_conditions_) {
      out_.errors += render_all(found, set_.sources[number]);
      tell(found, set_.sources[number]);
    }
    return std::move(out_);
  }

 private:
  [[nodiscard]] const SetRule& named(const TaskRule& rule) const { return set_.rules[rule.rule]; }

  void tell(const Diags& diags, const SourceText& source) {
    if (!diags.empty()) out_.wrong.push_back({.source = source, .diags = diags});
  }

  // What the reader took for a metric may be a unit: 500 count/s.
  void name_mistakes() {
    for (Compilation::Report& report : out_.made.reports) {
      if (report.diags.empty()) continue;
      const auto source = std::ranges::find(set_.sources, report.source.name, &SourceText::name);
      if (source == set_.sources.end()) continue;
      const auto& mistakes = *set_.mistakes[static_cast<size_t>(source - set_.sources.begin())];
      report.diags =
          as_in_rules(mistakes.instead_of(report.diags), set_.macros, report.source.text);
    }
  }

  // Hosts that a rule names, and that are not read.
  void refuse_hosts() {
    std::map<size_t, Diags> of_source;
    for (const ParsedRoot& root : rules_.roots) {
      if (root.again) continue;
      Diags& diags = of_source[root.source];
      for (const Expr& expr : root.ast->exprs) {
        const auto named = expr.kind == ExprKind::name ? MetricOfHost::of(expr.text) : std::nullopt;
        if (named) check_host(named->host, expr.span, diags);
        for (const Spec& spec : root.ast->specs_of(expr)) {
          if (spec.tag == "host") check_host(spec.value, expr.span, diags);
        }
      }
    }
    for (auto& [number, found] : of_source) {
      const SourceText& source = set_.sources[number];
      // A name with a : behind it may have been meant for the rule's own.
      const Diags diags = set_.mistakes[number]->instead_of(std::move(found));
      out_.errors += render_all(diags, source);
      tell(diags, source);
    }
  }

  void check_host(std::string_view host, Span where, Diags& diags) const {
    if (std::ranges::find(out_.hosts, host) != out_.hosts.end()) return;
    diags.add(DiagCode::R_NoSuchHost, where, host)
        .help(fmt::format("the hosts are {}; add another with -a ARCHIVE or -h HOST",
                          fmt::join(out_.hosts, ", ")));
  }

  void compile(const std::vector<SourceText>& files, const CompileOptions& options) {
    if (feeds_.hosts() == nullptr) {
      const ClockNames names(feeds_.catalog(), feeds_);
      out_.made = compile_parsed(set_.sources, rules_.roots, files, names, options);
      for (uint32_t k = 0; k < rules_.roots.size(); ++k) {
        out_.roots.push_back({.shared = true, .of_host = {k}});
      }
      return;
    }
    std::deque<ClockNames> names;
    std::vector<HostNames> hosts;
    for (uint32_t h = 0; h < out_.hosts.size(); ++h) {
      names.emplace_back(feeds_.hosts()->of_host(h), feeds_);
      hosts.push_back({.name = out_.hosts[h], .catalog = &names.back()});
    }
    HostsCompilation made = compile_parsed(set_.sources, rules_.roots, files, hosts, options);
    out_.made = std::move(made.made);
    out_.roots = std::move(made.roots);
  }

  void place(const TaskRule& rule) {
    bool own = false;
    for (const ClauseRoots& clause : rule.clauses) {
      own = own || (clause.condition && !out_.roots[*clause.condition].shared);
    }
    if (!own) return out_.rules.push_back(placed(rule, std::nullopt));
    std::vector<std::string> without;
    for (uint32_t h = 0; h < out_.hosts.size(); ++h) {
      if (is_there(rule, h)) {
        out_.rules.push_back(placed(rule, h));
      } else {
        without.push_back(out_.hosts[h]);
      }
    }
    if (without.empty()) return;
    out_.notes.push_back(fmt::format("{} does not run on {}: a metric is missing",
                                     named(rule).rule.name, fmt::join(without, ", ")));
  }

  [[nodiscard]] bool is_there(const TaskRule& rule, uint32_t host) const {
    return std::ranges::all_of(rule.clauses, [&](const ClauseRoots& clause) {
      return !clause.condition || out_.roots[*clause.condition].of_host[host];
    });
  }

  // On a host, or for all of them.
  [[nodiscard]] TaskRule placed(const TaskRule& rule, std::optional<uint32_t> host) const {
    TaskRule out{.rule = rule.rule, .on_host = host, .host = host_of(rule, host)};
    for (const ClauseRoots& clause : rule.clauses) {
      ClauseRoots& to = out.clauses.emplace_back();
      if (clause.condition) to.condition = at(*clause.condition, host);
      for (const BindingRoots& binding : clause.bindings) {
        if (out_.roots[binding.set].shared || (host && !binding.each_host)) {
          add_binding(binding, host, out.host, to);
          continue;
        }
        for (uint32_t each = 0; each < out_.hosts.size(); ++each) {
          const std::string& name = out_.hosts[each];
          const bool wanted = binding.hosts.empty() ||
                              std::ranges::find(binding.hosts, name) != binding.hosts.end();
          if (wanted) add_binding(binding, each, name, to);
        }
      }
    }
    for (const auto& [name, root] : rule.named) {
      if (const auto there = at(root, host)) out.named.emplace_back(name, *there);
    }
    return out;
  }

  void add_binding(const BindingRoots& binding, std::optional<uint32_t> host,
                   const std::optional<std::string>& name, ClauseRoots& to) const {
    const auto set = at(binding.set, host);
    if (!set) return;
    BindingRoots made = binding;
    made.set = *set;
    made.host = name;
    auto about = out_.roots[binding.set].about;
    if (binding.value) {
      const auto value = at(*binding.value, host);
      made.value = value ? std::optional<size_t>(*value) : std::nullopt;
      if (!about && !host) about = out_.roots[*binding.value].about;
    }
    if (about) made.host = out_.hosts[*about];
    to.bindings.push_back(std::move(made));
  }

  // None: it has no value there, or one of its own on every host.
  [[nodiscard]] std::optional<uint32_t> at(size_t root, std::optional<uint32_t> host) const {
    const HostsRoot& placed = out_.roots[root];
    if (placed.of_host.empty() || (!placed.shared && !host)) return std::nullopt;
    return placed.of_host[host.value_or(0)];
  }

  // What %h is where no instance says more. None: it is about several.
  [[nodiscard]] std::optional<std::string> host_of(const TaskRule& rule,
                                                   std::optional<uint32_t> host) const {
    if (host) return out_.hosts[*host];
    std::optional<uint32_t> about;
    for (const ClauseRoots& clause : rule.clauses) {
      if (!clause.condition) continue;
      const HostsRoot& root = out_.roots[*clause.condition];
      if (root.reduces || (about && root.about && about != root.about)) return std::nullopt;
      if (root.about) about = root.about;
    }
    return about ? out_.hosts[*about] : feeds_.host();
  }

  void check_conditions(const TaskRule& rule) {
    const auto& [of, source] = named(rule);
    Diags diags;
    for (size_t i = 0; i < of.clauses.size(); ++i) {
      const Clause& clause = of.clauses[i];
      if ((clause.verbs.empty() && !of.alert) || !clause.condition) continue;
      const Expr& expr = clause.condition->exprs[clause.condition->root];
      const ConditionText written(set_.sources[source], expr.span);
      for (const auto& root : out_.roots[*rule.clauses[i].condition].of_host) {
        if (!diags.empty() || !root) continue;
        const ResultInfo& info = out_.made.program->roots[*root].info;
        of.alert ? check_alert(rule, clause, info, written, diags)
                 : check_condition(info, written, expr, diags);
      }
    }
    for (const Diag& diag : diags.all()) of_conditions_[source].append(diag);
  }

  // Each instance may be an alert of its own. `until` is then of the same ones, or one truth.
  void check_alert(const TaskRule& rule, const Clause& clause, const ResultInfo& info,
                   const ConditionText& written, Diags& diags) const {
    if (info.elem != Elem::truth) refuse_number(written, diags);
    if (clause.when != Clause::When::until || info.domain == kNullId) return;
    const auto as_recorded = [](const ResultInfo& of) {
      return of.recorded_domain == kNullId ? of.domain : of.recorded_domain;
    };
    for (const auto& root : out_.roots[*rule.clauses.front().condition].of_host) {
      if (!root) continue;
      if (as_recorded(out_.made.program->roots[*root].info) == as_recorded(info)) return;
    }
    Diag& diag = diags.add(DiagCode::D_ConditionIsSet, written.span);
    diag.message = "this until has other instances than the condition";
    diag.help("until has the instances of the alert's condition, or none");
  }

  const RuleSet& set_;
  const TaskRules& rules_;
  const Feeds& feeds_;
  CompiledTask out_;
  std::map<size_t, Diags> of_conditions_;  // by their sources; each source has one report
};

}  // namespace

CompiledTask compile_task(const RuleSet& set, const TaskRules& rules, const Feeds& feeds,
                          const std::vector<SourceText>& definition_files,
                          const CompileOptions& options) {
  return TaskCompiler(set, rules, feeds).run(definition_files, options);
}

}  // namespace pmjit::strict
