#include "tests/lib/run_eval.h"

#include <fmt/format.h>

#include <optional>

#include "runtime/testing/case_file.h"
#include "tests/lib/carrier.h"
#include "tests/lib/evaluate.h"
#include "tests/lib/expressions.h"
#include "tests/lib/matrix.h"
#include "tests/lib/result_text.h"
#include "tests/lib/run_text.h"

namespace pmjit::cases {
namespace {

Result<EvaluationOptions> evaluation_options(const CaseFile& file, uint32_t block_rows) {
  EvaluationOptions options{.block_rows = block_rows};
  if (file.tags.contains("grid")) {
    const auto step = parse_duration(file.tag("grid", ""));
    if (!step) return fail(step.error());
    options.step = *step;
  }
  const std::vector<std::string> window = split_words(file.tag("window", ""));
  if (window.empty()) return options;
  if (window.size() != 2) return fail(Fault::format, "window: FROM TO");
  auto from = parse_duration(window[0]);
  auto to = parse_duration(window[1]);
  if (!from) return fail(from.error());
  if (!to) return fail(to.error());
  options.from = stamp_from_nanos(nanos(kEpoch) + *from);
  options.to = stamp_from_nanos(nanos(kEpoch) + *to);
  return options;
}

// Takes the result of one cell after the other; keeps the first difference whole and the names of
// the others.
class Judge {
 public:
  Judge(Outcome& outcome, const std::string* expected) : outcome_(outcome) {
    if (expected != nullptr) expected_ = lines_of(*expected);
  }

  void take(const std::string& cell, const std::string& result) {
    ++cells_;
    if (cells_ == 1) outcome_.texts["result"] = result;
    if (!expected_) return;
    const std::string found = diff(*expected_, split_lines(result), same_line);
    if (found.empty()) return;
    if (differing_.empty()) first_difference_ = found;
    differing_.push_back(cell);
  }

  void finish() {
    if (differing_.empty()) return;
    std::string report = fmt::format("expect result differs in {} of {} cells, first in: {}\n{}",
                                     differing_.size(), cells_, differing_[0], first_difference_);
    constexpr size_t kNamed = 8;
    for (size_t i = 1; i < differing_.size() && i < kNamed; ++i) {
      report += fmt::format("  also in: {}\n", differing_[i]);
    }
    outcome_.faults.push_back(report);
  }

 private:
  static std::vector<std::string> lines_of(const std::string& body) {
    std::vector<std::string> lines;
    for (const CaseLine& line : plain_lines({.title = {}, .arguments = {}, .body = body})) {
      lines.push_back(line.text);
    }
    return canonical_lines(lines);
  }

  Outcome& outcome_;
  std::optional<std::vector<std::string>> expected_;
  size_t cells_ = 0;
  std::vector<std::string> differing_;
  std::string first_difference_;
};

struct Bench {  // what the cells of one case share
  const CaseFile& file;
  CompileInput input;
  std::vector<Carrier> carriers;
  bool reasons_of_lanes;
};

// The interpreter compiles against every carrier's own metadata; kernels, which take longer, once
// for all.
void run_compiler(const Bench& bench, const Compiler& compiler, Judge& judge, Outcome& outcome) {
  Compilation compilation;
  for (size_t i = 0; i < bench.carriers.size(); ++i) {
    const Carrier& carrier = bench.carriers[i];
    if (i == 0 || compiler.options.evaluator == EvaluatorChoice::interpreter) {
      compilation = compile_for(carrier, bench.input, compiler.options);
    }
    if (!compilation.ok()) {
      outcome.faults.push_back(fmt::format("{}, {}: does not compile: {}\n{}", compiler.name,
                                           carrier.name, compilation.failure,
                                           compilation.rendered()));
      return;
    }
    // Compared with itself the interpreter would always be right.
    if (compiler.options.evaluator == EvaluatorChoice::kernels &&
        compilation.evaluator.starts_with("interpreter")) {
      outcome.faults.push_back(fmt::format("{}: {}", compiler.name, compilation.evaluator));
      return;
    }
    for (uint32_t rows : kBlockRows) {
      auto options = evaluation_options(bench.file, rows);
      if (!options) {
        outcome.faults.push_back(options.error().text());
        return;
      }
      judge.take(fmt::format("{}, {}, {} records a block", compiler.name, carrier.name, rows),
                 evaluate(compilation.program, *carrier.source, *options, bench.reasons_of_lanes));
    }
  }
}

}  // namespace

Outcome run_eval(const CaseFile& file, const std::vector<CaseRecording>& recordings,
                 const std::string* expected) {
  auto found = carriers(file, recordings);
  if (!found) return {.faults = {found.error().text()}};
  const Bench bench{.file = file,
                    .input = read_expressions(file),
                    .carriers = *std::move(found),
                    .reasons_of_lanes = file.tag("reasons", "") == "lanes"};
  Outcome outcome = run_sema(file, bench.carriers[0]);
  if (outcome.errors) return outcome;
  Judge judge(outcome, expected);
  for (const Compiler& compiler : compilers(file)) run_compiler(bench, compiler, judge, outcome);
  judge.finish();
  return outcome;
}

}  // namespace pmjit::cases
