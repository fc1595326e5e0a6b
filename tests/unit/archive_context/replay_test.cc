// Reading archives as a PMAPI context: record by record, and at any time in between.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "runtime/client/archive_context/archive_context.h"
#include "tests/unit/archive/support.h"

namespace pmjit::test {
namespace {

std::string value_text(const FetchedSet& set, const Value& value) {
  if (set.format == ValueFormat::in_place) return fmt::format("{}", value.word);
  if (value.type == 5 && value.block.size() == 8) {
    double number = 0;
    std::memcpy(&number, value.block.data(), sizeof number);
    return fmt::format("{}", number);
  }
  return std::string(reinterpret_cast<const char*>(value.block.data()));
}

// "+20.5 16 - [100]=1,[200]=2 e-12350": one item a metric; "end" or "error CODE" at the end.
std::string replay(const Archives& archives, ReplayMode mode, double from, double step,
                   const std::vector<std::string>& names, int fetches = 100,
                   Between between = Between::as_pcp) {
  ReplayContext context(archives, BadVolumes::pass_over);
  context.set_between(between);
  const auto part = [](double seconds) {
    const auto nanoseconds = static_cast<int64_t>(seconds * 1e9);
    return Stamp{nanoseconds / 1'000'000'000, static_cast<int32_t>(nanoseconds % 1'000'000'000)};
  };
  Stamp when = archives.start();
  when.sec += part(from).sec;
  when.nsec += part(from).nsec;
  context.set_mode(mode, when, {part(step).sec, part(step).nsec});
  std::vector<PmId> metrics;
  for (const std::string& name : names) {
    metrics.push_back(archives.metadata().names.find(name).value_or(kNullId));
  }
  std::string out;
  Fetched result;
  for (int k = 0; k < fetches; ++k) {
    if (const auto done = context.fetch(metrics, {}, result); !done) {
      const int code = done.error().pm_code();
      return out + (code == pm_err::E_EOL ? "end" : fmt::format("error {}", code));
    }
    out += fmt::format("+{}", seconds_between(result.stamp, archives.start()));
    for (const FetchedSet& set : result.sets) {
      out += " ";
      if (set.count < 0) out += fmt::format("e{}", set.count);
      if (set.count == 0) out += "-";
      for (const Value& value : set.values) {
        if (value.instance != kSingular) out += fmt::format("[{}]=", value.instance);
        out += value_text(set, value);
        if (&value != &set.values.back()) out += ",";
      }
    }
    out += "\n";
  }
  return out;
}

std::unique_ptr<Archives> open(std::string_view name) {
  auto archives = Archives::open(golden(name));
  EXPECT_TRUE(archives.has_value()) << archives.error().text();
  return *std::move(archives);
}

constexpr ReplayMode kBetween = ReplayMode::interpolated;

// 10 at 0 s, 21 at 10 s, 43 at 20 s, 17 at 30 and 40 s, 100 at 50 s.
TEST(Replay, CountersGoStraightAndOthersStand) {
  const auto archives = open("types-v3");
  EXPECT_EQ(replay(*archives, kBetween, 5, 10, {"syn.ctr.u32", "syn.inst.u32", "syn.disc.u32"}, 3),
            "+5 16 10 10\n+15 32 21 21\n+25 30 43 43\n");
  EXPECT_EQ(replay(*archives, kBetween, 5, 10, {"syn.ctr.dbl", "syn.inst.dbl"}, 2),
            "+5 23.25 15\n+15 48 31.5\n");
}

TEST(Replay, BothEndsAreAMillisecondWide) {
  const auto archives = open("types-v3");
  EXPECT_EQ(replay(*archives, kBetween, 50, 0.001, {"syn.ctr.u32", "syn.disc.u32"}),
            "+50 100 100\n+50.001 - 100\nend");
}

// The first look at the end is exact; later ones are the millisecond wide.
TEST(Replay, WhoeverStepsOverTheEndFirstIsAtTheEnd) {
  const auto archives = open("types-v3");
  EXPECT_EQ(replay(*archives, kBetween, 0, 50.0005, {"syn.disc.u32"}), "+0 10\nend");
}

TEST(Replay, BackwardsGivesTheSameValues) {
  const auto archives = open("types-v3");
  EXPECT_EQ(replay(*archives, kBetween, 15, -10, {"syn.ctr.u32", "syn.inst.u32"}),
            "+15 32 21\n+5 16 10\nend");
}

// A text that is known already as the one that follows still lies ahead at its own time.
TEST(Replay, SteppingReachesATextOneStepLate) {
  const auto archives = open("types-v3");
  EXPECT_EQ(replay(*archives, kBetween, 5, 5, {"syn.inst.str"}, 3), "+5 v10\n+10 v10\n+15 v21\n");
  EXPECT_EQ(replay(*archives, kBetween, 10, 5, {"syn.inst.str"}, 1), "+10 v21\n");
}

TEST(Replay, ExactlyATextIsNewAtItsOwnTime) {
  const auto archives = open("types-v3");
  EXPECT_EQ(replay(*archives, kBetween, 5, 5, {"syn.inst.str", "syn.disc.str"}, 3, Between::exact),
            "+5 v10 v10\n+10 v21 v21\n+15 v21 v21\n");
  EXPECT_EQ(replay(*archives, kBetween, 15, -5, {"syn.inst.str"}, 3, Between::exact),
            "+15 v21\n+10 v21\n+5 v10\n");
}

// Where PCP gives the word that lies beside the mark.
TEST(Replay, ExactlyAtAMarkIsWhatWasBefore) {
  const auto archives = open("mark-v3");
  const auto both = [&](Between between) {
    return replay(*archives, kBetween, 20.0005, 0.0005, {"mk.disc"}, 2, between);
  };
  EXPECT_EQ(both(Between::exact), "+20.0005 300\n+20.001 300\n");
  EXPECT_EQ(both(Between::as_pcp), "+20.0005 300\n+20.001 0\n");
}

// 100 at 0 s, 200 at 10 s, 300 at 20 s, mark, 1000 at 40 s, 1100 at 50 s …
TEST(Replay, NothingCrossesAMark) {
  const auto archives = open("mark-v3");
  EXPECT_EQ(replay(*archives, kBetween, 15, 10, {"mk.ctr", "mk.inst", "mk.disc"}, 4),
            "+15 250 200 200\n+25 - - -\n+35 - - -\n+45 1050 1000 1000\n");
}

TEST(Replay, RecordsComeInBothDirections) {
  const auto archives = open("mark-v3");
  EXPECT_EQ(replay(*archives, ReplayMode::forward, 15, 0, {"mk.ctr"}, 3),
            "+20 300\n+40 1000\n+50 1100\n");
  EXPECT_EQ(replay(*archives, ReplayMode::backward, 45, 0, {"mk.ctr"}),
            "+40 1000\n+20 300\n+10 200\n+0 100\nend");
}

TEST(Replay, VolumesAreOneSequence) {
  const auto archives = open("vols-v3");
  const std::string all = replay(*archives, ReplayMode::forward, 0, 0, {"vo.c"});
  std::string back = replay(*archives, ReplayMode::backward, 1000, 0, {"vo.c"});
  EXPECT_EQ(std::ranges::count(all, '\n'), std::ranges::count(back, '\n'));
  EXPECT_EQ(all.substr(0, all.find('\n')), back.substr(back.rfind('+'), all.find('\n')));
}

// From the border between two archives there is a way back.
TEST(Replay, AReaderTurnsAroundAtABorder) {
  const auto archives = Archives::open(golden("ma") + "," + golden("mb"));
  ASSERT_TRUE(archives.has_value()) << archives.error().text();
  RecordReader reader(**archives, BadVolumes::refuse);
  const auto stamps = [&](auto step, int steps) {
    std::string out;
    for (int i = 0; i < steps; ++i) {
      const auto more = (reader.*step)();
      if (!more || !*more) return out + (more ? "end" : "error");
      out += fmt::format("{}{} ", seconds_between(reader.record().stamp, (*archives)->start()),
                         reader.record().mark ? "m" : "");
    }
    return out;
  };
  EXPECT_EQ(stamps(&RecordReader::next, 4), "0 10 20 20.001m ");
  EXPECT_EQ(stamps(&RecordReader::previous, 4), "99.999m 20 10 0 ");
  EXPECT_EQ(stamps(&RecordReader::previous, 1), "end");
  EXPECT_EQ(stamps(&RecordReader::next, 5), "0 10 20 20.001m 100 ");
  EXPECT_EQ(stamps(&RecordReader::previous, 3), "100 99.999m 20 ");
  EXPECT_EQ(stamps(&RecordReader::next, 2), "20 20.001m ");
}

TEST(Replay, ResultsHaveTheOrderOfTheHashTable) {
  EXPECT_EQ(result_order({100, 200, 300, 400}), (std::vector<int32_t>{400, 300, 200, 100}));
  EXPECT_EQ(result_order({0, 1, 2}), (std::vector<int32_t>{0, 1, 2}));
  EXPECT_EQ(result_order({}), (std::vector<int32_t>{}));
}

TEST(Replay, FractionsOfAWholeSecondStay) {
  const auto archives = open("types-v3");
  ReplayContext context(*archives, BadVolumes::pass_over);
  Stamp half = archives->start();
  half.nsec = 500'000'000;
  context.set_mode(kBetween, half, {0, 500'000'000});
  Fetched result;
  const PmId metric = *archives->metadata().names.find("syn.ctr.u32");
  ASSERT_TRUE(context.fetch({&metric, 1}, {}, result));
  ASSERT_TRUE(context.fetch({&metric, 1}, {}, result));
  EXPECT_EQ(result.stamp, (Stamp{archives->start().sec, 1'000'000'000}));
}

TEST(Replay, DamageStopsASearchButNotWhatIsBeforeIt) {
  const auto archives = open("bad-trailer");  // the third record
  EXPECT_EQ(replay(*archives, ReplayMode::forward, 0, 0, {"syn.ctr.u32"}),
            "+0 10\n+10 21\nerror -12373");
  EXPECT_EQ(replay(*archives, kBetween, 5, 10, {"syn.ctr.u32"}, 3), "+5 16\nerror -12373");
}

}  // namespace
}  // namespace pmjit::test
