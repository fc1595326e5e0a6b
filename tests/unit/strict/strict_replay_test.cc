// Rules whose conditions neither change nor hold are not evaluated. Nothing else comes of that than
// of evaluating all of them.
#include "rules/strict/strict_replay.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "compiler/codegen/load.h"
#include "rules/strict/archive_feeds.h"
#include "rules/strict/rule_set.h"
#include "runtime/sched/tbb_executor.h"
#include "tests/unit/archive/changing_archive.h"
#include "tests/unit/strict/event_text.h"
#include "tests/unit/turns.h"

namespace pmjit::strict {
namespace {

using test::ChangingArchive;

constexpr int kRecords = 200;
constexpr std::string_view kRules = R"(// pmjit: dialect=strict
often = some_inst (m2 > 20) -> print "%i=%v";
seldom = m4 > 990 -> print 40 sec "%v";
change = sum_inst (rate m1) > 5 count/sec && m4 > 200;
fixed = 1 > 2 -> print "never";
holds = 1 < 2 -> print "each time";
of_two = ruleset m4 > 700 -> print "high %v" else m4 > 500 -> print "middle";
others = ruleset m4 > 900 -> print "high" unknown -> print "?" otherwise -> print "low";
number = m4 * 2;
set = m2 > 30;
delta = 20 sec;
slow = rising (m4 > 400) -> print "up" | print "not up";
slower = rate m9 > 1 count/sec -> print "%v";
)";

// Is told of each evaluation, so that there is one of every rule.
class Counts final : public ReplayWatcher {
 public:
  void evaluated(std::span<const Evaluated> rules, double) override { count += rules.size(); }
  size_t count = 0;
};

// To some times behind the last record.
std::string events_of(const RuleSet& set, const Feeds& feeds, uint32_t block_rows,
                      ReplayWatcher* watcher, Executor* executor = nullptr,
                      const CompileOptions& compile = {}) {
  const Stamp origin = ChangingArchive::kStart;
  TaskOptions options{.origin = origin, .end = {origin.sec + 10 * (kRecords + 9), 0}};
  options.compile = compile;
  options.block_rows = [block_rows](const Program&) { return block_rows; };
  options.executor = executor;
  auto replay = StrictReplay::open(set, feeds, options, {"here"});
  if (!replay) return replay.error().text();
  if (watcher != nullptr) (*replay)->watch(*watcher);
  EventText events(origin.sec);
  const auto done = (*replay)->run(events, [] { return false; });
  return events.text() + (done ? "" : done.error().text());
}

TEST(StrictReplay, RulesThatRestMissNothing) {
  TbbExecutor executor(2);
  RuleSet set;
  ASSERT_TRUE(add_rules(set, {.name = "<test>", .text = std::string(kRules)}, {.delta = 10}));
  ASSERT_EQ(set.errors, "");
  constexpr uint32_t kSeeds = test::turns(15);
  size_t events = 0;
  for (uint32_t seed = 0; seed < kSeeds; ++seed) {
    ChangingArchive made(seed, kRecords, true);
    const ArchivesSource source(made.take());
    const ArchiveFeeds feeds(source);
    const uint32_t block_rows = seed % 3 == 0 ? 0 : seed % 7 + 1;
    Counts counts;
    const std::string all = events_of(set, feeds, block_rows, &counts);
    EXPECT_EQ(events_of(set, feeds, block_rows, nullptr), all) << "seed " << seed;
    EXPECT_EQ(events_of(set, feeds, block_rows, nullptr, &executor), all) << "seed " << seed;
    EXPECT_GT(counts.count, 500u);
    events += static_cast<size_t>(std::ranges::count(all, '\n'));
  }
  EXPECT_GT(events, 200 * kSeeds);
}

struct KernelWay {
  Isa isa;
  OptLevel level;
  const char* name;
};
constexpr KernelWay kKernels[] = {
    {Isa::native, OptLevel::O0, "native O0"}, {Isa::native, OptLevel::O2, "native O2"},
    {Isa::sse42, OptLevel::O2, "sse4.2 O2"},  {Isa::avx2, OptLevel::O2, "avx2 O2"},
    {Isa::avx512, OptLevel::O2, "avx512 O2"},
};

// Of kernels that this machine can run.
bool runs_here(const KernelWay& kernels) {
  const auto module = load_codegen();
  return module && (*module)->compile({}, {.level = kernels.level, .isa = kernels.isa});
}

TEST(StrictReplay, EveryEvaluatorAndInstructionSetSaysTheSame) {
  if (!load_codegen()) GTEST_SKIP() << "no module that makes kernels";
  TbbExecutor executor(2);
  RuleSet set;
  ASSERT_TRUE(add_rules(set, {.name = "<test>", .text = std::string(kRules)}, {.delta = 10}));
  constexpr uint32_t kSeeds = test::turns(5);
  for (uint32_t seed = 0; seed < kSeeds; ++seed) {
    ChangingArchive made(seed, kRecords, true);
    const ArchivesSource source(made.take());
    const ArchiveFeeds feeds(source);
    const std::string all =
        events_of(set, feeds, 0, nullptr, nullptr, {.evaluator = EvaluatorChoice::interpreter});
    EXPECT_GT(std::ranges::count(all, '\n'), 200);
    int ways = 0;
    for (const KernelWay& kernels : kKernels) {
      if (test::kSlow && &kernels != kKernels) break;
      if (!runs_here(kernels)) continue;
      ++ways;
      const CompileOptions compile{
          .evaluator = EvaluatorChoice::kernels, .level = kernels.level, .isa = kernels.isa};
      for (Executor* threads :
           {static_cast<Executor*>(nullptr), static_cast<Executor*>(&executor)}) {
        EXPECT_EQ(events_of(set, feeds, seed, nullptr, threads, compile), all)
            << "seed " << seed << ", " << kernels.name;
      }
    }
    EXPECT_GT(ways, 0) << "no instruction set is here";
  }
}

}  // namespace
}  // namespace pmjit::strict
