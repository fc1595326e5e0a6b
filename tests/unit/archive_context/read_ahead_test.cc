// What was read ahead is not read again, and nothing comes of it but time: instances come and go,
// and a replay that may keep it has the values of one that may not.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstring>

#include "runtime/client/archive_context/archive_context.h"
#include "tests/unit/archive/changing_archive.h"
#include "tests/unit/turns.h"

namespace pmjit::test {
namespace {

constexpr PmId kWide = ChangingArchive::kWide, kNarrow = ChangingArchive::kNarrow,
               kText = ChangingArchive::kText, kSingle = ChangingArchive::kSingle;

std::string text_of(const Fetched& fetched) {
  std::string out;
  for (const FetchedSet& set : fetched.sets) {
    out += fmt::format(" | {}", set.count);
    for (const Value& value : set.values) {
      uint64_t bits = value.word;
      const size_t bytes = std::min(value.block.size(), sizeof bits);
      if (bytes > 0) std::memcpy(&bits, value.block.data(), bytes);
      out += fmt::format(" {}={:x}", value.instance, bits);
    }
  }
  return out;
}

struct Steps {
  ReplayStep step;
  Between between = Between::as_pcp;
  std::vector<std::vector<PmId>> groups;  // fetched in turn
};

// Fetches to the end; `read`: how many bytes of records they took.
std::string replay(const Archives& archives, const Steps& steps, uint64_t& read) {
  ReplayContext context(archives, BadVolumes::pass_over);
  context.set_between(steps.between);
  context.set_mode(ReplayMode::interpolated, ChangingArchive::kStart, steps.step);
  std::string out;
  Fetched fetched;
  for (size_t k = 0;; ++k) {
    const auto done = context.fetch(steps.groups[k % steps.groups.size()], {}, fetched);
    if (!done) break;
    out += fmt::format("{}:{}\n", seconds_between(fetched.stamp, ChangingArchive::kStart),
                       text_of(fetched));
  }
  read += context.bytes_read();
  return out;
}

TEST(ReadAhead, TellsWhatReadingAgainWould) {
  const std::vector<std::vector<std::vector<PmId>>> groups{
      {{kWide}},
      {{kText}},
      {{kWide, kNarrow, kText, kSingle}},
      {{kSingle, kWide}, {kWide, kText}, {kNarrow}}};
  constexpr ReplayStep kSteps[] = {{10, 0}, {7, 500'000'000}, {3, 0}, {25, 0}};
  uint64_t kept = 0, again = 0;
  for (uint32_t seed = 0; seed < turns(300); ++seed) {
    const ChangingArchive rising(seed, 40, true), level(seed, 40, false);
    const Steps steps{.step = kSteps[seed % std::size(kSteps)],
                      .between = seed % 5 < 2 ? Between::exact : Between::as_pcp,
                      .groups = groups[seed / 4 % groups.size()]};
    ASSERT_EQ(replay(rising.archives(), steps, kept), replay(level.archives(), steps, again))
        << "seed " << seed;
  }
  EXPECT_LT(kept, again);
}

// One instance is replaced in each of a number of records: the work grows with that number, not
// with its square.
TEST(ReadAhead, ReadsOnce) {
  const auto bytes = [](int records, bool rising) {
    const ChangingArchive archive(0, records, rising);
    uint64_t read = 0;
    replay(archive.archives(), {.step = {10, 0}, .groups = {{kWide}}}, read);
    return read;
  };
  EXPECT_LT(bytes(400, true), 5 * bytes(100, true));
  EXPECT_GT(bytes(400, false), 10 * bytes(100, false));
}

}  // namespace
}  // namespace pmjit::test
