#include "tests/lib/run_text.h"

#include <fmt/format.h>

#include "compiler/driver/check.h"
#include "compiler/ir/print.h"
#include "compiler/ir/read.h"
#include "compiler/ir/verify.h"
#include "compiler/parse/parse.h"
#include "compiler/passes/passes.h"
#include "compiler/plan/plan.h"
#include "tests/lib/expressions.h"
#include "tests/lib/memory_source.h"

namespace pmjit::cases {
namespace {

void check_ast(Outcome& outcome, const Ast& ast) {
  const std::string printed = print(ast);
  Diags diags;
  const SourceText source{.name = "<printed>", .text = printed};
  const auto again = parse_expression(source, Parameters::allowed, diags);
  if (!again) {
    outcome.faults.push_back("what print() wrote does not parse: " + printed);
  } else if (!same_tree(ast, *again)) {
    outcome.faults.push_back("what print() wrote is another tree: " + printed);
  } else if (print(*again) != printed) {
    outcome.faults.push_back("print() of the printed text differs: " + printed);
  }
}

void check_ir(Outcome& outcome, const std::string& name) {
  const std::string& text = outcome.texts[name];
  if (text.empty()) return;
  auto ir = read_ir(text);
  if (!ir) {
    outcome.faults.push_back(fmt::format("{} does not read back: {}", name, ir.error().text()));
    return;
  }
  if (auto sound = verify(*ir); !sound) {
    outcome.faults.push_back(fmt::format("{} read back: {}", name, sound.error().text()));
  } else if (print(*ir) != text) {
    outcome.faults.push_back(fmt::format("{} reads back as another text:\n{}", name, print(*ir)));
  }
}

void add_parsed(Outcome& outcome, const Ast& ast) {
  outcome.texts["ast"] += dump(ast);
  outcome.texts["print"] += print(ast) + "\n";
}

void add_diags(Outcome& outcome, const Diags& diags, const SourceText& source) {
  outcome.texts["diag"] += diag_lines(diags, source);
  outcome.texts["message"] += render_all(diags, source);
  outcome.errors = outcome.errors || diags.has_errors();
}

}  // namespace

Result<Ir> with_passes(Ir ir, std::string_view but) {
  for (const Pass& pass : passes()) {
    if (pass.name == but) continue;
    ir = pass.run(std::move(ir));
    if (auto sound = verify(ir); !sound) {
      return fail(std::move(sound).error().at("pass", pass.name));
    }
  }
  return ir;
}

Outcome run_syntax(const CaseFile& file) {
  Outcome outcome;
  outcome.texts = {{"ast", ""}, {"print", ""}, {"diag", ""}, {"message", ""}};
  const CompileInput input = read_expressions(file);
  for (const SourceText& source : input.definition_files) {
    Diags diags;
    for (const Definition& definition : parse_definitions(source, diags).definitions) {
      if (!definition.ast) continue;
      outcome.texts["print"] += definition.name + " = ";
      add_parsed(outcome, *definition.ast);
      check_ast(outcome, *definition.ast);
    }
    add_diags(outcome, diags, source);
  }
  for (const SourceText& source : input.expressions) {
    Diags diags;
    if (const auto ast = parse_expression(source, diags)) {
      add_parsed(outcome, *ast);
      check_ast(outcome, *ast);
    }
    add_diags(outcome, diags, source);
  }
  return outcome;
}

Outcome run_sema(const CaseFile& file, const Carrier& carrier) {
  Outcome outcome;
  const CompileInput input = read_expressions(file);
  CompileOptions options{.evaluator = EvaluatorChoice::interpreter};
  options.dialect = dialect_from_text(file.tag("dialect", "strict"));
  options.counter_wrap = file.tag("wrap", "off") == "on";
  options.on_grid = file.tags.contains("grid");
  options.equivalent = EquivalentDomains::read(file.tag("equivalent", ""));
  options.dumps = true;
  add_compilation(outcome, compile_for(carrier, input, options));
  check_identities(outcome, input);
  return outcome;
}

Outcome run_ir(const CaseFile& file) {
  Outcome outcome;
  const Section* section = file.find("ir");
  if (section == nullptr) {
    outcome.faults.push_back("there is no section `ir`");
    return outcome;
  }
  const auto ir = read_ir(section->body);
  const auto sound = ir ? verify(*ir) : Result<void>();
  outcome.errors = !ir || !sound;
  if (outcome.errors) {
    outcome.texts["message"] = (ir ? sound.error() : ir.error()).text() + "\n";
    return outcome;
  }
  outcome.texts["ir"] = print(*ir);
  const auto optimised = with_passes(*ir, "");
  if (!optimised) {
    outcome.faults.push_back(optimised.error().text());
    return outcome;
  }
  outcome.texts["ir-opt"] = print(*optimised);
  outcome.texts["plan"] = print_plan(make_plan(*optimised));
  for (const char* stage : {"ir", "ir-opt", "plan"}) {
    outcome.dump += fmt::format("--- {}\n{}", stage, outcome.texts[stage]);
  }
  check_ir(outcome, "ir");
  check_ir(outcome, "ir-opt");
  return outcome;
}

Outcome run_check(const CaseFile& file) {
  Outcome outcome;
  auto recording = read_recording(file);
  if (!recording) return {.faults = {recording.error().text()}};
  const MemorySource source(*recording);
  const Catalog* catalog = file.find("metrics") == nullptr ? nullptr : &source.catalog();
  const CheckReport report =
      check_texts(read_expressions(file), catalog,
                  {.dialect = dialect_from_text(file.tag("dialect", "file")),
                   .equivalent = EquivalentDomains::read(file.tag("equivalent", ""))});
  outcome.texts = {{"diag", ""}, {"message", ""}};
  for (const auto& one : report.reports) add_report(one.diags, one.source, outcome);
  for (const auto& one : report.mistakes) {
    Outcome of_mistakes;
    add_report(one.diags, one.source, of_mistakes);
    outcome.texts["message"] += of_mistakes.texts["message"];
    outcome.errors = outcome.errors || of_mistakes.errors;
  }
  return outcome;
}

void check_identities(Outcome& outcome, const CompileInput& input) {
  for (const SourceText& source : input.expressions) {
    Diags diags;
    const auto ast = parse_expression(source, Parameters::allowed, diags);
    if (ast) check_ast(outcome, *ast);
  }
  for (const SourceText& source : input.definition_files) {
    Diags diags;
    for (const Definition& definition : parse_definitions(source, diags).definitions) {
      if (definition.ast) check_ast(outcome, *definition.ast);
    }
  }
  check_ir(outcome, "ir");
  check_ir(outcome, "ir-opt");
}

}  // namespace pmjit::cases
