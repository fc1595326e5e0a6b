// Labels: made from those of the row before, they are what they would be if made anew.
#include "runtime/report/lane_labels.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>
#include <random>

#include "fixture.h"

namespace pmjit {
namespace {

// A domain whose names change at whole seconds.
class Renamed final : public Catalog {
 public:
  std::vector<std::map<int32_t, std::string>> sets;  // of each second

  Result<Desc> describe(std::string_view) const override {
    return fail(Fault::not_found, "instances only");
  }
  std::vector<std::string> leaves(std::string_view) const override { return {}; }
  std::optional<std::string> instance_name(InDomId, int32_t instance, Stamp when) const override {
    ++asked;
    const auto& set = sets[static_cast<size_t>(when.sec)];
    const auto found = set.find(instance);
    if (found == set.end()) return std::nullopt;
    return found->second;
  }
  uint64_t domain_epoch(InDomId, Stamp when) const override {
    return static_cast<uint64_t>(when.sec);
  }
  std::optional<std::vector<int32_t>> changed_between(InDomId, Stamp from,
                                                      Stamp to) const override {
    std::vector<int32_t> out;
    for (int32_t id = 0; id < kIds; ++id) {
      const std::map<int32_t, std::string>&a = sets[static_cast<size_t>(from.sec)],
                              &b = sets[static_cast<size_t>(to.sec)];
      const auto x = a.find(id), y = b.find(id);
      const bool same = x == a.end() ? y == b.end() : y != b.end() && x->second == y->second;
      if (!same) out.push_back(id);
    }
    return out;
  }
  std::vector<Instance> instances(InDomId) const override { return {}; }

  static constexpr int32_t kIds = 40;
  mutable size_t asked = 0;
};

class LabelsTest : public ::testing::Test {
 protected:
  LabelsTest() {
    schema_ = {.infos = {{.name = "m", .elem = Elem::i32, .domain = kDiskDomain}},
               .host = "h",
               .catalog = &catalog_,
               .rosters = &rosters_};
  }
  static std::string make(const ResultInfo& info, const std::optional<std::string>& instance) {
    return fmt::format("{}[{}]", info.name, instance.value_or("-"));
  }
  Renamed catalog_;
  Rosters rosters_;
  Schema schema_;
};

TEST_F(LabelsTest, OfTheRowBeforeAreThoseMadeAnew) {
  std::mt19937 random(7);
  catalog_.sets.emplace_back();
  for (int32_t id = 0; id < Renamed::kIds; ++id) catalog_.sets[0][id] = fmt::format("n{}", id);
  Labels labels(schema_, make);
  for (int64_t second = 1; second < 3'000; ++second) {
    auto names = catalog_.sets.back();
    const auto id = static_cast<int32_t>(random() % Renamed::kIds);
    switch (random() % 4) {
      case 0: names.erase(id); break;
      case 1: names[id] = fmt::format("new{}", second); break;
      default: break;
    }
    catalog_.sets.push_back(names);
    std::vector<int32_t> lanes;
    for (int32_t i = 0; i < Renamed::kIds; ++i) {
      if (random() % 12 != 0) lanes.push_back(i);
    }
    if (random() % 9 == 0) std::ranges::reverse(lanes);
    const Stamp when{.sec = second - static_cast<int64_t>(random() % 2)};
    const Row row{.roster_id = rosters_.intern(lanes)};
    const auto of_row = labels.of(0, row, when);
    ASSERT_EQ(of_row->size(), lanes.size());
    for (size_t lane = 0; lane < lanes.size(); ++lane) {
      const auto name = instance_text(schema_, schema_.infos[0], lanes[lane], when);
      ASSERT_EQ((*of_row)[lane], make(schema_.infos[0], name)) << second;
    }
    if (random() % 50 == 0) rosters_.forget_others();
  }
}

TEST_F(LabelsTest, OneInstanceThatComesCostsOneName) {
  catalog_.sets.emplace_back();
  for (int32_t id = 0; id < Renamed::kIds; ++id) catalog_.sets[0][id] = fmt::format("n{}", id);
  catalog_.sets.push_back(catalog_.sets[0]);
  catalog_.sets[1][3] = "other";
  Labels labels(schema_, make);
  std::vector<int32_t> lanes;
  for (int32_t i = 0; i < 20; ++i) lanes.push_back(i);
  (void)labels.of(0, {.roster_id = rosters_.intern(lanes)}, {.sec = 0});
  EXPECT_EQ(catalog_.asked, 20u);
  lanes.push_back(30);
  const auto more = labels.of(0, {.roster_id = rosters_.intern(lanes)}, {.sec = 0});
  EXPECT_EQ(catalog_.asked, 21u);
  EXPECT_EQ((*more)[20], "m[n30]");
  const auto renamed = labels.of(0, {.roster_id = rosters_.intern(lanes)}, {.sec = 1});
  EXPECT_EQ(catalog_.asked, 22u);
  EXPECT_EQ((*renamed)[3], "m[other]");
  EXPECT_EQ((*more)[3], "m[n3]");  // those of another row stay
}

// Texts of many rows, one of whose lanes is another each time, and then most: the pieces that they
// stand in are moved together now and then.
TEST_F(LabelsTest, StayWhatTheyAreForLong) {
  catalog_.sets.emplace_back();
  for (int32_t id = 0; id < 4'000; ++id) catalog_.sets[0][id] = fmt::format("n{}", id);
  Labels labels(schema_, make);
  std::mt19937 random(5);
  for (const int32_t others : {1, 9}) {
    for (int32_t first = 0; first < 600; ++first) {
      std::vector<int32_t> lanes{first};
      for (int32_t i = 0; i < 10; ++i) lanes.push_back(1'000 + 100 * i);
      for (int32_t i = 0; i < others; ++i) {
        lanes[static_cast<size_t>(1 + i)] += static_cast<int32_t>(random() % 90);
      }
      const auto of_row = labels.of(0, {.roster_id = rosters_.intern(lanes)}, {.sec = 0});
      ASSERT_EQ(of_row->size(), lanes.size());
      for (size_t lane = 0; lane < lanes.size(); ++lane) {
        ASSERT_EQ((*of_row)[lane], fmt::format("m[n{}]", lanes[lane])) << first;
      }
    }
  }
}

}  // namespace
}  // namespace pmjit
