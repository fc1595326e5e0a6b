// Random programs: well-typed kernel bodies of 1 to 30 operators, or one reduction; by seed alone.
// All of a batch share an Ir, as the kernels of one compilation do.
#pragma once

#include "tests/unit/evaluators/builder.h"
#include "tests/unit/evaluators/subject.h"

namespace pmjit::tests {

inline constexpr size_t kProgramOpsMax = 30;

Subject random_program(Builder& builder, uint64_t seed);
std::vector<Data> random_data(const Ir& ir, const Subject& subject);

}  // namespace pmjit::tests
