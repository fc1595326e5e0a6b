// Which files are tests of rules: those named, and those in the folders named.
#pragma once

#include <string>
#include <vector>

#include "runtime/base/result.h"

namespace pmjit {

struct TestText {
  std::string path, text;
};
// In the order given; of a folder and those in it the files *.case that say `#: run: rules`, by
// their names. None twice.
[[nodiscard]] Result<std::vector<TestText>> find_rule_tests(const std::vector<std::string>& paths);

}  // namespace pmjit
