// Carriers: the ways in which the samples of a case reach the evaluator.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "runtime/model/recording.h"
#include "runtime/testing/case_file.h"
#include "runtime/testing/case_recording.h"

namespace pmjit::cases {

struct Carrier {
  std::string name;  // "memory", "archive-v2", "archive-v3", "two-threads"
  std::shared_ptr<const Recording> source;
};

// Those that the case's tag `carriers` names; all where it has none. Temporary archives live as
// long as the source.
Result<std::vector<Carrier>> carriers(const CaseFile& file, const CaseRecording& recording);

}  // namespace pmjit::cases
