// Random well-typed programs in both evaluators. $PMJIT_PROGRAMS: how many; $PMJIT_SEED: the first
// seed, so that a reported program runs alone with PMJIT_PROGRAMS=1 PMJIT_SEED=its seed in every
// instruction set and level.
#include <fmt/core.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "compiler/ir/print.h"
#include "compiler/ir/read.h"
#include "compiler/ir/verify.h"
#include "tests/unit/evaluators/duel.h"
#include "tests/unit/evaluators/programs.h"
#include "tests/unit/turns.h"

namespace pmjit::tests {
namespace {

constexpr size_t kProgramsPerBatch = 40;

uint64_t number_from_env(const char* name, uint64_t otherwise) {
  const char* text = std::getenv(name);
  return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

void reads_back(const Ir& ir) {
  const auto verified = verify(ir);
  ASSERT_TRUE(verified) << verified.error().text();
  const std::string text = print(ir);
  const auto again = read_ir(text);
  ASSERT_TRUE(again) << again.error().text();
  EXPECT_EQ(print(*again), text);
}

TEST(RandomPrograms, KernelsEqualInterpreter) {
  Buffer::use_guard_pages(true);
  const auto all_configs = configs();
  ASSERT_FALSE(all_configs.empty()) << "no code generator to compare with";
  const uint64_t programs = number_from_env("PMJIT_PROGRAMS", test::turns(1'000));
  const uint64_t first_seed = number_from_env("PMJIT_SEED", 1);
  Figures figures;
  size_t operators = 0;
  for (uint64_t done = 0, batch = 0; done < programs; ++batch) {
    Builder builder;
    std::vector<Subject> subjects;
    for (; subjects.size() < kProgramsPerBatch && done < programs; ++done) {
      subjects.push_back(random_program(builder, first_seed + done));
      operators += subjects.back().spec.nodes.size();
    }
    reads_back(builder.ir);
    const MakeData make_data = [&](const Subject& s) { return random_data(builder.ir, s); };
    // Each batch in one configuration, all of them in turn; a single program in every one.
    for (size_t k = 0; k < all_configs.size(); ++k) {
      if (programs > 1 && k != batch % all_configs.size()) continue;
      duel(builder.ir, subjects, all_configs[k], make_data, figures);
    }
  }
  fmt::print(
      "random: {} programs of {} operators, {} results compared, {:.2f} ms to compile one, {} "
      "differences\n",
      programs, operators, figures.lanes, figures.compile_ms / static_cast<double>(figures.kernels),
      figures.differences);
}

}  // namespace
}  // namespace pmjit::tests
