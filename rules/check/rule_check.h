// Checking rule files: what is wrong with them, and, of those in the dialect pmie, where strict
// would read them otherwise.
//
//   RuleCheck check({.metrics = &sources, …});
//   auto done = check.read(files);              a failure: a source of theirs cannot be opened
//   show(check.report())
#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "compiler/diag/diag.h"
#include "compiler/differences/rules/rule_differences.h"

namespace pmjit {

struct RuleCheckOptions {
  pmie::RuleMetrics* metrics = nullptr;  // null: what the texts alone show
  const Catalog* catalog = nullptr;      // whose names are offered for a wrong one; or null
  double delta = 10;                     // seconds, where rules do not say
  pmie::Settings settings{};             // of macros
  bool differences = true;               // report them, too
  // Called with the share of the text that has been read, 0 … 1.
  std::function<void(double)> progress{};
};

struct RuleCheckReport {
  struct Text {
    SourceText source;
    Diags diags{};
    std::vector<pmie::CheckedStatement> statements{};
    [[nodiscard]] size_t rules() const;
  };
  std::deque<Text> texts;
};

class RuleCheck {
 public:
  explicit RuleCheck(const RuleCheckOptions& options);
  RuleCheck(const RuleCheck&) = delete;
  RuleCheck& operator=(const RuleCheck&) = delete;

  // Files in the dialect pmie, one after another: macros carry over.
  [[nodiscard]] Result<void> read(const std::vector<SourceText>& files);
  [[nodiscard]] const RuleCheckReport& report() const { return report_; }
  [[nodiscard]] const pmie::RuleReader& reader() const { return reader_; }

 private:
  // pmie's lines are told with places instead.
  class Silent final : public pmie::RuleReader::Messages {
   public:
    void put(std::string_view) override {}
    void log(std::string_view, std::string_view) override {}
  };
  class Nobody;
  void warn_of_conditions(std::string_view text, Diags& found) const;
  [[nodiscard]] std::function<void(uint32_t)> progress_of(std::function<void(double)> show) const;

  Silent silent_;
  size_t read_ = 0, all_ = 1;  // bytes: of files before, of all
  std::unique_ptr<pmie::RuleMetrics> nobody_;
  pmie::RuleReader reader_;
  pmie::RuleDifferences differences_;
  RuleCheckReport report_;
};

}  // namespace pmjit
