// Instances that are followed as one have the values that they have one by one: whatever the
// records have, forwards and backwards, from anywhere, as values and in columns.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <numeric>
#include <random>

#include "runtime/client/archive_context/archive_context.h"
#include "runtime/model/pm_codes.h"
#include "tests/unit/archive/support.h"
#include "tests/unit/turns.h"

namespace pmjit::test {
namespace {

constexpr InDomId kDomain = 0x400001;

Desc desc_of(PmId pmid) {
  constexpr int kTypes[] = {pm_type::u64, pm_type::u32, pm_type::f64, pm_type::u64};
  constexpr Semantics kSemantics[] = {Semantics::counter, Semantics::counter, Semantics::instant,
                                      Semantics::discrete};
  return {.pmid = pmid,
          .pm_type = kTypes[pmid - 1],
          .indom = kDomain,
          .semantics = kSemantics[pmid - 1]};
}

const std::vector<PmId> kMetrics{1, 2, 3, 4};
constexpr int64_t kStart = 1'700'000'000;
constexpr int kRecords = 24;

class RandomArchive {
 public:
  explicit RandomArchive(uint32_t seed) : random_(seed), all_(seed % 2 == 0 ? 5 : 20) {
    std::iota(all_.begin(), all_.end(), 3);
    oddities_ = seed % 4 == 0 ? 0 : 6;
  }

  std::unique_ptr<Archives> write() {
    ArchiveParts parts;
    const auto output = memory_output(parts);
    ArchiveWriter writer({.start = {kStart, 0}}, *output);
    for (const PmId pmid : kMetrics) writer.add_metric(fmt::format("m{}", pmid), desc_of(pmid));
    std::vector<Catalog::Instance> named;
    for (const int32_t id : all_) named.push_back({.id = id, .name = fmt::format("i{}", id)});
    writer.set_instances(kDomain, named, {kStart, 0});
    for (int k = 0; k < kRecords; ++k) put_record(writer, {kStart + 10 * k, 0});
    EXPECT_TRUE(writer.close().has_value());
    std::vector<std::unique_ptr<Archive>> one;
    one.push_back(*open_parts(parts));
    return *Archives::of(std::move(one));
  }
  [[nodiscard]] const std::vector<int32_t>& instances() const { return all_; }
  bool odd() { return oddities_ > 0 && random_() % 100 < oddities_; }
  uint32_t below(uint32_t n) { return static_cast<uint32_t>(random_() % n); }

 private:
  void put_record(ArchiveWriter& writer, Stamp stamp) {
    if (odd() && stamp.sec > kStart) return writer.mark(stamp);
    std::vector<std::vector<int32_t>> instances;
    std::vector<std::vector<uint64_t>> wide;
    std::vector<std::vector<uint32_t>> narrow;
    std::vector<WrittenSet> sets;
    for (const PmId pmid : kMetrics) {
      if (odd()) continue;  // a record without it
      std::vector<int32_t> ids = all_;
      if (odd()) std::ranges::shuffle(ids, random_);
      if (odd()) ids.erase(ids.begin() + below(static_cast<uint32_t>(ids.size())));
      const auto number = [&](int32_t id) {
        return (odd() ? 0 : static_cast<uint64_t>(stamp.sec - kStart)) * 1000 +
               static_cast<uint64_t>(id);
      };
      instances.push_back(ids);
      wide.emplace_back();
      narrow.emplace_back();
      for (const int32_t id : ids) {
        const uint64_t bits = number(id);
        wide.back().push_back(pmid == 3 ? std::bit_cast<uint64_t>(static_cast<double>(bits))
                                        : bits);
        narrow.back().push_back(static_cast<uint32_t>(bits));
      }
      sets.push_back({.pmid = pmid, .status = odd() ? -12345 : 0});
    }
    for (size_t i = 0; i < sets.size(); ++i) {
      if (sets[i].status != 0) continue;
      sets[i].instances = instances[i];
      sets[i].values = sets[i].pmid == 2 ? std::as_bytes(std::span(narrow[i]))
                                         : std::as_bytes(std::span(wide[i]));
    }
    if (!sets.empty()) writer.put(stamp, sets);
  }

  std::mt19937 random_;
  std::vector<int32_t> all_;
  uint32_t oddities_ = 0;  // of a hundred
};

std::string text_of(const FetchedSet& set) {
  std::string out = fmt::format(" {}/{}:", set.count, static_cast<int>(set.format));
  const bool narrow = set.format == ValueFormat::in_place;
  for (const Value& value : set.values) {
    uint64_t bits = value.word;
    if (!narrow) std::memcpy(&bits, value.block.data(), sizeof bits);
    out += fmt::format(" {}={:x}", value.instance, bits);
  }
  for (size_t i = 0; i < set.numbers.size(); ++i) {
    const uint64_t bits = narrow ? static_cast<uint32_t>(set.numbers[i]) : set.numbers[i];
    out += fmt::format(" {}={:x}", set.instances[i], bits);
  }
  return out;
}

struct Walk {
  double from = 0, step = 0;
  int fetches = 0;
  Between between = Between::as_pcp;
};

void walk(ReplayContext& context, const Walk& along, const Profile& profile, Fetched& fetched,
          std::string& out) {
  const auto stamp = [](double seconds) {
    return stamp_from_nanos(static_cast<Nanos>(seconds * 1e9));
  };
  const Stamp step = stamp(std::abs(along.step));
  const int sign = along.step < 0 ? -1 : 1;
  Stamp from = stamp(along.from);
  from.sec += kStart;
  context.set_mode(ReplayMode::interpolated, from, {sign * step.sec, sign * step.nsec});
  for (int k = 0; k < along.fetches; ++k) {
    const auto done = context.fetch(kMetrics, profile, fetched);
    if (!done) {
      out += fmt::format("error {}\n", done.error().pm_code());
      continue;
    }
    out += fmt::format("{}:", seconds_between(fetched.stamp, {kStart, 0}));
    for (const FetchedSet& set : fetched.sets) out += text_of(set);
    out += "\n";
  }
}

TEST(Alike, AsOneByOne) {
  size_t in_columns = 0;
  for (uint32_t seed = 0; seed < turns(400); ++seed) {
    RandomArchive random(seed);
    const auto archives = random.write();
    Profile each;  // asks for every instance by itself
    each.restrict(kDomain, random.instances());
    const Between between = seed % 3 == 0 ? Between::exact : Between::as_pcp;
    ReplayContext one_by_one(*archives, BadVolumes::pass_over);
    ReplayContext alike(*archives, BadVolumes::pass_over);
    ReplayContext columns(*archives, BadVolumes::pass_over);
    for (auto* context : {&one_by_one, &alike, &columns}) context->set_between(between);
    Fetched of_each, of_alike, of_columns{.in_columns = true};
    constexpr double kSteps[] = {10, 5, 7.5, 30, -10, -5, -12.5, 0.25};
    for (int turn = 0; turn < 3; ++turn) {
      const Walk along{.from = random.below(10 * kRecords) / 1.0,
                       .step = kSteps[random.below(std::size(kSteps))],
                       .fetches = 12};
      std::string expected, seen, seen_in_columns;
      walk(one_by_one, along, each, of_each, expected);
      walk(alike, along, {}, of_alike, seen);
      walk(columns, along, {}, of_columns, seen_in_columns);
      ASSERT_EQ(seen, expected) << "seed " << seed << ", from " << along.from << " by "
                                << along.step;
      ASSERT_EQ(seen_in_columns, expected) << "seed " << seed;
      for (const FetchedSet& set : of_columns.sets) in_columns += set.numbers.size();
    }
  }
  EXPECT_GT(in_columns, turns(1000));
}

// Whose metrics are asked for twice, and by themselves.
TEST(Alike, AskedForTwice) {
  RandomArchive random(5);
  const auto archives = random.write();
  ReplayContext context(*archives, BadVolumes::pass_over);
  context.set_mode(ReplayMode::interpolated, Stamp{kStart, 0}, {5, 0});
  Fetched fetched;
  const std::vector<PmId> twice{1, 2, 1};
  for (int k = 0; k < 2 * kRecords; ++k) {
    if (!context.fetch(twice, {}, fetched)) break;
    EXPECT_EQ(text_of(fetched.sets[0]), text_of(fetched.sets[2]));
  }
}

}  // namespace
}  // namespace pmjit::test
