// Carriers: the ways in which the samples of a case reach the evaluator.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "compiler/driver/driver.h"
#include "runtime/model/hosts.h"
#include "runtime/model/recording.h"
#include "runtime/testing/case_file.h"
#include "runtime/testing/case_recording.h"

namespace pmjit::cases {

struct Carrier {
  std::string name;  // "memory", "archive-v2", "archive-v3", "two-threads"
  std::shared_ptr<const Recording> source;
  const HostsCatalog* hosts = nullptr;  // of the source, where the samples name several hosts
};

// Those that the case's tag `carriers` names; all where it has none. Temporary archives live as
// long as the source. `recordings`: one a host, which outlive the carriers.
Result<std::vector<Carrier>> carriers(const CaseFile& file,
                                      const std::vector<CaseRecording>& recordings);
// In memory, for compilers.
Carrier memory_carrier(const std::vector<CaseRecording>& recordings);
Compilation compile_for(const Carrier& carrier, const CompileInput& input,
                        const CompileOptions& options);

}  // namespace pmjit::cases
