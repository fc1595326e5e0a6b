// What a test has recorded, host by host, as archives in memory.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "rules/testing/test_file.h"
#include "runtime/archive/recording/archives.h"

namespace pmjit {

struct TestHosts {
  struct Host {
    std::string name;
    std::unique_ptr<Archives> archives;
  };
  std::vector<Host> hosts;                    // as the samples name them first
  Stamp first = kStampMax, last = kStampMin;  // of the records of all
};
[[nodiscard]] Result<TestHosts> hosts_of(const RuleTest& test);

}  // namespace pmjit
