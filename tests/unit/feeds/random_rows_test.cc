// The same programs give equal results over a recording, in blocks of any size, and over a feed of
// its rows; those of some seeds are compiled where the build has a code generator. $PMJIT_PROGRAMS:
// how many seeds; $PMJIT_SEED: the first, so that a reported one runs alone.
#include <fmt/core.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

#include "compiler/codegen/load.h"
#include "compiler/driver/driver.h"
#include "tests/lib/evaluate.h"
#include "tests/lib/memory_source.h"
#include "tests/unit/feeds/random_rows.h"
#include "tests/unit/feeds/row_feed.h"
#include "tests/unit/turns.h"

namespace pmjit::tests {
namespace {

constexpr uint32_t kBlockRows[] = {1, 7, 1024};
constexpr uint64_t kCompiledOneIn = 5;  // LLVM takes its time

uint64_t number_from_env(const char* name, uint64_t otherwise) {
  const char* text = std::getenv(name);
  return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

cases::CaseRecording recording_of(const RandomRows& rows) {
  const cases::Section metrics{.title = "metrics", .arguments = {}, .body = rows.metrics};
  const cases::Section samples{.title = "samples", .arguments = rows.times, .body = rows.samples};
  auto read = cases::read_recordings(&metrics, &samples);
  if (!read) ADD_FAILURE() << read.error().text();
  return read ? read->front() : cases::CaseRecording();
}

struct Figures {
  uint64_t expressions = 0, refused = 0, compiled = 0, lines = 0;
};

void compare(uint64_t seed, Figures& figures) {
  const RandomRows rows = random_rows(seed);
  const cases::CaseRecording recording = recording_of(rows);
  const cases::MemorySource source(recording);
  const bool compiled = seed % kCompiledOneIn == 0 && load_codegen();
  for (const std::string& text : rows.expressions) {
    ++figures.expressions;
    const Compilation made =
        compile({.expressions = {{"<test>", text}}}, source.catalog(),
                {.evaluator = compiled ? EvaluatorChoice::kernels : EvaluatorChoice::interpreter,
                 .reasons = true});
    if (!made.ok()) {
      ++figures.refused;
      continue;
    }
    figures.compiled += compiled;
    const cases::FeedOver rows_of = [&](Rosters& rosters) -> OpenFeed {
      return [&](std::vector<WantedMetric> metrics) {
        return row_feed(source, std::move(metrics), rosters, nullptr);
      };
    };
    const std::string over_feed =
        cases::evaluate(made.program, source.catalog(), rows_of, {.from = source.start()}, true);
    figures.lines += static_cast<uint64_t>(std::ranges::count(over_feed, '\n'));
    const EvaluationOptions how{.block_rows = kBlockRows[seed % std::size(kBlockRows)]};
    ASSERT_EQ(cases::evaluate(made.program, source, how, true), over_feed)
        << "seed " << seed << ": " << text << "\n"
        << rows.times << "\n"
        << rows.samples;
  }
}

TEST(RandomRows, AreTheSameFromARecordingAndAFeed) {
  const uint64_t programs = number_from_env("PMJIT_PROGRAMS", test::turns(200));
  const uint64_t first = number_from_env("PMJIT_SEED", 1);
  Figures figures;
  for (uint64_t seed = first; seed < first + programs && !HasFatalFailure(); ++seed) {
    compare(seed, figures);
  }
  // The generator knows the language well enough.
  EXPECT_LE(figures.refused * 5, figures.expressions);
  fmt::print("feeds: {} seeds, {} expressions, {} refused, {} compiled, {} rows compared\n",
             programs, figures.expressions, figures.refused, figures.compiled, figures.lines);
}

}  // namespace
}  // namespace pmjit::tests
