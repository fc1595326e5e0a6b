#include "tests/lib/matrix.h"

#include <fmt/format.h>

#include "runtime/base/sanitized.h"

namespace pmjit::cases {
namespace {

struct NamedIsa {
  std::string_view name;
  Isa isa;
};

std::vector<NamedIsa> isas_here() {
  const NamedIsa native{"native", Isa::native};
  if (kSanitized) return {native};
  std::vector<NamedIsa> isas;
  if (__builtin_cpu_supports("sse4.2")) isas.push_back({"sse4.2", Isa::sse42});
  if (__builtin_cpu_supports("avx2")) isas.push_back({"avx2", Isa::avx2});
  if (__builtin_cpu_supports("avx512f")) isas.push_back({"avx512", Isa::avx512});
  if (isas.empty()) isas.push_back(native);  // else one of them is as wide
  return isas;
}

}  // namespace

std::vector<Compiler> compilers(const CaseFile& file) {
  std::vector<Compiler> all;
  for (bool passes : {false, true}) {
    const std::string_view suffix = passes ? "" : ", passes off";
    CompileOptions options{
        .evaluator = EvaluatorChoice::interpreter, .passes = passes, .reasons = true};
    options.dialect = dialect_from_text(file.tag("dialect", "strict"));
    options.counter_wrap = file.tag("wrap", "off") == "on";
    options.on_grid = file.tags.contains("grid");
    options.equivalent = EquivalentDomains::read(file.tag("equivalent", ""));
    all.push_back({fmt::format("interp{}", suffix), options});
    if (file.tag("evaluators", "all") == "interpreter") continue;
    options.evaluator = EvaluatorChoice::kernels;
    for (OptLevel level : {OptLevel::O0, OptLevel::O2}) {
      // What LLVM makes of a kernel has no sanitizer in it.
      if (kSanitized && level != OptLevel::O0) continue;
      for (const NamedIsa& isa : isas_here()) {
        options.level = level;
        options.isa = isa.isa;
        all.push_back(
            {fmt::format("kernels {} {}{}", level == OptLevel::O0 ? "O0" : "O2", isa.name, suffix),
             options});
      }
    }
  }
  return all;
}

}  // namespace pmjit::cases
