#include "rules/cmd/sweep.h"

#include <algorithm>

#include "runtime/base/limits.h"
#include "runtime/report/sweep/sweep.h"

namespace pmjit {

namespace {

std::unexpected<Error> refuse(const std::string& what, const std::string& way_out) {
  return fail(Error(Fault::usage, "--sweep " + what).help(way_out));
}

Result<void> check_use(const CommonOptions& options, const SweepUse& use) {
  if (find_sweep_format(use.format) == nullptr) {
    std::string names;
    for (const SweepFormat& format : sweep_formats()) {
      names += (names.empty() ? "-o " : ", ") + std::string(format.name);
    }
    return refuse("has no output format " + use.format, names);
  }
  if (use.reasons) return refuse("has no place for --reasons", "give it without --sweep");
  if (use.rate) return refuse("takes no --rate", "write rate() in the expression");
  const DialectChoice dialect = dialect_choice(options.dialect);
  if (dialect.said.value_or(Dialect::strict) != Dialect::strict) {
    return refuse("is of the strict dialect: there are no parameters in " +
                      std::string(dialect_text(*dialect.said)),
                  "leave out --dialect and --compat; definition files stay what they say");
  }
  return {};
}

}  // namespace

uint32_t sweep_block_rows(const SweepPoints& points) {
  const size_t rows = limits::kSweepRowsMax / points.values.size();
  return static_cast<uint32_t>(std::clamp<size_t>(rows, 1, limits::kBlockRowsMax));
}

Result<CompileInput> sweep_input(const CommonOptions& options,
                                 const std::vector<std::string>& arguments, const SweepUse& use) {
  if (auto usable = check_use(options, use); !usable) return fail(usable.error());
  if (arguments.size() < 2) {
    return refuse("needs an expression and the values of its parameters",
                  "for instance --sweep 'rate(disk.all.read) > $t' t=0..100:1");
  }
  auto input = compile_input(options, {arguments[0]});
  if (!input) return input;
  for (size_t i = 1; i < arguments.size(); ++i) {
    input->parameters.push_back(SourceText{.name = "", .text = arguments[i]});
  }
  return input;
}

}  // namespace pmjit
