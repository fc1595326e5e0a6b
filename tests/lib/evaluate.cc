#include "tests/lib/evaluate.h"

#include <fmt/format.h>

#include <vector>

#include "runtime/testing/case_file.h"
#include "tests/lib/result_text.h"

namespace pmjit::cases {

namespace {

EvaluationOptions with_reasons(EvaluationOptions options) {
  options.reasons = true;
  return options;
}

std::string text_of(const std::shared_ptr<const Program>& program, Evaluation& evaluation,
                    const Rosters& rosters, bool reasons_of_lanes) {
  std::vector<ResultText> roots;
  for (const ProgramRoot& root : program->roots) {
    roots.emplace_back(root.info, evaluation.names(), rosters, reasons_of_lanes);
  }
  ResultBlock block;
  std::string error;
  while (true) {
    auto more = evaluation.next(block);
    // Its first line: the way out that may follow is not what a case is about.
    if (!more) error = fmt::format("error: {}\n", split_lines(more.error().text())[0]);
    if (!more || !*more) break;
    for (size_t i = 0; i < roots.size(); ++i) roots[i].add(block, i);
  }
  std::string out;
  for (size_t i = 0; i < roots.size(); ++i) {
    if (roots.size() > 1) out += fmt::format("[{}]\n", name_with_host(program->roots[i].info));
    for (const std::string& line : canonical_lines(roots[i].lines())) out += line + "\n";
  }
  return out + error;
}

}  // namespace

std::string evaluate(const std::shared_ptr<const Program>& program, const Recording& source,
                     const EvaluationOptions& options, bool reasons_of_lanes) {
  Rosters rosters;
  Evaluation evaluation(program, source, rosters, with_reasons(options));
  return text_of(program, evaluation, rosters, reasons_of_lanes);
}

std::string evaluate(const std::shared_ptr<const Program>& program, const Catalog& catalog,
                     const FeedOver& feed, const EvaluationOptions& options,
                     bool reasons_of_lanes) {
  Rosters rosters;
  Evaluation evaluation(program, catalog, feed(rosters), rosters, with_reasons(options));
  return text_of(program, evaluation, rosters, reasons_of_lanes);
}

}  // namespace pmjit::cases
