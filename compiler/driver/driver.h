// The compiler as a list of stages: parse, resolve, check, lower, optimise, plan, generate.
//
//   Compilation c = compile({.expressions = {{"<expression>", "rate(disk.dev.read)"}}}, …);
//   if (!c.ok()) show(c.rendered());
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "compiler/ast/ast.h"
#include "compiler/ast/dialect.h"
#include "compiler/codegen/codegen.h"
#include "compiler/compat/registry/file_dialect.h"
#include "compiler/diag/diag.h"
#include "compiler/driver/compiling.h"
#include "compiler/driver/expected_work.h"
#include "compiler/ir/ir.h"
#include "runtime/base/clock.h"
#include "runtime/model/catalog.h"
#include "runtime/model/results.h"
#include "runtime/program/program.h"

namespace pmjit {

class Adapting;

// Definition files that many compilations have, one after the other: the first one reads them.
struct ReadDefinitions;
[[nodiscard]] std::shared_ptr<ReadDefinitions> read_definitions_once();

enum class EvaluatorChoice : uint8_t { automatic, interpreter, kernels };

struct CompileInput {
  // One root each; a name above leaves makes one root per leaf.
  std::vector<SourceText> expressions;
  std::vector<SourceText> definition_files;
  // A sweep's: values of the parameters of the one expression, which then makes one root per
  // point.
  std::vector<SourceText> parameters{};
};

struct CompileOptions {
  EvaluatorChoice evaluator = EvaluatorChoice::automatic;
  std::optional<OptLevel> level{};  // none: by the work of each kernel
  Isa isa = Isa::native;
  bool passes = true;         // fold, scale, cse, dead
  bool counter_wrap = false;  // PCP_COUNTER_WRAP
  bool on_grid = false;       // for values at other times than those recorded
  // Of files that do not say theirs (none: pcp6) and of expressions (none: strict).
  DialectChoice dialect{};
  EquivalentDomains equivalent{};  // compiler/compat/registry/derive.h has those of the environment
  // Of compile_parsed(): every compilation that shares it has the same files. Null: each reads
  // them.
  std::shared_ptr<ReadDefinitions> read_once{};
  bool keep_llvm_ir = false;
  ExpectedWork expected{};  // decides `automatic`
  RunJobs run_jobs{};       // for batches of kernels; none: one after the other
  // `automatic`: kernels are not compiled yet; whoever runs the program lets another thread call
  // Compilation::compiling->compile_next() meanwhile.
  bool kernels_may_follow = false;
  const Clock* clock = nullptr;  // for times in the result; none: they are 0
  bool reasons = false;          // for EvaluationOptions::reasons
  bool dumps = false;            // fill Compilation::dumps
};

// What each stage gave, for `explain --dump` and for tests. Texts are the printers' own.
struct Dumps {
  std::string ast, types, ir, ir_opt, plan, kernels, llvm;
};

// How a definition is computed, or an expression in a dialect of libpcp.
struct DerivedWay {
  enum class Kind : uint8_t {
    compiled,     // by core operators, whatever the values are
    guarded,      // many times at once where the values allow it
    interpreted,  // one time after another
  };
  std::string name;
  Kind kind = Kind::compiled;
  std::string why{};  // interpreted; compiled: how
  SlotId slot{};      // guarded: which of EvaluationStats::sets it is
};

struct Compilation {
  // Diagnostics stand with the text that they are about.
  struct Report {
    SourceText source;
    Diags diags;
  };
  std::vector<Report> reports;
  std::vector<Report> skipped;  // lines of definition files that libpcp skips; the others are used
  std::shared_ptr<Program> program;  // none: some report has errors
  Dumps dumps;
  std::vector<std::string> notes;    // what was left out or is done otherwise, and why
  std::optional<SweepPoints> sweep;  // whose points the roots are
  std::string failure;  // not the user's mistake: the evaluator asked for cannot be had
  std::vector<DerivedWay> derived;
  std::string evaluator;  // "kernels (native): 1 in O0 for 1 step", "interpreter (asked for)" …
  size_t shapes = 0, steps = 0;          // of kernels, compiled or interpreted
  std::shared_ptr<Compiling> compiling;  // none: everything is interpreted
  std::shared_ptr<Adapting> adapting;    // none but where `automatic` has kernels to choose for
  bool compiling_follows = false;        // CompileOptions::kernels_may_follow, and they do
  double compile_ms = 0;
  [[nodiscard]] bool ok() const { return program != nullptr; }
  [[nodiscard]] std::string rendered() const;  // all of them, rendered
};

Compilation compile(const CompileInput& input, const Catalog& catalog,
                    const CompileOptions& options);

// Conditions of rules, compiled together: what they have in common is evaluated once. The other
// door into the list of stages (driver.h), for Asts that are there.
struct ParsedRoot {
  size_t source = 0;  // of `sources`
  const Ast* ast = nullptr;
  std::string title;
  bool again = false;  // a part of a root before it: what is wrong was said there
};

// A root each, in this order. The arguments outlive the call. It does not report
// the lines of definition files that libpcp skips: the caller did so when it read them.
Compilation compile_parsed(const std::vector<SourceText>& sources,
                           const std::vector<ParsedRoot>& roots,
                           const std::vector<SourceText>& definition_files, const Catalog& catalog,
                           const CompileOptions& options);

// The same over several hosts: a root per host where it depends on the host, else one for all.
struct HostNames {
  std::string name;
  const Catalog* catalog = nullptr;  // HostsCatalog::of_host, or one over it
};
struct HostsRoot {
  bool shared = false;              // it is the same for every host
  std::optional<uint32_t> about{};  // of a shared one: the only host whose metrics it has
  bool reduces = false;             // of a shared one: it is made from those of several
  // Of each host, a root of the program; none: a metric is not there.
  std::vector<std::optional<uint32_t>> of_host{};
};
struct HostsCompilation {
  Compilation made;
  std::vector<HostsRoot> roots;  // beside those that were given
};
HostsCompilation compile_parsed(const std::vector<SourceText>& sources,
                                const std::vector<ParsedRoot>& roots,
                                const std::vector<SourceText>& definition_files,
                                std::span<const HostNames> hosts, const CompileOptions& options);

}  // namespace pmjit
