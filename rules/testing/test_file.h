// RuleTestFile: a `.case` of the run `rules`, taken apart into its tests. README.md has the format.
//
//   auto file = read_rule_tests("disk.case", text);
//   for (const RuleTest& test : file->tests) auto outcome = run_rule_test(*file, test, …);
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/archive/recording/archives.h"
#include "runtime/testing/case_file.h"

namespace pmjit {

// Its sections are those of the file; null: there is none.
struct RuleTest {
  std::string name;   // behind `--- test`; without tests the sentence of the file
  uint32_t line = 1;  // where it begins
  const cases::Section* metrics = nullptr;
  const cases::Section* samples = nullptr;
  const cases::Section* rules = nullptr;
  const cases::Section* transitions = nullptr;
  const cases::Section* actions = nullptr;
  const cases::Section* alerts = nullptr;
  const cases::Section* messages = nullptr;

  [[nodiscard]] bool expects() const {
    return transitions != nullptr || actions != nullptr || alerts != nullptr || messages != nullptr;
  }
};

struct RuleTestFile {
  RuleTestFile() = default;
  // Its tests point into it.
  RuleTestFile(const RuleTestFile&) = delete;
  RuleTestFile(RuleTestFile&&) = default;
  RuleTestFile& operator=(RuleTestFile&&) = default;

  cases::CaseFile file;
  std::vector<std::string> rule_files;  // as written
  double delta = 10;                    // seconds
  bool all = false;                     // no rule is left out
  bool strict = false;                  // the dialect of its rules, whatever they say
  bool one = false;                     // the file is one test
  std::vector<RuleTest> tests;
};

// Is this the text of such a file?
[[nodiscard]] bool is_rule_test(std::string_view text);
[[nodiscard]] Result<RuleTestFile> read_rule_tests(const std::string& path, std::string_view text);

// What a test has recorded, host by host, as archives in memory.
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
