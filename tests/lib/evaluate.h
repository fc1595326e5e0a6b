// evaluate(): everything that a program gives over a source, as the lines of a case
// (result_text.h).
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "runtime/exec/evaluation.h"
#include "runtime/model/recording.h"
#include "runtime/program/program.h"

namespace pmjit::cases {

// Of several roots each has its name above its lines. An error is the last line. The program was
// compiled for reasons; `reasons_of_lanes`: those of single instances are printed too.
std::string evaluate(const std::shared_ptr<const Program>& program, const Recording& source,
                     const EvaluationOptions& options, bool reasons_of_lanes);

// The same over a feed whose rosters are in those given.
using FeedOver = std::function<OpenFeed(Rosters&)>;
std::string evaluate(const std::shared_ptr<const Program>& program, const Catalog& catalog,
                     const FeedOver& feed, const EvaluationOptions& options, bool reasons_of_lanes);

}  // namespace pmjit::cases
