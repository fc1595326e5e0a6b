// Rows of many hosts in one wave: each host has the results that it has alone, whichever hosts
// share a wave with it. Random programs over random samples; host h begins with the recording's
// row h, so that the hosts differ at every time.
#include <fmt/core.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <random>

#include "compiler/driver/driver.h"
#include "runtime/exec/evaluator.h"
#include "tests/lib/lane_text.h"
#include "tests/lib/memory_source.h"
#include "tests/unit/feeds/random_rows.h"
#include "tests/unit/feeds/row_feed.h"
#include "tests/unit/turns.h"

namespace pmjit::tests {
namespace {

constexpr uint32_t kHosts = 5;
constexpr Nanos kTick = 10'000'000'000;

// What a host answers at a time, one row per operand.
struct Answer {
  uint64_t segment = 0;
  std::vector<Observations> operands;
};

std::vector<Answer> answers_of(const Recording& source, const Program& program, Rosters& rosters) {
  std::vector<Answer> out;
  auto feed = row_feed(source, wanted_by(program), rosters, nullptr);
  if (!feed) return out;
  Wave wave;
  for (auto next = (*feed)->next(wave); next && *next == Feed::Next::wave;
       next = (*feed)->next(wave)) {
    Answer& answer = out.emplace_back();
    answer.segment = wave.groups.front().segment;
    answer.operands.resize(wave.operands.size());
    for (size_t i = 0; i < wave.operands.size(); ++i) {
      std::swap(answer.operands[i].column, wave.operands[i].column);
    }
  }
  return out;
}

void append(const Answer& answer, bool down, const Program& program, Wave& wave,
            const Rosters& rosters) {
  const Group& group = wave.groups.back();
  for (size_t i = 0; i < answer.operands.size(); ++i) {
    const Column& from = answer.operands[i].column;
    Column& to = wave.operands[i].column;
    to.elem = program.slots[program.operands[i].slot].elem;
    if (down || from.rows.empty()) {
      to.rows.push_back({.stamp = group.t,
                         .roster_id = Rosters::kNobodyId,
                         .status = down ? int32_t{kHostDown} : int32_t{kNoValue}});
    } else {
      to.append_row(from, from.rows.front(), rosters.size(from.rows.front().roster_id));
    }
    to.rows.edit().back().record = static_cast<uint32_t>(wave.groups.size() - 1);
    wave.operands[i].limits.push_back(AgeLimit{});
  }
}

Wave wave_of(std::span<const uint32_t> hosts, const std::vector<Answer>& answers, uint32_t tick,
             const Program& program, const Rosters& rosters) {
  Wave wave;
  wave.operands.resize(program.operands.size());
  const Stamp due = stamp_from_nanos(kTick * (tick + 1));
  for (const uint32_t host : hosts) {
    const Answer& answer = answers[tick + host];
    wave.groups.push_back({.t = due, .segment = answer.segment});
    wave.hosts.push_back(HostId{{host}});
    append(answer, (tick * 7 + host * 3) % 11 == 0, program, wave, rosters);
  }
  return wave;
}

// A line per root and row.
void add_lines(const ResultBlock& block, const Program& program, const Rosters& rosters,
               std::array<std::string, kHosts>& out, uint32_t only) {
  for (size_t root = 0; root < block.columns.size(); ++root) {
    const Column& column = block.columns[root];
    for (size_t i = 0; i < column.rows.size(); ++i) {
      const Row& row = column.rows[i];
      std::string line = fmt::format("{}:", block.times[i].sec);
      if (row.status != kKnown) line += fmt::format(" [{}]", row.status);
      const auto instances = rosters.instances(row.roster_id);
      for (size_t lane = 0; row.status == kKnown && lane < instances.size(); ++lane) {
        const uint64_t at = row.offset + lane;
        line += fmt::format(" {}=", instances[lane]);
        line += column.is_valid(at) ? cases::lane_text(column, at) : "?";
      }
      const uint32_t host = block.hosts.empty() ? only : block.hosts[i].index;
      out[host] += fmt::format("{} {}\n", program.roots[root].info.name, line);
    }
  }
}

uint64_t compare(uint64_t seed, const std::string& text, const Recording& source) {
  const Compilation made = compile({.expressions = {{"<test>", text}}}, source.catalog(),
                                   {.evaluator = EvaluatorChoice::interpreter, .on_grid = true});
  if (!made.ok() || made.program->operands.empty() || refuses_rows_of_hosts(*made.program)) {
    return 0;
  }
  const Program& program = *made.program;
  Rosters rosters;
  const std::vector<Answer> answers = answers_of(source, program, rosters);
  if (answers.size() <= kHosts) return 0;
  const auto ticks = static_cast<uint32_t>(answers.size()) - kHosts;
  std::array<std::string, kHosts> alone, together;
  ResultBlock block;
  for (uint32_t host = 0; host < kHosts; ++host) {
    Evaluator evaluator(made.program, source.catalog(), rosters, {.step = kTick});
    for (uint32_t tick = 0; tick < ticks; ++tick) {
      Wave wave = wave_of(std::array{host}, answers, tick, program, rosters);
      wave.hosts.clear();
      evaluator.step(wave, block);
      add_lines(block, program, rosters, alone, host);
      evaluator.give_back(wave, block);
    }
  }
  std::mt19937_64 random(seed);
  Evaluator evaluator(made.program, source.catalog(), rosters,
                      {.step = kTick, .hosts = {kHosts, &source.catalog()}});
  for (uint32_t tick = 0; tick < ticks; ++tick) {
    // Those who answer at once, and those who answer later.
    std::vector<uint32_t> early, late;
    for (uint32_t host = 0; host < kHosts; ++host)
      (random() % 3 != 0 ? early : late).push_back(host);
    for (auto hosts : {early, late}) {
      if (hosts.empty()) continue;
      std::ranges::shuffle(hosts, random);  // whoever comes first
      Wave wave = wave_of(hosts, answers, tick, program, rosters);
      evaluator.step(wave, block);
      add_lines(block, program, rosters, together, 0);
      evaluator.give_back(wave, block);
    }
  }
  for (uint32_t host = 0; host < kHosts; ++host) {
    EXPECT_EQ(together[host], alone[host]) << "seed " << seed << ", host " << host << ": " << text;
  }
  return ticks * kHosts;
}

TEST(ManyHosts, EachHasTheResultsThatItHasAlone) {
  uint64_t rows = 0;
  for (uint64_t seed = 1; seed <= test::turns(150) && !HasFailure(); ++seed) {
    const RandomRows made = random_rows(seed);
    const cases::Section metrics{.title = "metrics", .arguments = {}, .body = made.metrics};
    const cases::Section samples{.title = "samples", .arguments = made.times, .body = made.samples};
    const auto read = cases::read_recordings(&metrics, &samples);
    ASSERT_TRUE(read) << read.error().text();
    const cases::MemorySource source(read->front());
    for (const std::string& text : made.expressions) rows += compare(seed, text, source);
  }
  EXPECT_GT(rows, test::turns(10'000));
}

TEST(ManyHosts, RefusesWhatIsOfSeveralHosts) {
  Program program;
  program.steps.push_back({.kind = StepKind::reduce_hosts, .text = "sum_host"});
  const auto refused = refuses_rows_of_hosts(program);
  ASSERT_TRUE(refused);
  EXPECT_NE(refused->text().find("sum_host: not evaluated over many hosts"), std::string::npos);
}

}  // namespace
}  // namespace pmjit::tests
