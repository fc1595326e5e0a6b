#include "compiler/driver/compatible_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "compiler/compat/definitions/set_expression.h"
#include "compiler/compat/registry/context_deriver.h"
#include "compiler/diag/line_starts.h"

namespace pmjit {

namespace {

// A catalog's metrics.
class CatalogNames final : public pcp::BindContext {
 public:
  explicit CatalogNames(const Catalog& catalog) : catalog_(catalog) {}

  OrPmError<Found> find(std::string_view name) override {
    const auto desc = catalog_.describe(name);
    if (!desc) return pm_fail(pm_err::E_NAME);
    operands_.try_emplace(desc->pmid, Operand{.metric = std::string(name), .desc = *desc});
    return Found{desc->pmid, false};
  }
  OrPmError<Desc> desc_of(PmId pmid) override { return operands_.at(pmid).desc; }
  [[nodiscard]] const Operand& operand(PmId pmid) const { return operands_.at(pmid); }

 private:
  const Catalog& catalog_;
  std::unordered_map<PmId, Operand> operands_;  // that have been found
};

bool is_name_of(const Expr& expr, const std::set<std::string>& names, Span span) {
  return expr.kind == ExprKind::name && expr.span == span && names.contains(expr.text);
}

// libpcp says nothing of a metric that is not there.
std::string reason(const pcp::BindError& wrong, const Ast& ast,
                   const std::set<std::string>& strict) {
  const auto is_strict = [&](const Expr& expr) { return is_name_of(expr, strict, wrong.span); };
  if (wrong.of_name && std::ranges::any_of(ast.exprs, is_strict)) {
    return wrong.what + " is a strict metric, which a definition of this dialect cannot use here";
  }
  if (wrong.message.empty()) return wrong.what + " is not there, or cannot be used itself";
  return fmt::format("{}: {}", wrong.what, wrong.message);
}

bool nests(const pcp::PcpTree& tree) {
  return std::ranges::any_of(tree.nodes, [](const pcp::PcpNode& node) {
    return node.nested && !node.asked_only && !node.unused;
  });
}

// Null: the text is something else, in this dialect.
std::shared_ptr<const Ast> name_alone(const std::string& expression, Dialect dialect) {
  bool in_pattern = false;
  auto ast = pcp::parse(expression, dialect, in_pattern);
  if (!ast || ast->exprs[ast->root].kind != ExprKind::name) return nullptr;
  return std::make_shared<const Ast>(*std::move(ast));
}

// A definition that libpcp has skipped.
CompatibleMetric skipped(const CompatibleFiles::File& file, const LineStarts& starts,
                         const ReadLine& line) {
  const uint32_t number = line_column(file.source, starts, line.span.begin).line;
  return {.name = line.name,
          .dialect = std::string(dialect_text(file.dialect)),
          .text = line.expression,
          .place = fmt::format("{}:{}", file.source.name, number),
          .why_not = "its definition has an error",
          .told = true};
}

class CompatibleBinder {
 public:
  CompatibleBinder(const Registry& registry, const Catalog& catalog, std::set<std::string> strict)
      : registry_(registry),
        catalog_(catalog),
        strict_(std::move(strict)),
        names_(catalog),
        bindings_(registry, names_, [this](const DerivedMetric& metric, const auto& wrong) {
          refused_.emplace(metric.pmid, wrong);
        }) {}

  CompatibleMetric bind(const DerivedMetric& metric) {
    CompatibleMetric out{.name = metric.name,
                         .dialect = std::string(dialect_text(metric.dialect)),
                         .text = print(*metric.expression),
                         .place = metric.place};
    if (catalog_.describe(metric.name)) {
      out.why_not = "a recorded metric has that name";
      out.elsewhere = true;
    } else if (const Bindings::Bound* bound = bindings_.bound(metric)) {
      out.desc = bound->desc;
      for (const PmId operand : bound->tree->operands) {
        out.operands.push_back(names_.operand(operand));
      }
      out.body = pcp::set_expression(bound->tree);
      if (nests(*bound->tree)) {
        out.why_not =
            "it uses another definition, so it never has values in PCP 6.0.3; pmjit explain D88 "
            "says what to do";
      }
    } else if (const auto refused = refused_.find(metric.pmid); refused != refused_.end()) {
      set_reason(refused->second, metric, out);
    } else {
      out.why_not = "definitions nest too deeply";
    }
    return out;
  }

 private:
  void set_reason(const pcp::BindError& wrong, const DerivedMetric& metric, CompatibleMetric& out) {
    const std::string circle = wrong.of_name ? circle_from(metric) : "";
    if (!circle.empty()) {
      out.why_not = circle;
      out.way_out = "a definition is made of other metrics: leave one of these names out";
      return;
    }
    out.why_not = reason(wrong, *metric.expression, strict_);
    out.way_out = pcp::way_out(wrong);
    out.elsewhere = wrong.of_name;
    if (out.elsewhere) out.missing = missing_in(wrong, metric);
  }

  // "my.a needs my.b, my.b needs my.a": the circle that the metric leads to. Empty: to none.
  [[nodiscard]] std::string circle_from(const DerivedMetric& metric) {
    std::vector<std::string> path{metric.name};
    std::set<std::string> seen;
    if (!leads_back(metric, path, seen)) {
      without_circle_.merge(seen);
      return {};
    }
    constexpr size_t kShownMax = 8;
    // All definitions in the circle get the same words.
    const auto last = std::ranges::find(path, path.back());
    path.erase(path.begin(), last);
    path.pop_back();
    std::ranges::rotate(path, std::ranges::min_element(path));
    if (path.size() == 1) return path.front() + " needs itself";
    std::string out;
    for (size_t i = 0; i < std::min(path.size(), kShownMax); ++i) {
      const std::string& next = path[(i + 1) % path.size()];
      out += fmt::format("{}{} needs {}", i == 0 ? "" : ", ", path[i], next);
    }
    return path.size() > kShownMax ? out + ", …" : out;
  }

  // `path`: from the first definition on. True: its last name is in it twice.
  bool leads_back(const DerivedMetric& metric, std::vector<std::string>& path,
                  std::set<std::string>& seen) const {
    constexpr size_t kDepthMax = 1000;
    if (metric.expression == nullptr || catalog_.describe(metric.name)) return false;
    if (path.size() > kDepthMax) return false;
    for (const Expr& expr : metric.expression->exprs) {
      if (expr.kind != ExprKind::name) continue;
      const bool again = std::ranges::find(path, expr.text) != path.end();
      path.push_back(expr.text);
      if (again) return true;
      const bool is_new = !without_circle_.contains(expr.text) && seen.insert(expr.text).second;
      const DerivedMetric* const next = is_new ? registry_.find(expr.text) : nullptr;
      if (next != nullptr && leads_back(*next, path, seen)) return true;
      path.pop_back();
    }
    return false;
  }

  // The metric that is not there, and that nothing defines. Empty: it is something else.
  [[nodiscard]] std::string missing_in(const pcp::BindError& wrong,
                                       const DerivedMetric& metric) const {
    for (const Expr& expr : metric.expression->exprs) {
      if (expr.kind != ExprKind::name || expr.span != wrong.span) continue;
      const bool known = catalog_.describe(expr.text).has_value() || strict_.contains(expr.text) ||
                         registry_.find(expr.text) != nullptr;
      return known ? "" : expr.text;
    }
    return "";
  }

  const Registry& registry_;
  const Catalog& catalog_;
  std::set<std::string> strict_;
  CatalogNames names_;
  std::unordered_map<PmId, pcp::BindError> refused_;
  std::set<std::string> without_circle_;  // names that lead to none: each is followed once
  Bindings bindings_;
};

}  // namespace

void CompatibleFiles::read(const SourceText& file, Dialect dialect,
                           std::vector<std::string>& mistakes) {
  const ConfigLoader::Sink say = [&](std::string_view text) {
    mistakes.emplace_back(text.substr(0, text.find_last_not_of('\n') + 1));
  };
  Registry& into = registry(dialect);
  const auto known = static_cast<std::ptrdiff_t>(into.metrics().size());
  Controls controls(into, say);
  File& kept = files_.emplace_back(File{.source = file, .dialect = dialect, .lines = {}});
  ConfigFile config(file.name, file.text, into, controls, say);
  config.keep_lines(kept.lines);
  (void)config.read();
  const size_t last = file.text.rfind('\n') + 1;
  if (last < file.text.size() && file.text[last] != '#') {
    kept.not_read = {static_cast<uint32_t>(last), static_cast<uint32_t>(file.text.size())};
  }
  for (auto metric = into.metrics().begin() + known; metric != into.metrics().end(); ++metric) {
    for (const auto& [other, registry] : registries_) {
      const DerivedMetric* first = other == dialect ? nullptr : registry.find(metric->name);
      if (first == nullptr || !hidden_.insert(&*metric).second) continue;
      mistakes.push_back(fmt::format("[{}] Error: {} is defined in dialect {} already, in {}",
                                     metric->place, metric->name, dialect_text(other),
                                     first->place));
    }
  }
  for (ReadLine& line : kept.lines) {
    line.repeated |= hidden_.contains(into.find(line.name));
  }
}

std::optional<pcp::SyntaxError> CompatibleFiles::add(const std::string& expression,
                                                     Dialect dialect) {
  Registry& into = registry(dialect);
  Typed& typed = typed_.emplace_back(Typed{.expression = expression,
                                           .dialect = dialect,
                                           .wrong = {},
                                           .in_pattern = into.in_pattern(),
                                           .ast = name_alone(expression, dialect)});
  if (typed.ast != nullptr) return std::nullopt;
  typed.wrong = into.add(expression, expression);
  if (!typed.wrong) typed.ast = into.find(expression)->expression;
  return typed.wrong;
}

void CompatibleFiles::add_name(const std::string& expression, Dialect dialect, const Ast& ast) {
  typed_.push_back(Typed{.expression = expression,
                         .dialect = dialect,
                         .wrong = {},
                         .ast = std::make_shared<const Ast>(ast)});
}

const DerivedMetric* CompatibleFiles::find(const std::string& name, Dialect dialect) const {
  const auto found = registries_.find(dialect);
  return found == registries_.end() ? nullptr : found->second.find(name);
}

Registry& CompatibleFiles::registry(Dialect dialect) {
  const auto [found, is_new] = registries_.try_emplace(dialect, dialect);
  if (is_new) found->second.equivalent_domains = equivalent_;
  return found->second;
}

size_t CompatibleFiles::definitions() const {
  size_t out = 0;
  for (const auto& [dialect, registry] : registries_) {
    for (const DerivedMetric& metric : registry.metrics()) out += metric.expression ? 1 : 0;
  }
  return out;
}

CompatibleMetrics CompatibleFiles::bind(const Catalog& catalog,
                                        const std::set<std::string>& strict) const {
  CompatibleMetrics out;
  for (const auto& [dialect, registry] : registries_) {
    const auto binder = std::make_shared<CompatibleBinder>(registry, catalog, strict);
    for (const DerivedMetric& metric : registry.metrics()) {
      if (metric.expression == nullptr || hidden_.contains(&metric)) continue;
      out.add(metric.name, [binder, &metric] { return binder->bind(metric); });
    }
  }
  for (const File& file : files_) {
    const auto starts = std::make_shared<const LineStarts>(file.source.text);
    for (const ReadLine& line : file.lines) {
      if (!line.wrong) continue;
      out.add(line.name, [&file, &line, starts] { return skipped(file, *starts, line); });
    }
  }
  return out;
}

}  // namespace pmjit
