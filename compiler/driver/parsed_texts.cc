#include "compiler/driver/parsed_texts.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <set>
#include <span>

#include "compiler/compat/registry/file_dialect.h"
#include "compiler/driver/sweep.h"
#include "runtime/base/blanks.h"
#include "runtime/base/near.h"

namespace pmjit {

namespace {

bool evaluable(const Desc& desc) {
  const auto elem = elem_from_pm(desc.pm_type);
  return elem && is_number(*elem);
}

class TextsReader {
 public:
  TextsReader(const CompileInput& input, const Catalog& catalog, const CompileOptions& options)
      : input_(input), catalog_(catalog), options_(options), out_(options.equivalent) {}

  ParsedTexts run_definitions() {
    ReadDefinitions* const once = options_.read_once.get();
    if (once != nullptr && once->files != nullptr) {
      out_.files = once->files;
      out_.compatible_definitions = out_.files->definitions();
    } else {
      read_files();
      // What is wrong with strict ones each compilation finds anew.
      const bool same = out_.strict_definitions == 0 &&
                        std::ranges::all_of(
                            out_.reports, [](const auto& report) { return report.diags.empty(); });
      if (once != nullptr && same) once->files = out_.files;
    }
    out_.compatible = out_.files->bind(catalog_, strict_names());
    return std::move(out_);
  }

  ParsedTexts run() {
    read_files();
    if (input_.parameters.empty()) {
      for (const SourceText& text : input_.expressions) take_compatible(text);
    }
    out_.compatible = out_.files->bind(catalog_, strict_names());
    if (!input_.parameters.empty()) {
      add_sweep(input_, out_);
      return std::move(out_);
    }
    for (const SourceText& text : input_.expressions) add_expression(text);
    tell_hidden();
    if (input_.expressions.empty()) {
      for (uint32_t i = 0; i < out_.strict_definitions; ++i) {
        if (out_.exprs[i].ast) out_.roots.push_back(i);
      }
      add_all_compatible();
    }
    return std::move(out_);
  }

 private:
  void read_files() {
    for (const SourceText& file : input_.definition_files) add_file(file);
    out_.compatible_definitions = out_.files->definitions();
    out_.strict_definitions = out_.exprs.size();
  }
  void add_file(const SourceText& file) {
    auto& report = out_.reports.emplace_back(Compilation::Report{.source = file, .diags = {}});
    const Dialect dialect = dialect_of(file, options_.dialect, report.diags);
    if (dialect != Dialect::strict) {
      out_.files->read(file, dialect, out_.mistakes);
      if (out_.files->files().back().not_read == Span{}) return;
      out_.notes.push_back(
          fmt::format("[{}] Warning: the last line has no newline, and is not read in dialect {}",
                      file.name, dialect_text(dialect)));
      return;
    }
    DefinitionFile parsed = parse_definitions(file, report.diags);
    out_.names_known = out_.names_known && parsed.whole;
    for (Definition& definition : parsed.definitions) {
      add(definition.name, definition.name, std::move(definition.ast), report,
          definition.name_span);
    }
  }

  // Expressions have none.
  std::set<std::string> strict_names() const {
    std::set<std::string> out;
    for (const NamedExpr& expr : out_.exprs) out.insert(expr.name);
    return out;
  }

  // An expression of a compatible dialect is a metric without a name of its own. A name alone is
  // what it is in every dialect, but for its values between observations (NamedExpr::as_pcp).
  void take_compatible(const SourceText& text) {
    if (!asked_in_pcp()) return;
    Diags unheard;
    const auto strict = parse_expression(text, unheard);
    if (strict && strict->exprs[strict->root].kind == ExprKind::name) return;
    const std::string expression(without_blanks(text.text));
    if (compatible_.contains(expression)) return;
    compatible_.emplace(expression, out_.files->add(expression, *options_.dialect.said));
  }

  void add_all_compatible() {
    std::vector<std::string> without_numbers;
    std::vector<const CompatibleMetric*> left_out;
    for (const CompatibleMetric& metric : out_.compatible.all()) {
      if (metric.told) continue;
      if (metric.body == nullptr) {
        left_out.push_back(&metric);
      } else if (!evaluable(metric.desc)) {
        without_numbers.push_back(metric.name);
      } else {
        if (!metric.why_not.empty()) {
          out_.notes.push_back(fmt::format("{}: {}", metric.name, metric.why_not));
        }
        add_compatible(SourceText{.name = metric.name, .text = metric.name}, metric.name);
      }
    }
    tell_left_out(left_out);
    for (const std::string& name : without_numbers) {
      out_.notes.push_back(fmt::format("{} is left out: it has no numbers", name));
    }
  }

  // Of many definitions an archive may lack what they need.
  void tell_left_out(const std::vector<const CompatibleMetric*>& some) {
    constexpr size_t kToldEach = 4;
    std::vector<std::string> names;
    for (const CompatibleMetric* metric : some) {
      names.push_back(metric->name);
      if (some.size() > kToldEach) continue;
      out_.notes.push_back(fmt::format("{} is left out, {} defines it: {}", metric->name,
                                       metric->place, metric->why_not));
    }
    if (some.size() <= kToldEach) return;
    out_.notes.push_back(fmt::format("{} definitions are left out: {}; pmjit check -v says why",
                                     some.size(), first_few_text(names)));
  }

  // A root that is a metric, whatever its name.
  void add_compatible(const SourceText& text, const std::string& name) {
    auto& report = out_.reports.emplace_back(Compilation::Report{.source = text, .diags = {}});
    Ast ast;
    const Span whole{0, static_cast<uint32_t>(text.text.size())};
    ast.root = ast.exprs.add(Expr{
        .kind = ExprKind::name, .span = whole, .op_span = whole, .text_span = whole, .text = name});
    out_.roots.push_back(static_cast<uint32_t>(out_.exprs.size()));
    add("", name, std::move(ast), report, Span{});
  }

  void add_expression(const SourceText& text) {
    if (const auto found = compatible_.find(std::string(without_blanks(text.text)));
        found != compatible_.end()) {
      if (!found->second) {
        add_compatible(text, found->first);
        out_.exprs.back().as_pcp = true;
        return;
      }
      auto& report = out_.reports.emplace_back(Compilation::Report{.source = text, .diags = {}});
      const auto skipped = static_cast<uint32_t>(text.text.find_first_not_of(" \t\r\n"));
      const auto at = skipped + static_cast<uint32_t>(std::max<int64_t>(0, found->second->offset));
      report.diags.add(DiagCode::P_Syntax, Span{at, at + 1}, found->second->message);
      return;
    }
    auto& report = out_.reports.emplace_back(Compilation::Report{.source = text, .diags = {}});
    auto ast = parse_expression(text, report.diags);
    if (!ast) return;
    const Expr& root = ast->exprs[ast->root];
    if (root.kind == ExprKind::name && is_subtree(root.text)) return add_subtree(text, root.text);
    if (root.kind == ExprKind::name && stands_for_all(root)) return add_subtree(text, "");
    if (asked_in_pcp() && names_.insert(root.text).second) {
      out_.files->add_name(text.text, *options_.dialect.said, *ast);
    }
    if (root.kind == ExprKind::name) note_unusable(root.text);
    for (const Expr& expr : ast->exprs) {
      if (expr.kind == ExprKind::name) note_hidden(expr.text);
    }
    out_.roots.push_back(static_cast<uint32_t>(out_.exprs.size()));
    add("", std::string(without_blanks(text.text)), std::move(ast), report, Span{});
    out_.exprs.back().as_pcp = asked_in_pcp();
  }

  // A definition that can be evaluated, and never has values.
  void note_unusable(const std::string& name) {
    const CompatibleMetric* const metric = out_.compatible.find(name);
    if (metric == nullptr || metric->body == nullptr || metric->why_not.empty()) return;
    out_.notes.push_back(fmt::format("{}: {}", name, metric->why_not));
  }

  // A definition that PCP ignores, for there is such a metric.
  void note_hidden(const std::string& name) {
    const CompatibleMetric* const metric = out_.compatible.find(name);
    if (metric == nullptr || metric->told || !catalog_.describe(name)) return;
    if (std::ranges::find(hidden_, name) != hidden_.end()) return;
    if (hidden_.empty()) hidden_place_ = metric->place;
    hidden_.push_back(name);
  }
  void tell_hidden() {
    if (hidden_.empty()) return;
    out_.notes.push_back(
        hidden_.size() == 1
            ? fmt::format("{} is a recorded metric: PCP and pmjit show that one, and ignore the "
                          "definition in {}\n  help: give the definition another name",
                          hidden_.front(), hidden_place_)
            : fmt::format("{} are recorded metrics: PCP and pmjit show those, and ignore the "
                          "definitions of these names\n  help: give the definitions other names",
                          first_few_text(hidden_)));
  }

  // Expressions that come so far are strict, or a name alone.
  bool asked_in_pcp() const {
    return options_.dialect.said.value_or(Dialect::strict) != Dialect::strict;
  }

  bool is_definition(const std::string& name) const {
    // Behind the definitions stand expressions, which have no name.
    const auto definitions = std::span(out_.exprs).first(out_.strict_definitions);
    return std::ranges::any_of(definitions, [&](const NamedExpr& e) { return e.name == name; }) ||
           out_.compatible.find(name) != nullptr;
  }

  bool is_subtree(const std::string& name) const {
    if (is_definition(name) || catalog_.describe(name)) return false;
    const auto below = leaves(name);
    return !below.empty() && below != std::vector{name};  // a leaf that nobody describes is none
  }

  // The word for every metric, where nothing bears that name.
  bool stands_for_all(const Expr& name) const {
    return name.text == "all" && !name.quoted && !is_definition(name.text) &&
           !catalog_.describe(name.text) && leaves(name.text).empty();
  }

  // Recorded ones, then derived ones that have numbers.
  std::vector<std::string> leaves(const std::string& name) const {
    std::vector<std::string> out = catalog_.leaves(name);
    for (const CompatibleMetric& metric : out_.compatible.all()) {
      const bool usable = metric.body != nullptr && evaluable(metric.desc);
      const bool below = name.empty() || metric.name.starts_with(name + ".");
      if (usable && below) out.push_back(metric.name);
    }
    return out;
  }

  // A name above leaves stands for all of them; those without numbers are left out, and said so.
  void add_subtree(const SourceText& text, const std::string& name) {
    const std::string shown = name.empty() ? "all" : name;
    size_t left_out = 0;
    std::optional<Error> not_described;  // by a source that has the name
    size_t undescribed = 0;
    for (const std::string& leaf : leaves(name)) {
      const auto desc = catalog_.describe(leaf);
      if (!out_.compatible.find(leaf) && (!desc || !evaluable(*desc))) {
        const bool silent = !desc && desc.error().fault() != Fault::not_found;
        if (silent && !not_described) not_described = desc.error();
        ++(silent ? undescribed : left_out);
        continue;
      }
      add_expression(SourceText{.name = text.name, .text = leaf, .first_line = text.first_line});
    }
    if (left_out != 0) {
      out_.notes.push_back(fmt::format("{}: {} metric{} without numbers left out", shown, left_out,
                                       left_out == 1 ? "" : "s"));
    }
    if (not_described) {
      out_.notes.push_back(fmt::format("{}: {} metric{} left out: {}", shown, undescribed,
                                       undescribed == 1 ? "" : "s", not_described->text()));
    }
  }

  void add(std::string name, std::string title, std::optional<Ast> ast, Compilation::Report& report,
           Span name_span) {
    if (ast) out_.asts.push_back(std::move(*ast));
    out_.exprs.push_back(NamedExpr{.name = std::move(name),
                                   .ast = ast ? &out_.asts.back() : nullptr,
                                   .diags = &report.diags,
                                   .source = &report.source,
                                   .name_span = name_span});
    out_.titles.push_back(std::move(title));
  }

  const CompileInput& input_;
  const Catalog& catalog_;
  const CompileOptions& options_;
  // Expressions of a compatible dialect, and what is wrong with them.
  std::map<std::string, std::optional<pcp::SyntaxError>> compatible_;
  std::set<std::string> names_;      // alone, that are asked for in such a dialect
  std::vector<std::string> hidden_;  // of definitions that a recorded metric hides
  std::string hidden_place_;         // of the first one
  ParsedTexts out_;
};

}  // namespace

std::shared_ptr<ReadDefinitions> read_definitions_once() {
  return std::make_shared<ReadDefinitions>();
}

bool ParsedTexts::has_errors() const {
  return std::ranges::any_of(reports, [](const auto& report) { return report.diags.has_errors(); });
}

ParsedTexts parse_texts(const CompileInput& input, const Catalog& catalog,
                        const CompileOptions& options) {
  return TextsReader(input, catalog, options).run();
}

ParsedTexts parse_definition_files(const std::vector<SourceText>& files, const Catalog& catalog,
                                   const CompileOptions& options) {
  const CompileInput input{.expressions = {}, .definition_files = files};
  return TextsReader(input, catalog, options).run_definitions();
}

}  // namespace pmjit
