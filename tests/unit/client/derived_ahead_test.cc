// Derived metrics that are evaluated ahead have the values that they have fetch by fetch, of any
// metrics together, whatever was recorded, and so has all that follows where that ends.
#include "runtime/client/derived_ahead.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstring>
#include <random>

#include "compiler/compat/registry/derive.h"
#include "runtime/client/archive_context/archive_context.h"
#include "runtime/client/derived_context.h"
#include "tests/unit/archive/changing_archive.h"
#include "tests/unit/archive/folder.h"
#include "tests/unit/archive_context/steady_archive.h"
#include "tests/unit/turns.h"

namespace pmjit::test {
namespace {

// Numbers in columns and values are the same thing.
std::string text_of_set(const FetchedSet& set) {
  std::string out = fmt::format(" | {:x}: {}", set.pmid, set.count);
  for (size_t i = 0; i < set.numbers.size(); ++i) {
    out += fmt::format(" {}={:x}", set.instances[i], set.numbers[i]);
  }
  for (const Value& value : set.values) {
    uint64_t bits = value.word;
    if (set.format != ValueFormat::in_place) {
      bits = 0;
      std::memcpy(&bits, value.block.data(), value.block.size());
    }
    out += fmt::format(" {}={:x}", value.instance, bits);
  }
  return out;
}

std::string text_of_stamp(Stamp stamp) { return fmt::format("\n{}.{:09}", stamp.sec, stamp.nsec); }

// Definitions d0, d1 … over metrics `all` and singular ones among them.
std::vector<std::string> random_definitions(std::mt19937& random, const std::vector<PmId>& all,
                                            PmId singular, const std::string& instance) {
  const std::string forms[] = {"{0} * 2",
                               "rate({0})",
                               "delta({0}) + 1",
                               "sum({0})",
                               "{0} + {1}",
                               "rate({0}) / rate({1})",
                               "{0} > 1000 ? {0} : {1}",
                               "instant({0}) - 5",
                               "count({0}) + rate({1})",
                               "max({0}) - min({0})",
                               "avg(rate({0}))",
                               "{0}[" + instance + "] + {1}",
                               "matchinst(.*[13579]$, {0})",
                               "rate(nomatchinst(^i1, {0}))",
                               "!({0} > {1}) || {1} < 1000",
                               "7",
                               "mkconst(3, type=\"u32\") + {1}",
                               "defined(m1) ? {0} : {1}"};
  std::vector<std::string> out;
  for (int k = 0; k < 6; ++k) {
    const PmId one = all[random() % all.size()];
    out.push_back(fmt::format(fmt::runtime(forms[random() % std::size(forms)]),
                              fmt::format("m{}", one), fmt::format("m{}", singular)));
  }
  return out;
}

struct Asked {
  std::vector<std::string> definitions;
  std::vector<PmId> recorded;  // beside the derived ones
  Dialect dialect = Dialect::pcp6;
  Stamp start;
  ReplayStep step;
  uint32_t seed = 0;
};

struct Said {
  std::string text;
  size_t ahead = 0;  // values of derived metrics
};

Said fetches(const ArchivesSource& recorded, const Asked& asked, bool reads_ahead) {
  constexpr size_t kFetchesMax = 250;
  const Folder folder;
  std::string file;
  for (size_t k = 0; k < asked.definitions.size(); ++k) {
    file += fmt::format("d{} = {}\n", k, asked.definitions[k]);
  }
  folder.write("x.conf", file);
  setenv("PCP_DERIVED_CONFIG", "", 1);
  const auto derived = make_derived_metrics({.dialect = asked.dialect});
  EXPECT_TRUE(derived->load(folder.path("x.conf")).has_value());
  auto archive = std::make_unique<ArchiveContext>(recorded.archives(), BadVolumes::pass_over);
  archive->replay().set_mode(ReplayMode::interpolated, asked.start, asked.step);
  if (reads_ahead) archive->read_ahead({.recorded = recorded, .reader = recorded});
  DerivedContext context(std::move(archive), *derived);
  std::vector<PmId> metrics = asked.recorded;
  for (size_t k = 0; k < asked.definitions.size(); ++k) {
    const auto pmid = context.look_up(fmt::format("d{}", k));
    if (pmid && context.describe(*pmid)) metrics.push_back(*pmid);
  }
  std::mt19937 random(asked.seed);
  Fetched fetched{.in_columns = true};
  FetchedSet set;
  Said out;
  for (size_t k = 0; k < kFetchesMax;) {
    AheadTimes* const ahead = random() % 8 == 0 ? nullptr : context.ahead(metrics);
    if (reads_ahead && ahead != nullptr && ahead->load()) {
      const size_t left = std::min(ahead->times() - ahead->place(), kFetchesMax - k);
      const size_t times = 1 + random() % left;
      for (size_t t = 0; t < times; ++t) {
        out.text += text_of_stamp(ahead->time(ahead->place() + t));
        for (size_t i = 0; i < metrics.size(); ++i) {
          ahead->take(i, ahead->place() + t, {}, set);
          out.text += text_of_set(set);
          out.ahead += context.derived(metrics[i]) ? set.instances.size() : 0;
        }
      }
      ahead->pass(times);
      k += times;
      continue;
    }
    ++k;
    const auto done = context.fetch(metrics, {}, fetched);
    if (!done) {
      out.text += "\n" + done.error().text();
      if (done.error().pm_code() == pm_err::E_LOGREC) break;
      continue;
    }
    out.text += text_of_stamp(fetched.stamp);
    for (const FetchedSet& one : fetched.sets) out.text += text_of_set(one);
  }
  return out;
}

template <class Make>
size_t compare(uint32_t seeds, Stamp start, const std::vector<PmId>& all, PmId singular,
               Make make) {
  constexpr ReplayStep kSteps[] = {{10, 0}, {7, 500'000'000}, {3, 0}, {25, 0}};
  size_t ahead = 0;
  for (uint32_t seed = 0; seed < seeds; ++seed) {
    const ArchivesSource recorded(make(seed));
    std::mt19937 random(seed);
    Asked asked{
        .definitions = random_definitions(random, all, singular, fmt::format("i{}", random() % 8)),
        .recorded = {all[random() % all.size()], singular},
        .dialect = seed % 2 == 0 ? Dialect::pcp6 : Dialect::pcp7,
        .start = {start.sec + static_cast<int64_t>(random() % 40) - 15, start.nsec},
        .step = kSteps[seed % std::size(kSteps)],
        .seed = seed};
    if (asked.recorded.front() == singular) asked.recorded.pop_back();
    const Said one = fetches(recorded, asked, true), other = fetches(recorded, asked, false);
    EXPECT_EQ(one.text, other.text)
        << "seed " << seed << ": " << fmt::format("{}", fmt::join(asked.definitions, "; "));
    EXPECT_EQ(other.ahead, 0U);
    ahead += one.ahead;
    if (one.text != other.text) break;
  }
  return ahead;
}

TEST(DerivedAhead, IsWhatEachFetchGives) {
  const std::vector<PmId> all{1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
  EXPECT_GT(compare(turns(120), kSteadyStart, all, 3,
                    [](uint32_t seed) { return SteadyArchive(seed, 40).take(); }),
            turns(1'000));
}

TEST(DerivedAhead, EndsBeforeDamage) {
  const std::vector<PmId> all{1, 2, 3, 4, 5, 6};
  EXPECT_GT(compare(turns(60), kSteadyStart, all, 6,
                    [](uint32_t seed) {
                      return SteadyArchive(seed, 60, SteadyArchive::Damage::in_last_third).take();
                    }),
            turns(50));
}

TEST(DerivedAhead, FollowsInstancesThatComeAndGo) {
  const std::vector<PmId> all{ChangingArchive::kWide, ChangingArchive::kNarrow,
                              ChangingArchive::kSingle};
  EXPECT_GT(compare(turns(80), ChangingArchive::kStart, all, ChangingArchive::kSingle,
                    [](uint32_t seed) { return ChangingArchive(seed, 40, seed % 2 == 0).take(); }),
            turns(200));
}

}  // namespace
}  // namespace pmjit::test
