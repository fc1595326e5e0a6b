#include "tests/unit/evaluators/duel.h"

#include <fmt/core.h>
#include <gtest/gtest.h>

#include "compiler/codegen/load.h"
#include "compiler/interp/interp.h"
#include "runtime/base/sanitized.h"

namespace pmjit::tests {

namespace {

constexpr size_t kReportedMax = 10;

constexpr Config kConfigs[] = {
    {Isa::native, OptLevel::O0, "native O0"}, {Isa::native, OptLevel::O2, "native O2"},
    {Isa::sse42, OptLevel::O0, "sse4.2 O0"},  {Isa::sse42, OptLevel::O2, "sse4.2 O2"},
    {Isa::avx2, OptLevel::O0, "avx2 O0"},     {Isa::avx2, OptLevel::O2, "avx2 O2"},
    {Isa::avx512, OptLevel::O0, "avx512 O0"}, {Isa::avx512, OptLevel::O2, "avx512 O2"},
};

std::string operands_text(const Subject& subject, const Data& data, size_t result, bool row) {
  std::string out;
  const size_t per_result = row ? data.lanes : 1;
  for (size_t k = 0; k < data.inputs.size(); ++k) {
    out += fmt::format("\n    input {}:", k);
    for (size_t i = result * per_result; i < (result + 1) * per_result; ++i) {
      const Sample& sample = data.inputs[k][i];
      const auto value = sample.valid ? std::optional(sample.bits) : std::nullopt;
      out += " " + describe(subject.spec.inputs[k].elem, value);
    }
  }
  return out;
}

void compare(const Ir& ir, const Subject& subject, const Config& config, const Data& data,
             const RunResult& wanted, const RunResult& got, Figures& figures) {
  const Elem elem = ir.type_of(subject.spec.result()).elem;
  figures.lanes += wanted.outcome.size();
  for (const RunResult* run : {&wanted, &got}) {
    if (run->problem.empty()) continue;
    ++figures.differences;
    ADD_FAILURE() << config.name << ": " << run->problem << "\n" << text_of(ir, subject);
  }
  for (size_t i = 0; i < wanted.outcome.size(); ++i) {
    if (wanted.outcome[i] == got.outcome[i]) continue;
    if (++figures.differences > kReportedMax) return;
    ADD_FAILURE() << config.name << ", result " << i << " of " << data.rows << " × " << data.lanes
                  << ": interpreter " << describe(elem, wanted.outcome[i]) << ", kernel "
                  << describe(elem, got.outcome[i])
                  << operands_text(subject, data, i, reduces(ir, subject)) << "\n"
                  << text_of(ir, subject);
    return;
  }
}

}  // namespace

const CodegenModule* codegen() {
  const auto module = load_codegen();
  return module ? *module : nullptr;
}

std::vector<Config> configs() {
  std::vector<Config> out;
  if (codegen() == nullptr) return out;
  for (const Config& config : kConfigs) {
    if (kSanitized && !out.empty()) break;
    const auto compiled = codegen()->compile({}, {.level = config.level, .isa = config.isa});
    if (compiled) {
      out.push_back(config);
    } else {
      EXPECT_EQ(compiled.error().fault(), Fault::unsupported) << compiled.error().text();
    }
  }
  return out;
}

void duel(const Ir& ir, std::span<const Subject> subjects, const Config& config,
          const MakeData& make_data, Figures& figures) {
  std::vector<KernelShape> shapes;
  for (const Subject& subject : subjects) shapes.push_back(shape_of(ir, subject.spec));
  const SystemClock clock;
  const auto compiled =
      codegen()->compile(shapes, {.level = config.level, .isa = config.isa, .clock = &clock});
  ASSERT_TRUE(compiled) << compiled.error().text();
  ASSERT_EQ(compiled->kernels.size(), subjects.size());
  figures.compile_ms += compiled->compile_ms;
  for (size_t i = 0; i < subjects.size(); ++i) {
    const OwnedKernel interpreted = interpret(ir, subjects[i].spec);
    ++figures.kernels;
    for (const Data& data : make_data(subjects[i])) {
      Bench bench(ir, subjects[i], data);
      const RunResult wanted = bench.run(interpreted.kernel);
      compare(ir, subjects[i], config, data, wanted, bench.run(compiled->kernels[i]), figures);
    }
  }
}

}  // namespace pmjit::tests
