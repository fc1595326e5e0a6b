// How the rules of a program are computed: the tree of each, and of each part whether core
// operators decide it or it is interpreted, and why.
#pragma once

#include <string>

#include "rules/compat/core_proofs.h"
#include "rules/compat/sources.h"

namespace pmjit {

// Of a statement; `proofs` of its program.
[[nodiscard]] std::string how_text(const pmie::RuleProgram& program, uint32_t statement,
                                   const pmie::Proofs& proofs, const pmie::ArchiveSources& sources);

}  // namespace pmjit
