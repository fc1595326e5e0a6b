// What core operators decide is what the interpreter alone says, byte for byte, in every way in
// which pmie shows it; and something is decided, and something is not.
#include "rules/compat/core_proofs.h"

#include <fmt/core.h>
#include <gtest/gtest.h>

#include <map>

#include "compiler/compat/pmie/rule_reader.h"
#include "compiler/compat/registry/derive.h"
#include "rules/compat/fetched_elements.h"
#include "rules/compat/run.h"
#include "rules/model/events.h"
#include "runtime/testing/case_recording.h"
#include "tests/unit/proving/random_rules.h"
#include "tests/unit/sched/executors.h"
#include "tests/unit/turns.h"

namespace pmjit::pmie {
namespace {

constexpr size_t kTicks = 12, kRules = 12, kFiles = test::turns(150);
constexpr size_t kLongTicks = 400, kLongFiles = 4;  // several blocks of times
constexpr size_t kSharedTicks = 270, kSharedFiles = 2, kSeeds = test::kSlow ? 1 : 4;

class Messages final : public RuleReader::Messages {
 public:
  void put(std::string_view text) override { said_ += text; }
  void log(std::string_view, std::string_view text) override { put(text); }
  [[nodiscard]] const std::string& said() const { return said_; }

 private:
  std::string said_;
};

// An archive in memory, of one host, and its ends.
struct Recorded {
  std::unique_ptr<Archives> archives;
  Stamp first, last;
};

Recorded recorded(const std::string& metrics, const std::string& samples) {
  const cases::Section named{.title = "metrics", .body = metrics};
  const cases::Section sampled{.title = "samples", .arguments = "every 10s", .body = samples};
  const auto recordings = cases::read_recordings(&named, &sampled);
  if (!recordings) throw std::runtime_error(recordings.error().text());
  const cases::CaseRecording& recording = recordings->front();
  std::vector<std::unique_ptr<Archive>> one;
  one.push_back(cases::archive_of(recording, Version::v3).value());
  return {.archives = Archives::of(std::move(one)).value(),
          .first = recording.records.front().stamp,
          .last = recording.records.back().stamp};
}

// What it hears of, as a run's transitions.
class Truths final : public RunObserver {
 public:
  explicit Truths(bool only_changes) : only_changes_(only_changes) {}
  void listen_to(const RuleRun& run) { run_ = &run; }
  void evaluated(uint32_t statement, double when) override {
    const RuleProgram& program = run_->evaluator().program();
    const PmieNode& root = program.nodes[program.statements[statement].root];
    if (root.sem != Sem::truth && kind_of(root.op) != OpKind::rule) return;
    ++heard_;
    const auto holds = run_->evaluator().holds(program.statements[statement].root);
    const RuleTruth truth = !holds ? RuleTruth::unknown : *holds ? RuleTruth::yes : RuleTruth::no;
    const RuleStep next = step(states_[statement], truth, when);
    states_[statement] = next.state;
    if (!next.transition) return;
    said_ += fmt::format("{} {}: {}\n", when, statement, rule_truth_text(truth));
  }
  void performed(uint32_t statement, std::string_view verb, const std::string& text,
                 double when) override {
    said_ += fmt::format("{} {} {} {}\n", when, statement, verb, text);
  }
  [[nodiscard]] bool only_changes() const override { return only_changes_; }
  [[nodiscard]] const std::string& said() const { return said_; }
  [[nodiscard]] size_t heard() const { return heard_; }

 private:
  bool only_changes_;
  const RuleRun* run_ = nullptr;
  std::map<uint32_t, RuleState> states_;
  std::string said_;
  size_t heard_ = 0;
};

// By one thread, unless there is an executor; by all of its threads from the first block on.
struct Run {
  Verbose verbose = Verbose::off;
  Proving proving = Proving::on;
  Executor* executor = nullptr;
  Truths* observer = nullptr;
  ComputedWays* ways = nullptr;
};

struct Outcome {
  std::string text;
  PmieEvaluator::Outcomes outcomes{};
  uint32_t statements = 0;
  uint64_t decided = 0, undecided = 0, at_once = 0;
};

class World {
 public:
  World(const std::string& metrics, const std::string& samples, const std::string& rules)
      : derived_(make_derived_metrics({})), sources_(*derived_) {
    Recorded made = recorded(metrics, samples);
    first_ = made.first;
    last_ = made.last;
    sources_.add(std::move(made.archives), "lab");
    reader_ = std::make_unique<RuleReader>(sources_, messages_, ReaderOptions{});
    if (auto read = reader_->read(rules, "rules"); !read) {
      throw std::runtime_error(read.error().text());
    }
  }

  Outcome run(Verbose verbose, Proving proving) {
    return run({.verbose = verbose, .proving = proving});
  }
  Outcome run(const Run& how) {
    Outcome out;
    Zone zone("UTC");
    RuleRun run(program(), sources_, zone,
                {.origin = first_,
                 .verbose = how.verbose,
                 .observer = how.observer,
                 .proving = how.proving,
                 .executor = how.executor,
                 .shared_from = {.elements = 0, .a_thread = 1},
                 .ways = how.ways},
                [&out](std::string_view text) { out.text += text; });
    if (how.observer != nullptr) how.observer->listen_to(run);
    run.begin(seconds_of(first_));
    const auto done = run_until(run, seconds_of(last_), [] { return false; });
    EXPECT_TRUE(done.has_value());
    out.outcomes = run.evaluator().outcomes();
    out.statements = run.counts().statements;
    out.decided = run.evaluator().decided();
    out.undecided = run.evaluator().undecided();
    out.at_once = run.evaluator().at_once();
    return out;
  }

  [[nodiscard]] Proof proof(uint32_t node) const {
    return prove(program(), find_shared(program(), task_numbers(program())))[node];
  }
  // Of what a rule is of.
  [[nodiscard]] Proof proof_of_condition(size_t statement) const {
    return proof(program().nodes[program().statements[statement].root].left);
  }
  [[nodiscard]] const RuleProgram& program() const { return reader_->program(); }
  [[nodiscard]] const std::string& said() const { return messages_.said(); }

 private:
  std::unique_ptr<DerivedMetrics> derived_;
  ArchiveSources sources_;
  Messages messages_;
  std::unique_ptr<RuleReader> reader_;
  Stamp first_{}, last_{};
};

TEST(Proving, RandomRulesSayTheSameWithoutIt) {
  uint64_t decided = 0, undecided = 0, at_once = 0;
  for (size_t seed = 1; seed <= kFiles; ++seed) {
    tests::Rng rng(seed);
    const std::string samples = tests::random_samples(rng, kTicks);
    const std::string rules = tests::random_rules(rng, kRules);
    World world(tests::random_metrics(), samples, rules);
    ASSERT_EQ(world.said(), "") << rules;
    for (const Verbose verbose :
         {Verbose::off, Verbose::plain, Verbose::annotated, Verbose::satisfying}) {
      const Outcome with = world.run(verbose, Proving::on);
      const Outcome without = world.run(verbose, Proving::off);
      ASSERT_EQ(with.text, without.text) << "seed " << seed << "\n" << samples << rules;
      EXPECT_EQ(without.decided, 0U);
      EXPECT_EQ(without.at_once, 0U);
      decided += with.decided;
      undecided += with.undecided;
      at_once += with.at_once;
    }
  }
  EXPECT_GT(decided, 10 * kFiles);
  EXPECT_GT(undecided, kFiles);
  EXPECT_GT(at_once, 100 * kFiles) << "nodes × times";
}

// Of two intervals.
TEST(Proving, LongRunsSayTheSameWithoutIt) {
  uint64_t at_once = 0;
  for (size_t seed = 1; seed <= kLongFiles; ++seed) {
    tests::Rng rng(seed);
    const std::string samples = tests::random_samples(rng, kLongTicks);
    const std::string rules = tests::random_rules(rng, kRules) + "delta = 25 sec;\n" +
                              tests::random_rules(rng, kRules, kRules);
    World world(tests::random_metrics(), samples, rules);
    ASSERT_EQ(world.said(), "") << rules;
    const Verbose verbose = seed % 2 == 0 ? Verbose::plain : Verbose::satisfying;
    const Outcome with = world.run(verbose, Proving::on);
    ASSERT_EQ(with.text, world.run(verbose, Proving::off).text) << "seed " << seed << "\n" << rules;
    at_once += with.at_once;
  }
  EXPECT_GT(at_once, 1'000 * kLongFiles) << "nodes × times";
}

// Each evaluation of a proven node was by core operators, or one guard failed. Those of blocks are
// of blocks.
TEST(Proving, WaysAreCountedTimeByTime) {
  for (size_t seed = 1; seed <= kLongFiles; ++seed) {
    tests::Rng rng(seed);
    World world(tests::random_metrics(), tests::random_samples(rng, kLongTicks),
                tests::random_rules(rng, kRules));
    ASSERT_EQ(world.said(), "");
    ComputedWays ways(world.program().nodes.size());
    const Outcome with = world.run({.ways = &ways});
    uint64_t in_blocks = 0, most = 0;
    for (uint32_t i = 0; i < world.program().nodes.size(); ++i) {
      const GuardCounts& of = ways.of(i);
      most = std::max(most, of.all());
      uint64_t failed = 0;
      for (size_t guard = 0; guard < kGuards; ++guard) {
        failed += of.times[guard];
        EXPECT_LE(of.stretches[guard], of.times[guard]) << "seed " << seed << " " << i;
        EXPECT_EQ(of.stretches[guard] > 0, of.times[guard] > 0) << "seed " << seed << " " << i;
      }
      EXPECT_EQ(failed, is_core(world.proof(i)) ? of.failed : 0) << "seed " << seed << " " << i;
      if (world.proof(i) == Proof::column) in_blocks += of.held;
    }
    EXPECT_GE(most, kLongTicks - 1);
    EXPECT_GT(in_blocks, 0U);
    EXPECT_GT(with.at_once, 0U);

    ComputedWays interpreted(world.program().nodes.size());
    world.run({.proving = Proving::off, .ways = &interpreted});
    for (uint32_t i = 0; i < world.program().nodes.size(); ++i) {
      EXPECT_EQ(interpreted.of(i).held, 0U);
    }
  }
}

// Where a task has such rules alone, those that are not true are only counted.
TEST(Proving, RulesThatAreNotTrueCountToo) {
  const std::string rules =
      "a = lab.one > 6 -> print \"a %v \";"
      "b = lab.one > 2 && lab.one < 8 -> print 30 sec \"b\";"
      "c = lab.one / (lab.one - 3) > 0 || lab.one == 5 -> print \"c\";"
      "d = lab.one > 100 -> print \"d\";"
      "e = lab.one @9 > 6 -> print \"e\";";
  for (size_t seed = 1; seed <= kLongFiles; ++seed) {
    tests::Rng rng(seed);
    World world(tests::random_metrics(), tests::random_samples(rng, kLongTicks), rules);
    ASSERT_EQ(world.said(), "");
    const Outcome with = world.run(Verbose::off, Proving::on);
    const Outcome without = world.run(Verbose::off, Proving::off);
    EXPECT_EQ(with.text, without.text) << "seed " << seed;
    EXPECT_EQ(with.outcomes.yes, without.outcomes.yes);
    EXPECT_EQ(with.outcomes.no, without.outcomes.no);
    EXPECT_EQ(with.outcomes.unknown, without.outcomes.unknown);
    EXPECT_EQ(with.statements, without.statements);
    EXPECT_GT(with.at_once, kLongTicks);
    EXPECT_GT(with.outcomes.yes, 0U);
    EXPECT_GT(with.outcomes.unknown, 0U);
  }
}

// Of several intervals, too, and in every order of threads.
TEST(Proving, ThreadsSayTheSame) {
  for (size_t seed = 1; seed <= kSharedFiles; ++seed) {
    tests::Rng rng(seed);
    const std::string samples = tests::random_samples(rng, kSharedTicks);
    const std::string rules = tests::random_rules(rng, 2 * kRules) + "delta = 25 sec;\n" +
                              tests::random_rules(rng, kRules, 2 * kRules);
    World world(tests::random_metrics(), samples, rules);
    ASSERT_EQ(world.said(), "") << rules;
    const Verbose verbose = seed % 2 == 0 ? Verbose::off : Verbose::satisfying;
    const Outcome alone = world.run({.verbose = verbose});
    ASSERT_GT(alone.at_once, 0U);
    const auto same = [&](Executor& executor) {
      const Outcome shared = world.run({.verbose = verbose, .executor = &executor});
      ASSERT_EQ(shared.text, alone.text) << "seed " << seed << "\n" << rules;
      EXPECT_EQ(shared.at_once, alone.at_once);
      EXPECT_EQ(shared.outcomes.yes, alone.outcomes.yes);
      EXPECT_EQ(shared.outcomes.no, alone.outcomes.no);
      EXPECT_EQ(shared.outcomes.unknown, alone.outcomes.unknown);
    };
    test::for_each_executor(same, kSeeds);
  }
}

// Statements of other kinds stand beside rules, and are visited at each time.
TEST(Proving, WhoWantsChangesAloneHearsTheSame) {
  const std::string others =
      "v = lab.one + 1;"
      "w = lab.one > 4;"
      "s = ruleset lab.one > 6 -> print \"high\" else lab.one > 3 -> print \"low\";"
      "h = $minute >= 1 -> print 1 min \"later\";"
      "u = lab.one > 5 -> print \"u %v\";";
  size_t all = 0, changes = 0;
  for (size_t seed = 1; seed <= kLongFiles; ++seed) {
    tests::Rng rng(seed);
    const std::string rules = others + tests::random_rules(rng, kRules);
    World world(tests::random_metrics(), tests::random_samples(rng, kLongTicks), rules);
    ASSERT_EQ(world.said(), "") << rules;
    Truths interpreted(false), each(false), changed(true);
    world.run({.proving = Proving::off, .observer = &interpreted});
    const Outcome one = world.run({.observer = &each});
    const Outcome other = world.run({.observer = &changed});
    EXPECT_EQ(each.said(), interpreted.said()) << "seed " << seed << "\n" << rules;
    EXPECT_EQ(changed.said(), interpreted.said()) << "seed " << seed << "\n" << rules;
    EXPECT_EQ(one.text, other.text);
    EXPECT_EQ(one.outcomes.yes, other.outcomes.yes);
    EXPECT_EQ(one.outcomes.no, other.outcomes.no);
    EXPECT_EQ(one.outcomes.unknown, other.outcomes.unknown);
    EXPECT_EQ(one.statements, other.statements);
    all += each.heard();
    changes += changed.heard();
  }
  EXPECT_LT(changes, 2 * all / 3);
}

TEST(Proving, SaysWhatIsProvenAndWhyNot) {
  World world(tests::random_metrics(), "lab.real[a] 1 2 3\nlab.one 1 2 3\n",
              "a = some_inst (lab.real > 5) -> print \"x\";"
              "b = all_inst (5 >= lab.real && ! (lab.whole < lab.one)) -> print \"x\";"
              "c = some_inst (lab.real == 5) -> print \"x\";"
              "d = some_sample (lab.one @0..2 > 5) -> print \"x\";"
              "e = some_inst (lab.real > lab.whole) -> print \"x\";"
              "f = some_inst (lab.real > 5 && lab.one > 5) -> print \"x\";"
              "g = some_inst match_inst \"a\" (lab.real > 5) -> print \"x\";"
              "h = some_host (lab.one > 5) -> print \"x\";"
              "i = $hour > 5 -> print \"x\";");
  ASSERT_EQ(world.said(), "");
  EXPECT_EQ(world.proof_of_condition(0), Proof::decided);
  EXPECT_EQ(world.proof_of_condition(1), Proof::decided);
  EXPECT_EQ(world.proof_of_condition(2), Proof::decided);
  EXPECT_EQ(world.proof_of_condition(3), Proof::column);
  EXPECT_EQ(world.proof_of_condition(4), Proof::column);
  EXPECT_EQ(world.proof_of_condition(5), Proof::column);
  EXPECT_EQ(world.proof_of_condition(6), Proof::decided);
  const PmieNode& root = world.program().nodes[world.program().statements[5].root];
  EXPECT_EQ(world.proof(world.program().nodes[root.left].left), Proof::column);
  EXPECT_EQ(world.proof_of_condition(7), Proof::column);
  EXPECT_EQ(world.proof_of_condition(8), Proof::one_number);
}

TEST(Proving, LaterClausesOfARulesetAreDecidedToo) {
  World world(tests::random_metrics(), "lab.real[a] 1 2 3\n",
              "r = ruleset some_inst (lab.real > 2) -> print \"x\""
              " else all_inst (lab.real < 1) -> print \"y\";");
  ASSERT_EQ(world.said(), "");
  size_t decided = 0;
  for (uint32_t i = 0; i < world.program().nodes.size(); ++i) {
    if (kind_of(world.program().nodes[i].op) != OpKind::relation) continue;
    decided += world.proof(i) == Proof::comparison ? 1 : 0;
  }
  EXPECT_EQ(decided, 2U);
}

}  // namespace
}  // namespace pmjit::pmie
