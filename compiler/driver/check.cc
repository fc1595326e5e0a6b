#include "compiler/driver/check.h"

#include <algorithm>
#include <map>
#include <string_view>

#include "compiler/driver/parsed_texts.h"
#include "compiler/sema/repeated.h"

namespace pmjit {

namespace {

// No metrics at all: parsing asks a catalog only for subtrees.
class EmptyCatalog final : public Catalog {
 public:
  Result<Desc> describe(std::string_view metric) const override {
    return fail(Error(Fault::not_found, "no archive given").at("metric", metric));
  }
  std::vector<std::string> leaves(std::string_view) const override { return {}; }
  std::optional<std::string> instance_name(InDomId, int32_t, Stamp) const override { return {}; }
  std::vector<Instance> instances(InDomId) const override { return {}; }
};

// By libpcp: what strict would say of it is told as differences.
bool taken_as_typed(const ParsedTexts& texts, const NamedExpr& expr) {
  if (expr.ast == nullptr || !expr.name.empty()) return false;
  const CompatibleMetric* metric = texts.compatible.find(expr.ast->exprs[expr.ast->root].text);
  return metric != nullptr && metric->place.empty() && metric->body != nullptr;
}

std::vector<CheckReport::File> files_of(const CompileInput& input, const ParsedTexts& texts) {
  std::map<std::string_view, size_t> definitions;  // by the name of the file
  for (const NamedExpr& expr : texts.exprs) {
    if (!expr.name.empty() && expr.source != nullptr) ++definitions[expr.source->name];
  }
  for (const CompatibleFiles::File& read : texts.files->files()) {
    definitions[read.source.name] += static_cast<size_t>(
        std::ranges::count(read.lines, ReadLine::Kind::definition, &ReadLine::kind));
  }
  std::vector<CheckReport::File> out;
  for (const SourceText& file : input.definition_files) {
    out.push_back({.name = file.name, .definitions = definitions[file.name]});
  }
  return out;
}

}  // namespace

CheckReport check_texts(const CompileInput& input, const Catalog* catalog,
                        const CheckOptions& how) {
  const EmptyCatalog nothing;
  CompileOptions options;
  options.dialect = how.dialect;
  options.equivalent = how.equivalent;
  ParsedTexts texts = parse_texts(input, catalog ? *catalog : nothing, options);
  texts.interrupted = how.interrupted;
  refuse_repeated(texts.exprs, texts.compatible);
  if (catalog && texts.names_known) {
    std::vector<uint32_t> checked;
    for (uint32_t i = 0; i < texts.exprs.size(); ++i) {
      if (!taken_as_typed(texts, texts.exprs[i])) checked.push_back(i);
    }
    Sema(*catalog, texts.exprs, texts.compatible, options.equivalent).check(checked);
  }
  CheckReport out;
  out.files = files_of(input, texts);
  out.reports = std::move(texts.reports);
  FoundInTexts found = find_differences(texts, catalog);
  for (auto& report : found.told) out.reports.push_back(std::move(report));
  out.mistakes = std::move(found.mistakes);
  return out;
}

}  // namespace pmjit
