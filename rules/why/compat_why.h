// Why a rule is true, false or unknown at a time: its expression as a tree, with the values of each
// part, why what is unknown is so, and how far each comparison is from changing.
#pragma once

#include <string>

#include "rules/compat/run.h"

namespace pmjit {

// Of a statement, as it was evaluated last.
[[nodiscard]] std::string why_text(const pmie::PmieEvaluator& at, uint32_t statement,
                                   const pmie::ArchiveSources& sources);

}  // namespace pmjit
