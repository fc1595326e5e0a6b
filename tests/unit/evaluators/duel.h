// Duel: the interpreter against kernels of every instruction set of this machine at both levels. A
// difference is reported with the program that shows it and the command that shows it again.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "compiler/codegen/codegen.h"
#include "tests/unit/evaluators/subject.h"

namespace pmjit::tests {

struct Config {
  Isa isa;
  OptLevel level;
  const char* name;
};

struct Figures {
  size_t kernels = 0, lanes = 0, differences = 0;
  double compile_ms = 0;
};

// None: this build has no code generation, or the machine cannot run the set.
std::vector<Config> configs();
const CodegenModule* codegen();

using MakeData = std::function<std::vector<Data>(const Subject& subject)>;

// Runs every subject on its data in the interpreter and in kernels made as `config` says.
void duel(const Ir& ir, std::span<const Subject> subjects, const Config& config,
          const MakeData& make_data, Figures& figures);

}  // namespace pmjit::tests
