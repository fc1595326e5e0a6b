// Conditions of rules: Asts that are there take the place of texts.
#include <map>

#include "compiler/driver/parsed_texts.h"
#include "compiler/sema/repeated.h"

namespace pmjit {

ParsedTexts parsed_texts(const std::vector<SourceText>& sources,
                         const std::vector<ParsedRoot>& roots,
                         const std::vector<SourceText>& definition_files, const Catalog& catalog,
                         const CompileOptions& options) {
  ParsedTexts texts = parse_definition_files(definition_files, catalog, options);
  texts.notes.clear();
  texts.mistakes.clear();
  // Of thousands of sources a task may have one.
  std::map<size_t, Compilation::Report*> of_source;
  for (const ParsedRoot& root : roots) of_source[root.source];
  for (auto& [number, report] : of_source) {
    report =
        &texts.reports.emplace_back(Compilation::Report{.source = sources[number], .diags = {}});
  }
  for (const ParsedRoot& root : roots) {
    Compilation::Report& said = *of_source.at(root.source);
    Diags& diags = root.again ? texts.unheard.emplace_back() : said.diags;
    texts.roots.push_back(static_cast<uint32_t>(texts.exprs.size()));
    texts.exprs.push_back(
        NamedExpr{.name = {}, .ast = root.ast, .diags = &diags, .source = &said.source});
    texts.titles.push_back(root.title);
  }
  refuse_repeated(texts.exprs, texts.compatible);
  return texts;
}

Compilation compile_parsed(const std::vector<SourceText>& sources,
                           const std::vector<ParsedRoot>& roots,
                           const std::vector<SourceText>& definition_files, const Catalog& catalog,
                           const CompileOptions& options) {
  ParsedTexts texts = parsed_texts(sources, roots, definition_files, catalog, options);
  Compilation out = compile_texts(texts, catalog, options);
  for (Compilation::Report& report : texts.reports) out.reports.push_back(std::move(report));
  return out;
}

}  // namespace pmjit
