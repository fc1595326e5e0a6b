// Task: the rules of one interval, compiled, over the times of their grid.
//
//   auto task = Task::open(set, rules, feeds, options);
//   while (task->due() <= end) {
//     if (*task->advance() == Task::Advance::evaluated) task->truth(root); …
//   }
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "rules/model/events.h"
#include "rules/strict/block_truths.h"
#include "rules/strict/rule_set.h"
#include "rules/strict/task_rows.h"

namespace pmjit::strict {

struct TaskOptions {
  Stamp origin;
  Stamp end = kStampMax;  // kStampMax: nobody knows; as long as rows come
  Zone zone{};            // of $hour and the like
  CompileOptions compile{};
  std::vector<SourceText> definition_files{};
  TakesRule takes{};  // which rules run; none: all
  // How much work there will be at so long a step, and how many records a block has; none: as
  // usual.
  std::function<ExpectedWork(Nanos step)> expect{};
  std::function<uint32_t(const Program&)> block_rows{};
  // Over live hosts: what no host has the metrics of is left out (lacking() of the replay), and no
  // mistake.
  bool leaves_out = false;
  // Likewise: these rules were evaluated until then, at the times that had begun. No host is
  // evaluated twice at one time, and none misses one, wherever its place in the interval is.
  std::optional<Stamp> goes_on{};
  // Gets what is wrong with the rules as data, beside the text of the failure; null: nobody asks.
  std::vector<Compilation::Report>* wrong = nullptr;
  Executor* executor = nullptr;  // whose threads evaluate parts of the time; outlives the task
};

// What a truth or a number is of.
struct Lane {
  std::optional<std::string> instance{};
  double value = 0;                   // NaN: none
  std::optional<std::string> text{};  // in its place
};

// A value with its instance, or why there is none.
struct LaneValue {
  std::optional<std::string> instance{};
  int32_t reason = 0;  // Reason or PM_ERR_*; 0: it is known
  double number = 0;   // truths are 0 and 1
  std::optional<std::string> text{};
};
struct RootValues {
  int32_t status = 0;  // of the whole, likewise
  std::vector<LaneValue> lanes{};
};

class Task {
 public:
  // `feeds` and `set` outlive it. A failure's text is all that is to be said.
  [[nodiscard]] static Result<std::unique_ptr<Task>> open(const RuleSet& set, TaskRules rules,
                                                          const Feeds& feeds,
                                                          const TaskOptions& options);
  // The same in two steps: what was compiled once may be evaluated over several feeds whose metrics
  // agree. Fault::not_found where nothing is wrong but that metrics are not there.
  [[nodiscard]] static Result<std::shared_ptr<const CompiledTask>> compile(
      const RuleSet& set, const TaskRules& rules, const Feeds& feeds, const TaskOptions& options);
  [[nodiscard]] static Result<std::unique_ptr<Task>> over(
      const RuleSet& set, const TaskRules& rules, std::shared_ptr<const CompiledTask> compiled,
      const Feeds& feeds, const TaskOptions& options);

  // Each as often as it is there (compile_task); roots are those of the program.
  [[nodiscard]] const std::vector<TaskRule>& rules() const { return compiled_->rules; }
  [[nodiscard]] const std::vector<std::string>& notes() const { return compiled_->notes; }
  [[nodiscard]] const std::vector<std::string>& hosts() const { return compiled_->hosts; }
  // Of a root that was given to open(): where it is on the hosts.
  [[nodiscard]] const HostsRoot& placed(size_t root) const { return compiled_->roots[root]; }
  [[nodiscard]] Nanos step() const { return step_; }
  [[nodiscard]] Stamp due() const { return due_; }
  // When it was evaluated last; none: never.
  [[nodiscard]] std::optional<Stamp> now() const { return now_; }
  // Was anything recorded then?
  [[nodiscard]] bool has_row() const { return has_row_; }
  // evaluated: at due(), which then is the next time; what follows is of the one before. waits:
  // rows may still arrive for it; ask again at wakes(). begins_later: where rows arrive, nobody
  // asked for any before the new due(), for it was not yet compiled; nothing is evaluated.
  enum class Advance : uint8_t { evaluated, waits, begins_later };
  [[nodiscard]] Result<Advance> advance();
  [[nodiscard]] Stamp wakes() const { return times_->due(); }
  // In place of advance(), where waves have rows of many hosts: the next wave, and then each of its
  // rows. What follows is of the row at hand; none: the wave has no more.
  [[nodiscard]] Result<Feed::Next> next_wave();
  [[nodiscard]] std::optional<HostId> next_row();
  [[nodiscard]] std::vector<std::string> take_warnings() {
    return times_ ? times_->take_warnings() : std::vector<std::string>();
  }
  // Times that were due, and nobody asked.
  [[nodiscard]] uint64_t skipped() const { return times_ ? times_->skipped() : 0; }
  // Has it rows, and will there be no more?
  [[nodiscard]] bool has_rows() const { return times_ != nullptr; }
  [[nodiscard]] bool ended() const { return ended_; }

  [[nodiscard]] RuleTruth truth(size_t root) const;
  // Is the root a truth without instances?
  [[nodiscard]] bool judges(size_t root) const;
  // Is it the same at all times, for it has no metric?
  [[nodiscard]] bool is_settled(size_t root) const { return settled_[root].has_value(); }
  // After advance(), of the roots that are judged: those whose truth is not what it was at the time
  // before, and those that hold. nullopt: there was no row at one of the two; any may have changed.
  [[nodiscard]] std::optional<std::span<const uint32_t>> awake() const;
  // Where it is true, ascending, with the values there.
  [[nodiscard]] std::vector<Lane> lanes(const BindingRoots& roots) const;
  // The same in place of what is in `out`, whose memory it takes.
  void find_lanes(const BindingRoots& roots, std::vector<Lane>& out) const;
  // Where there is a row: all of a root, ascending; reasons where CompileOptions::reasons asks.
  [[nodiscard]] RootValues values(size_t root) const;
  [[nodiscard]] const ResultInfo& info(size_t root) const { return program_->roots[root].info; }

 private:
  Task(Stamp origin, Nanos step) : step_(step), due_(origin) {}
  // Conditions without a metric, which hold or not whether anything is recorded or not.
  [[nodiscard]] Result<void> settle(const RuleSet& set, const TaskRules& rules,
                                    const RowsGrid& grid, const CompileOptions& how);
  // Of instances, at the row at hand.
  [[nodiscard]] const Catalog& names() const;
  // Where the root's value for the instance is; none: it has none.
  [[nodiscard]] std::optional<uint64_t> place(size_t root, int32_t instance) const;

  std::shared_ptr<const CompiledTask> compiled_;
  std::shared_ptr<const Program> program_;
  std::unique_ptr<TaskRows> times_;
  std::vector<const Catalog*> row_catalogs_;       // of each host, where there are rows of many
  std::vector<std::optional<RuleTruth>> settled_;  // of a root without a metric
  ResultBlock block_;
  BlockTruths truths_;    // of it
  size_t row_ = 0;        // of the block: the next one
  bool has_row_ = false;  // the row before it is of the time that was due
  bool follows_ = false;  // this time and the one before have rows
  bool ended_ = false;
  bool may_begin_later_ = false;  // rows arrive, and the first one has not
  Nanos step_;
  Stamp due_;
  std::optional<Stamp> now_{};
};

}  // namespace pmjit::strict
