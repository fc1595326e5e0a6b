// Task: the rules of one interval, compiled, over the times of their grid.
//
//   auto task = Task::open(set, rules, source, grid, options);
//   while (task->due() <= end) { task->advance(); task->truth(root); … }
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "rules/replay/rule_state.h"
#include "rules/strict/rule_set.h"
#include "runtime/archive/replay/grid_source.h"
#include "runtime/exec/evaluation.h"

namespace pmjit::strict {

struct TaskOptions {
  Stamp origin, end;
  CompileOptions compile{};
  std::vector<SourceText> definition_files{};
  // How much work there will be at so long a step, and how many records a block has; none: as
  // usual.
  std::function<ExpectedWork(Nanos step)> expect{};
  std::function<uint32_t(const Program&)> block_rows{};
};

// What a truth or a number is of.
struct Lane {
  std::optional<std::string> instance{};
  double value = 0;  // NaN: none
};

class Task {
 public:
  // `source` and `set` outlive it. A failure's text is all that is to be said.
  [[nodiscard]] static Result<std::unique_ptr<Task>> open(const RuleSet& set, TaskRules rules,
                                                          const ArchivesSource& source,
                                                          const TaskOptions& options);

  [[nodiscard]] const std::vector<TaskRule>& rules() const { return rules_.rules; }
  [[nodiscard]] Stamp due() const { return due_; }
  // Evaluates at due(), which then is the next time; what follows is of the one before.
  [[nodiscard]] Result<void> advance();

  [[nodiscard]] RuleTruth truth(size_t root) const;
  // Is the root a truth without instances?
  [[nodiscard]] bool judges(size_t root) const;
  // Where it is true, ascending, with the values there.
  [[nodiscard]] std::vector<Lane> lanes(const BindingRoots& roots) const;

 private:
  Task(TaskRules rules, const ArchivesSource& source, const TaskOptions& options, Nanos step);
  [[nodiscard]] double value(size_t root, int32_t instance) const;

  TaskRules rules_;
  GridSource grid_;
  Rosters rosters_;
  std::shared_ptr<const Program> program_;
  std::unique_ptr<Evaluation> evaluation_;
  ResultBlock block_;
  size_t row_ = 0;        // of the block: the next one
  bool has_row_ = false;  // the row before it is of the time that was due
  bool ended_ = false;
  Nanos step_;
  Stamp due_;
};

}  // namespace pmjit::strict
