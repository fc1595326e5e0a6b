#include "compiler/driver/texts.h"

#include <fmt/core.h>

#include <algorithm>

#include "compiler/driver/derived_file.h"
#include "compiler/driver/dialect.h"

namespace pmjit {

namespace {

std::string trimmed(std::string_view text) {
  const size_t first = text.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos) return "";
  return std::string(text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1));
}

bool evaluable(const Desc& desc) {
  const auto elem = elem_from_pm(desc.pm_type);
  return elem && is_number(*elem);
}

class Texts {
 public:
  Texts(const CompileInput& input, const Catalog& catalog, const CompileOptions& options)
      : input_(input), catalog_(catalog), options_(options) {}

  ParsedTexts run() {
    for (const SourceText& file : input_.definition_files) add_file(file);
    const auto definitions = static_cast<uint32_t>(out_.exprs.size());
    for (const SourceText& text : input_.expressions) add_expression(text);
    if (input_.expressions.empty()) {
      for (uint32_t i = 0; i < definitions; ++i) {
        if (out_.exprs[i].ast) out_.roots.push_back(i);
      }
      for (const CompatibleMetric& metric : out_.compatible) {
        add_expression(SourceText{.name = metric.name, .text = metric.name});
      }
    }
    return std::move(out_);
  }

 private:
  void add_file(const SourceText& file) {
    auto& report = out_.reports.emplace_back(Compilation::Report{.source = file, .diags = {}});
    const auto option = options_.strict_files ? std::optional(Dialect::strict) : std::nullopt;
    const Dialect dialect = dialect_of(file, option, report.diags);
    if (dialect != Dialect::strict) {
      add_compatible(file, dialect);
      return;
    }
    DefinitionFile parsed = parse_definitions(file, report.diags);
    out_.names_known = out_.names_known && parsed.whole;
    for (Definition& definition : parsed.definitions) {
      add(definition.name, definition.name, std::move(definition.ast), report.diags,
          definition.name_span);
    }
  }

  // What libpcp says of it is no reason not to go on: it skips what is wrong.
  void add_compatible(const SourceText& file, Dialect dialect) {
    DerivedFile read = read_derived_file(file, dialect, catalog_);
    out_.notes.insert(out_.notes.end(), read.messages.begin(), read.messages.end());
    for (CompatibleMetric& metric : read.metrics) {
      const bool known = std::ranges::find(out_.compatible, metric.name, &CompatibleMetric::name) !=
                         out_.compatible.end();
      if (!known) out_.compatible.push_back(std::move(metric));
    }
  }

  void add_expression(const SourceText& text) {
    auto& report = out_.reports.emplace_back(Compilation::Report{.source = text, .diags = {}});
    auto ast = parse_expression(text, report.diags);
    if (!ast) return;
    const Expr& root = ast->exprs[ast->root];
    if (root.kind == ExprKind::name && is_subtree(root.text)) return add_subtree(text, root.text);
    out_.roots.push_back(static_cast<uint32_t>(out_.exprs.size()));
    add("", trimmed(text.text), std::move(ast), report.diags, Span{});
  }

  bool is_subtree(const std::string& name) const {
    const bool defined =
        std::ranges::any_of(out_.exprs, [&](const NamedExpr& e) { return e.name == name; }) ||
        std::ranges::any_of(out_.compatible,
                            [&](const CompatibleMetric& m) { return m.name == name; });
    return !defined && !catalog_.describe(name) && !catalog_.leaves(name).empty();
  }

  // A name above leaves stands for all of them; those without numbers are left out, and said so.
  void add_subtree(const SourceText& text, const std::string& name) {
    size_t left_out = 0;
    for (const std::string& leaf : catalog_.leaves(name)) {
      const auto desc = catalog_.describe(leaf);
      if (!desc || !evaluable(*desc)) {
        ++left_out;
        continue;
      }
      add_expression(SourceText{.name = text.name, .text = leaf, .first_line = text.first_line});
    }
    if (left_out != 0) {
      out_.notes.push_back(fmt::format("{}: {} metric{} without numbers left out", name, left_out,
                                       left_out == 1 ? "" : "s"));
    }
  }

  void add(std::string name, std::string title, std::optional<Ast> ast, Diags& diags,
           Span name_span) {
    if (ast) out_.asts.push_back(std::move(*ast));
    out_.exprs.push_back(NamedExpr{.name = std::move(name),
                                   .ast = ast ? &out_.asts.back() : nullptr,
                                   .diags = &diags,
                                   .name_span = name_span});
    out_.titles.push_back(std::move(title));
  }

  const CompileInput& input_;
  const Catalog& catalog_;
  const CompileOptions& options_;
  ParsedTexts out_;
};

}  // namespace

bool ParsedTexts::has_errors() const {
  return std::ranges::any_of(reports, [](const auto& report) { return report.diags.has_errors(); });
}

ParsedTexts parse_texts(const CompileInput& input, const Catalog& catalog,
                        const CompileOptions& options) {
  return Texts(input, catalog, options).run();
}

}  // namespace pmjit
