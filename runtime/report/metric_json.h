// What is known of results before their values, as a JSON array: for the formats that machines
// read.
#pragma once

#include <span>
#include <string>

#include "runtime/model/results.h"

namespace pmjit {

// [{"name":"a.b","type":"u32","semantics":"counter","units":"count","indom":"60.1"}]
std::string metrics_json(std::span<const ResultInfo> infos);

}  // namespace pmjit
