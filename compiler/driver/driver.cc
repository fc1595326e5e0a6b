#include "compiler/driver/driver.h"

#include <chrono>
#include <numeric>
#include <ranges>
#include <unordered_set>
#include <utility>

#include "compiler/driver/compatible_files.h"
#include "compiler/driver/kernels.h"
#include "compiler/driver/parsed_texts.h"
#include "compiler/driver/sweep.h"
#include "compiler/interp/interp.h"
#include "compiler/ir/print.h"
#include "compiler/ir/verify.h"
#include "compiler/passes/passes.h"
#include "compiler/plan/plan.h"
#include "compiler/sema/lower.h"
#include "compiler/sema/repeated.h"
#include "runtime/base/result.h"

namespace pmjit {

namespace {

void check_ir(const Ir& ir, std::string_view stage) {
  const auto sound = verify(ir);
  check(sound.has_value(), sound ? stage : std::string_view(sound.error().what()));
}

void dump_front(const ParsedTexts& texts, const Sema& sema, Dumps& dumps) {
  for (uint32_t index : texts.roots) {
    if (sema.checked(index).empty()) continue;  // a point behind one with an error
    dumps.ast += dump(*texts.exprs[index].ast);
    dumps.types += dump_types(sema, index);
  }
}

std::vector<ResultInfo> infos_of(std::vector<RootText> roots, const Plan& plan) {
  std::vector<ResultInfo> out;
  for (size_t k = 0; k < roots.size(); ++k) {
    const Type& type = plan.ir.type_of(plan.ir.roots[k]);
    out.push_back(ResultInfo{.name = std::move(roots[k].title),
                             .elem = type.elem,
                             .semantics = type.semantics,
                             .units = type.units,
                             .domain = type.axes.domain,
                             .met = std::move(roots[k].met),
                             .host = std::move(roots[k].host)});
  }
  return out;
}

Ir optimise(Ir ir, const Bodies& bodies) {
  if (!ir.derived.empty()) {
    ir = prove(ir, bodies);
    check_ir(ir, "prove");
  }
  for (const Pass& pass : passes()) {
    ir = pass.run(std::move(ir));
    check_ir(ir, pass.name);
  }
  return ir;
}

// The steps of plan and program are the same ones.
void add_blame(const Plan& plan, Program& program) {
  for (size_t i = 0; i < plan.steps.size(); ++i) {
    if (plan.steps[i].kind != StepKind::lanes) continue;
    program.steps[i].blame = make_blame(plan.ir, plan.steps[i].spec);
  }
}

constexpr std::string_view kByCore = "by core operators";

DerivedWay way_of(const std::string& name, const Step& step) {
  using enum DerivedWay::Kind;
  if (step.kind == StepKind::proven) return {.name = name, .why = std::string(kByCore)};
  const std::string_view why = step.sets->why_one_by_one();
  if (!why.empty()) return {.name = name, .kind = interpreted, .why = std::string(why)};
  if (step.inputs.empty()) return {.name = name, .why = "a constant"};
  return {.name = name, .kind = guarded, .slot = step.out};
}

// Of libpcp's dialects. The steps of plan and program are the same ones.
std::vector<DerivedWay> derived_ways(const Plan& plan, const Program& program) {
  std::vector<DerivedWay> out;
  for (size_t i = 0; i < plan.steps.size(); ++i) {
    const Step& step = program.steps[i];
    if (step.kind != StepKind::sets && step.kind != StepKind::proven) continue;
    const Node& node = plan.ir.nodes[plan.steps[i].node];
    out.push_back(way_of(plan.ir.derived[node.payload].name, step));
  }
  return out;
}

// Roots that are strict definitions: by themselves, or by their name.
void add_strict_ways(const ParsedTexts& texts, std::vector<DerivedWay>& out) {
  if (texts.strict_definitions == 0) return;
  const auto names = texts.titles | std::views::take(texts.strict_definitions);
  const std::unordered_set<std::string> defined(names.begin(), names.end());
  for (const uint32_t root : texts.roots) {
    const std::string& name = texts.titles[root];
    if (defined.contains(name)) out.push_back({.name = name, .why = std::string(kByCore)});
  }
}

}  // namespace

std::string Compilation::rendered() const {
  std::string out;
  for (const Report& report : skipped) out += render_all(report.diags, report.source);
  for (const Report& report : reports) out += render_all(report.diags, report.source);
  return out;
}

Compilation compile(const CompileInput& input, const Catalog& catalog,
                    const CompileOptions& options) {
  const Instant begin = options.clock == nullptr ? Instant{} : options.clock->now();
  ParsedTexts texts = parse_texts(input, catalog, options);
  refuse_repeated(texts.exprs, texts.compatible);
  if (!texts.files->typed().empty()) refuse_absent(texts, catalog);
  Compilation out = compile_texts(texts, catalog, options);
  for (Compilation::Report& report : texts.reports) out.reports.push_back(std::move(report));
  out.sweep = std::move(texts.sweep);
  if (options.clock != nullptr) out.compile_ms = seconds_since(begin, *options.clock) * 1e3;
  return out;
}

Compilation compile_texts(const ParsedTexts& texts, const Catalog& catalog,
                          const CompileOptions& options) {
  Compilation out;
  tell_skipped_lines(texts, out);
  out.notes.insert(out.notes.end(), texts.notes.begin(), texts.notes.end());
  if (!texts.names_known) return out;
  if (texts.roots.empty() && !texts.has_errors()) {
    out.failure = "nothing to evaluate: no expression, and no definition in the files";
    return out;
  }

  Sema sema(catalog, texts.exprs, texts.compatible, options.equivalent);
  // All definitions, for one that is wrong refuses its file, whoever uses it.
  std::vector<uint32_t> definitions(texts.strict_definitions);
  std::iota(definitions.begin(), definitions.end(), 0);
  sema.check(definitions);
  if (texts.sweep) {
    check_points(texts, sema);
  } else {
    sema.check(texts.roots);
  }
  if (options.dumps) dump_front(texts, sema, out.dumps);
  if (!texts.has_errors()) compile_checked(texts, sema, options, out);
  return out;
}

Ir lower_checked(const ParsedTexts& texts, const Sema& sema, const CompileOptions& options) {
  Ir ir =
      lower(sema, texts.roots, {.counter_wrap = options.counter_wrap, .on_grid = options.on_grid})
          .ir;
  check_ir(ir, "lowering");
  return ir;
}

void compile_checked(const ParsedTexts& texts, const Sema& sema, const CompileOptions& options,
                     Compilation& out) {
  std::vector<RootText> roots;
  for (const uint32_t root : texts.roots) {
    roots.push_back({.title = texts.titles[root], .met = sema.root(root).met});
  }
  compile_ir(lower_checked(texts, sema, options), std::move(roots), texts.compatible.bodies(),
             options, out);
  if (out.ok()) add_strict_ways(texts, out.derived);
}

void compile_ir(Ir ir, std::vector<RootText> roots, const Bodies& bodies,
                const CompileOptions& options, Compilation& out) {
  if (options.dumps) out.dumps.ir = print(ir);
  if (options.passes) ir = optimise(std::move(ir), bodies);
  if (options.dumps) out.dumps.ir_opt = print(ir);

  const Plan plan = make_plan(ir);
  if (options.dumps) out.dumps.plan = print_plan(plan);
  Choice choice = choose(plan, options);
  if (options.dumps) out.dumps.kernels = print_choice(choice);
  out.shapes = choice.shapes.size();
  out.steps = choice.shape_of.size();
  auto kernels = make_kernels(plan, std::move(choice), options);
  if (!kernels) {
    out.failure = kernels.error().text();
    return;
  }
  if (!kernels->missing.empty()) {
    out.notes.push_back("no kernels, interpreted instead: " + kernels->missing);
  }
  out.evaluator = kernels->evaluator;
  out.compiling = std::move(kernels->compiling);
  out.adapting = std::move(kernels->adapting);
  out.compiling_follows = kernels->follows;
  out.dumps.llvm = std::move(kernels->llvm_ir);
  Program program =
      assemble_program(plan, kernels->of_steps, infos_of(std::move(roots), plan), bodies);
  if (options.reasons) add_blame(plan, program);
  out.derived = derived_ways(plan, program);
  out.program = std::make_shared<Program>(std::move(program));
}

}  // namespace pmjit
