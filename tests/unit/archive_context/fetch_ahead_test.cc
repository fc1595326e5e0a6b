// What is fetched ahead is what interpolation gives, of any metrics together, whatever was
// recorded, and so is all that follows where it ends.
#include "runtime/client/archive_context/fetch_ahead.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <random>

#include "runtime/client/archive_context/archive_context.h"
#include "tests/unit/archive/changing_archive.h"
#include "tests/unit/archive_context/steady_archive.h"
#include "tests/unit/turns.h"

namespace pmjit::test {
namespace {

std::string text_in_columns(const Fetched& fetched) {
  std::string out = fmt::format("{}.{:09}", fetched.stamp.sec, fetched.stamp.nsec);
  for (const FetchedSet& set : fetched.sets) {
    out += fmt::format(" | {}: {}", set.pmid, set.count);
    for (size_t i = 0; i < set.numbers.size(); ++i) {
      out += fmt::format(" {}={:x}", set.instances[i], set.numbers[i]);
    }
    for (const Value& value : set.values) {
      out += fmt::format(" {}:", value.instance);
      for (const std::byte byte : value.block) out += static_cast<char>(byte);
    }
  }
  return out;
}

// What is fetched: some metrics, with some instances of a domain alone, from `other` fetches on
// those backwards.
struct Asked {
  std::vector<PmId> metrics;
  Profile profile;
  Stamp start;
  ReplayStep step;
  size_t other = SIZE_MAX;
};

struct Said {
  std::string text;
  size_t ahead = 0;  // fetches
};

Said fetches(const ArchivesSource& recorded, const Asked& asked, bool reads_ahead) {
  constexpr size_t kFetchesMax = 300;
  ArchiveContext context(recorded.archives(), BadVolumes::pass_over);
  context.replay().set_mode(ReplayMode::interpolated, asked.start, asked.step);
  if (reads_ahead) context.read_ahead({.recorded = recorded, .reader = recorded});
  std::vector<PmId> turned(asked.metrics.rbegin(), asked.metrics.rend());
  Fetched fetched{.in_columns = true};
  Said out;
  for (size_t k = 0; k < kFetchesMax; ++k) {
    const auto& metrics = k < asked.other ? asked.metrics : turned;
    const auto done = context.fetch(metrics, asked.profile, fetched);
    out.text += done ? text_in_columns(fetched) + "\n" : done.error().text();
    for (const PmId metric : metrics) {
      const auto desc = context.describe(metric);
      const auto there = context.instances(desc ? desc->indom : kNullId);
      out.text += fmt::format(" {}", there ? static_cast<int>(there->size()) : there.error());
    }
    out.ahead += context.ahead(metrics) != nullptr ? 1 : 0;
    if (!done && done.error().pm_code() == pm_err::E_LOGREC) break;
  }
  return out;
}

template <class Make>
size_t compare(uint32_t seeds, Stamp start, std::vector<PmId> all, Make make) {
  constexpr ReplayStep kSteps[] = {{10, 0}, {7, 500'000'000}, {3, 0}, {25, 0}};
  size_t ahead = 0;
  for (uint32_t seed = 0; seed < seeds; ++seed) {
    const ArchivesSource recorded(make(seed));
    std::mt19937 random(seed);
    std::ranges::shuffle(all, random);
    const auto few = static_cast<ptrdiff_t>(1 + random() % (all.size() - 1));
    Asked asked{.metrics = {all.begin(), all.begin() + few},
                .profile = {},
                .start = {start.sec + static_cast<int64_t>(random() % 40) - 15, start.nsec},
                .step = kSteps[seed % std::size(kSteps)]};
    if (random() % 4 == 0) {
      const Desc* const desc = recorded.archives().metadata().desc(asked.metrics.front());
      if (desc != nullptr && desc->indom != kNullId) asked.profile.restrict(desc->indom, {0, 7, 8});
    }
    if (random() % 4 == 0) asked.other = random() % 30;
    const Said one = fetches(recorded, asked, true), other = fetches(recorded, asked, false);
    EXPECT_EQ(one.text, other.text) << "seed " << seed;
    EXPECT_EQ(other.ahead, 0U);
    ahead += one.ahead;
    if (one.text != other.text) break;
  }
  return ahead;
}

TEST(FetchAhead, IsWhatInterpolationGives) {
  const std::vector<PmId> all{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
  EXPECT_GT(compare(turns(120), kSteadyStart, all,
                    [](uint32_t seed) { return SteadyArchive(seed, 40).take(); }),
            turns(1'000));
}

TEST(FetchAhead, EndsBeforeDamage) {
  const std::vector<PmId> all{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
  EXPECT_GT(compare(turns(60), kSteadyStart, all,
                    [](uint32_t seed) {
                      return SteadyArchive(seed, 60, SteadyArchive::Damage::in_last_third).take();
                    }),
            turns(50));
}

// Three archives of one host, and the seconds between the end of one and the start of the next.
std::unique_ptr<Archives> one_after_the_other(uint32_t seed, int pause_s) {
  constexpr int kRecords = 70;
  std::vector<std::unique_ptr<Archive>> members;
  for (int k = 0; k < 3; ++k) {
    const Stamp start{kSteadyStart.sec + k * (10 * kRecords + pause_s), 5'000'000};
    SteadyArchive one(seed, kRecords, SteadyArchive::Damage::none, k == 0 ? kSteadyStart : start);
    members.push_back(one.take_one());
  }
  return *Archives::of(std::move(members));
}

// A day's archive after the other: behind each border it begins anew.
TEST(FetchAhead, GoesOnBehindMarksAndBorders) {
  const std::vector<PmId> all{1, 2, 3, 4, 5, 6};
  EXPECT_GT(compare(turns(60), kSteadyStart, all,
                    [](uint32_t seed) { return one_after_the_other(seed, 37); }),
            turns(1'500));
}

// Interpolation has no values behind the border of two that overlap, wherever it begins.
TEST(FetchAhead, LeavesArchivesThatOverlap) {
  const std::vector<PmId> all{1, 2, 3, 4, 5, 6};
  for (const int64_t begins : {0, 500, 900}) {
    EXPECT_EQ(compare(turns(20), {kSteadyStart.sec + begins, kSteadyStart.nsec}, all,
                      [](uint32_t seed) { return one_after_the_other(seed, -137); }),
              0U);
  }
}

TEST(FetchAhead, FollowsInstancesThatComeAndGo) {
  const std::vector<PmId> all{ChangingArchive::kWide, ChangingArchive::kNarrow,
                              ChangingArchive::kText, ChangingArchive::kSingle};
  EXPECT_GT(compare(turns(80), ChangingArchive::kStart, all,
                    [](uint32_t seed) { return ChangingArchive(seed, 40, seed % 2 == 0).take(); }),
            turns(200));
}

}  // namespace
}  // namespace pmjit::test
