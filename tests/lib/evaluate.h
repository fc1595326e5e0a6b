// evaluate(): everything that a program gives over a source, as the lines of a case
// (result_text.h).
#pragma once

#include <memory>
#include <string>

#include "runtime/exec/evaluation.h"
#include "runtime/model/source.h"
#include "runtime/program/program.h"

namespace pmjit::cases {

// Of several roots each has its name above its lines. An error is the last line.
std::string evaluate(const std::shared_ptr<const Program>& program, const Source& source,
                     const EvaluationOptions& options);

}  // namespace pmjit::cases
