// The matrix: every way in which an eval case is computed. All cells have the same expectation.
//
//   evaluators   interp · kernels O0 and O2, each instruction set that this machine has;
//                under the address sanitizer, which does not see kernels, O2 native alone
//   passes       off · on
//   blocks       1, 7 and 1024 records
//   carriers     memory · archive V2 and V3, written and read back · V3 read by two threads
#pragma once

#include <string>
#include <vector>

#include "compiler/driver/driver.h"
#include "runtime/testing/case_file.h"
#include "tests/lib/carrier.h"

namespace pmjit::cases {

struct Compiler {  // one compilation: the columns of the matrix
  std::string name;
  CompileOptions options;
};

std::vector<Compiler> compilers(const CaseFile& file);
inline constexpr uint32_t kBlockRows[] = {1, 7, 1024};

}  // namespace pmjit::cases
