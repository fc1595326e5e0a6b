// Checking rule files: what is wrong with them, and, of those in the dialect pmie, where strict
// would read them otherwise.
//
//   RuleCheck check({.metrics = &sources, …});
//   auto done = check.read(files);              a failure: a source of theirs cannot be opened
//   show(check.report().rendered)
#pragma once

#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "compiler/diag/diag.h"
#include "compiler/differences/rules/rule_differences.h"

namespace pmjit {

struct RuleCheckOptions {
  pmie::RuleMetrics* metrics = nullptr;  // null: what the texts alone show
  double delta = 10;                     // seconds, where rules do not say
  pmie::Settings settings{};             // of macros
};

struct RuleCheckReport {
  struct Text {
    SourceText source;
    Diags diags{};
    std::vector<pmie::CheckedStatement> statements{};
  };
  std::deque<Text> texts;
  std::string rendered;
  size_t rules = 0, errors = 0, warnings = 0;
};

class RuleCheck {
 public:
  explicit RuleCheck(const RuleCheckOptions& options);

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
  void render(RuleCheckReport::Text& text);

  Silent silent_;
  std::unique_ptr<pmie::RuleMetrics> nobody_;
  pmie::RuleReader reader_;
  pmie::RuleDifferences differences_;
  RuleCheckReport report_;
};

}  // namespace pmjit
