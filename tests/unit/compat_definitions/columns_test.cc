// Many times at once give what one time after the other gives, bit for bit, and leave the same
// history: random trees over random values, with instances that come, go and change places.
#include "compiler/compat/definitions/columns.h"

#include <gtest/gtest.h>
#include <algorithm>

#include <cstring>
#include <numeric>
#include <random>
#include <string>

#include "compiler/compat/definitions/numbers.h"
#include "tests/unit/compat_definitions/world.h"
#include "tests/unit/turns.h"

namespace pmjit::test {
namespace {

using Random = std::mt19937_64;

size_t below(Random& random, size_t end) { return random() % end; }

constexpr const char* kSets[] = {"a", "b", "c", "d", "e", "f", "k"};
constexpr const char* kSingle[] = {"s", "t"};

World world_of_numbers() {
  World world;
  world.metric("a", "u32 counter none 1.1").metric("b", "u64 counter none 1.1");
  world.metric("c", "32 instant none 1.1").metric("d", "64 instant none 1.1");
  world.metric("e", "float instant none 1.1").metric("f", "double instant none 1.1");
  world.metric("k", "u64 counter Kbyte 1.1");
  world.metric("s", "u32 counter none").metric("t", "double instant none");
  for (int32_t i = 0; i < 6; ++i) {
    const std::string name = "disk" + std::to_string(i);
    world.instance_ids[name] = i;
    world.instance_names[i] = name;
  }
  return world;
}

std::string name_in(Random& random) {
  return below(random, 4) == 0 ? kSingle[below(random, 2)] : kSets[below(random, 6)];
}

std::string expression(Random& random, int depth) {
  static constexpr const char* kFunctions[] = {"delta", "rate",  "sum",     "avg",   "min",
                                               "max",   "count", "instant", "scalar"};
  static constexpr const char* kSigns[] = {
      "+", "-", "*", "/", "<", "<=", "==", ">=", ">", "!=", "&&", "||"};
  const auto deeper = [&] { return expression(random, depth - 1); };
  switch (depth == 0 ? below(random, 4) : below(random, 12)) {
    case 0: return std::to_string(below(random, 5)) + (below(random, 2) == 0 ? "" : ".5");
    case 1: return name_in(random);
    case 2:
    case 3: return std::string(kFunctions[below(random, 9)]) + "(" + name_in(random) + ")";
    case 4: return "-(" + deeper() + ")";
    case 5: return "!(" + deeper() + ")";
    case 6: return "(" + deeper() + " ? " + deeper() + " : " + deeper() + ")";
    case 7:
      return std::string(kSets[below(random, 6)]) + "[disk" + std::to_string(below(random, 6)) +
             "]";
    case 8:
      return "matchinst(" + std::string(below(random, 2) == 0 ? "!" : "") + "/disk[0-3]/, " +
             kSets[below(random, 6)] + ")";
    case 9: return "(rescale(k, \"Mbyte\") / k)";
    default: return "(" + deeper() + " " + kSigns[below(random, 12)] + " " + deeper() + ")";
  }
}

// One operand at all times: instances as they are delivered, and the bits of each value.
struct Recorded {
  Desc desc;
  std::vector<std::vector<int32_t>> instances;
  std::vector<std::vector<uint64_t>> bits;
};

uint64_t value_bits(Random& random, int type) {
  const auto small = static_cast<double>(below(random, 40)) - 4;
  uint64_t out = 0;
  pcp::with_number_type(type, [&]<class T>(T) {
    const T value = pcp::cast<T>(std::is_unsigned_v<T> ? std::abs(small) : small / 2);
    std::memcpy(&out, &value, sizeof value);
    // Any bits: great numbers, -0, infinities, and NaNs of both kinds.
    static constexpr uint64_t kOdd[] = {0x8000000000000000, 0x7ff0000000000000, 0x7ff0000000000001,
                                        0xfff8000000000003, 0x7f800001ffc00002, 0};
    if (below(random, 12) == 0) out = random();
    if (below(random, 30) == 0) out = kOdd[below(random, 6)] >> (sizeof(T) == 4 ? 32 : 0);
    if (sizeof(T) == 4) out &= UINT32_MAX;
  });
  return out;
}

// Instances stay for some times; values are random.
Recorded record(Random& random, const Desc& desc, size_t times) {
  Recorded out{.desc = desc, .instances = {}, .bits = {}};
  std::vector<int32_t> now{kSingular};
  for (size_t t = 0; t < times; ++t) {
    if (desc.indom != kNullId && (t == 0 || below(random, 12) == 0)) {
      now.resize(6);
      std::iota(now.begin(), now.end(), 0);
      std::ranges::shuffle(now, random);
      now.resize(below(random, 8) == 0 ? 0 : 1 + below(random, 6));
    }
    out.instances.push_back(now);
    auto& bits = out.bits.emplace_back();
    for (size_t i = 0; i < now.size(); ++i) bits.push_back(value_bits(random, desc.pm_type));
  }
  return out;
}

FetchedSet set_of(const Recorded& from, size_t t) {
  const int type = from.desc.pm_type;
  const bool in_place = type == pm_type::i32 || type == pm_type::u32;
  FetchedSet out{.pmid = from.desc.pmid,
                 .count = static_cast<int>(from.instances[t].size()),
                 .format = in_place ? ValueFormat::in_place : ValueFormat::block};
  for (size_t i = 0; i < from.instances[t].size(); ++i) {
    Value value{.instance = from.instances[t][i], .type = static_cast<uint8_t>(type)};
    if (in_place) value.word = static_cast<uint32_t>(from.bits[t][i]);
    const auto* bytes = reinterpret_cast<const std::byte*>(&from.bits[t][i]);
    if (!in_place) value.block = Bytes(bytes, type == pm_type::f32 ? 4 : 8);
    out.values.push_back(value);
  }
  return out;
}

// The values of a time as columns have them: instances ascending.
struct Laid {
  std::vector<int32_t> lanes;
  std::vector<std::vector<uint64_t>> rows;  // as bytes of the operand's type
  std::vector<const std::byte*> values;
};

Laid laid_out(const Recorded& from, size_t first, size_t end) {
  Laid out;
  const auto& instances = from.instances[first];
  for (const int32_t instance : instances) {
    out.lanes.push_back(static_cast<int32_t>(
        std::ranges::count_if(instances, [&](int32_t other) { return other < instance; })));
  }
  pcp::with_number_type(from.desc.pm_type, [&]<class T>(T) {
    for (size_t t = first; t < end; ++t) {
      auto& row = out.rows.emplace_back(instances.size() + 1);
      auto* to = reinterpret_cast<std::byte*>(row.data());
      for (size_t i = 0; i < instances.size(); ++i) {
        std::memcpy(to + static_cast<size_t>(out.lanes[i]) * sizeof(T), &from.bits[t][i],
                    sizeof(T));
      }
    }
  });
  for (const auto& row : out.rows) {
    out.values.push_back(reinterpret_cast<const std::byte*>(row.data()));
  }
  return out;
}

constexpr size_t kTimes = 60;

Stamp stamp_of(size_t t) {
  return {.sec = static_cast<int64_t>(100 + 3 * t + t % 5), .nsec = static_cast<int32_t>(t) * 7};
}

// What a result is at one time: an instance and the bits of its value, in order.
using AtTime = std::vector<std::pair<int32_t, uint64_t>>;

// Which of two NaNs a sum keeps is the choice of the C++ compiler, so all are one.
uint64_t bits_of_type(int type, const void* value) {
  uint64_t out = 0;
  pcp::with_number_type(type, [&](auto number) {
    std::memcpy(&number, value, sizeof number);
    if (number != number) number = static_cast<decltype(number)>(NAN);
    std::memcpy(&out, &number, sizeof number);
  });
  return out;
}

// Which times may be evaluated at once: those at which each operand has the same instances in the
// same order. A broken guard looks at their number alone.
enum class Guard : uint8_t { sound, broken };

class Both {
 public:
  Both(World& world, const pcp::PcpTree& tree, std::vector<Recorded> recorded, Guard guard)
      : world_(world),
        type_(tree.desc().pm_type),
        guard_(guard),
        recorded_(std::move(recorded)),
        single_(std::make_shared<pcp::PcpTree>(tree)),
        evaluation_(std::make_shared<pcp::PcpTree>(tree)),
        columns_(evaluation_) {}

  // How many times were evaluated at once.
  size_t run(Random& random) {
    size_t at_once = 0;
    for (size_t t = 0; t < kTimes;) {
      size_t end = t;
      const size_t most = t + 1 + below(random, 20);
      while (end < std::min(kTimes, most) && as_at(t, end)) ++end;
      if (end > t && run_columns(t, end)) {
        at_once += end - t;
        t = end;
        continue;
      }
      compare(one_time(evaluation_, t), t);
      ++t;
    }
    return at_once;
  }
  [[nodiscard]] size_t differences() const { return differences_; }

 private:
  bool as_at(size_t first, size_t t) const {
    return std::ranges::all_of(recorded_, [&](const Recorded& operand) {
      const auto &then = operand.instances[first], &now = operand.instances[t];
      return !then.empty() && (guard_ == Guard::sound ? then == now : then.size() == now.size());
    });
  }

  void compare(const AtTime& made, size_t t) {
    const AtTime expected = one_time(single_, t);
    differences_ += made == expected ? 0 : 1;
    if (guard_ == Guard::sound) {
      EXPECT_EQ(made, expected) << "at " << t;
    }
  }

  AtTime one_time(pcp::PcpEvaluation& evaluation, size_t t) {
    std::vector<FetchedSet> sets;
    for (const Recorded& operand : recorded_) sets.push_back(set_of(operand, t));
    const pcp::PcpValues& values =
        evaluation.run({.stamp = stamp_of(t), .sets = sets, .domains = world_});
    AtTime out;
    for (const pcp::Item& item : values.items) {
      out.emplace_back(item.instance, bits_of_type(type_, &item.value.u64));
    }
    return out;
  }

  bool run_columns(size_t first, size_t end) {
    std::vector<Stamp> stamps;
    for (size_t t = first; t < end; ++t) stamps.push_back(stamp_of(t));
    std::vector<Laid> laid;
    for (const Recorded& operand : recorded_) laid.push_back(laid_out(operand, first, end));
    std::vector<SetColumn> operands;
    for (size_t i = 0; i < recorded_.size(); ++i) {
      operands.push_back({.pmid = recorded_[i].desc.pmid,
                          .instances = recorded_[i].instances[first],
                          .lanes = laid[i].lanes,
                          .values = laid[i].values});
    }
    if (!columns_.run({.stamps = stamps, .operands = operands})) return false;
    const std::byte* value = columns_.values().data();
    for (size_t t = first; t < end; ++t) {
      AtTime made;
      for (const int32_t instance : columns_.instances()) {
        made.emplace_back(instance, bits_of_type(type_, value));
        pcp::with_number_type(type_, [&](auto number) { value += sizeof number; });
      }
      compare(made, t);
    }
    return true;
  }

  World& world_;
  int type_;
  Guard guard_;
  size_t differences_ = 0;
  std::vector<Recorded> recorded_;
  pcp::PcpEvaluation single_, evaluation_;
  pcp::PcpColumns columns_;
};

struct Compared {
  size_t trees = 0, at_once = 0, without = 0, differences = 0;
};

Compared compare_trees(uint32_t trees, Guard guard) {
  World world = world_of_numbers();
  Random random(20261126);
  Compared out;
  for (uint32_t i = 0; i < trees; ++i) {
    const std::string text = expression(random, 3);
    const Dialect dialect = i % 2 == 0 ? k6 : k7;
    const auto tree = bound(world, text, {.dialect = dialect});
    if (!tree || tree->operands.empty()) continue;
    std::vector<Recorded> recorded;
    for (const PmId operand : tree->operands) {
      recorded.push_back(record(random, world.desc_of(operand).value_or(Desc{}), kTimes));
    }
    SCOPED_TRACE(text);
    Both both(world, *tree, std::move(recorded), guard);
    const size_t together = both.run(random);
    ++out.trees;
    out.at_once += together;
    out.without += together == 0 ? 1 : 0;
    out.differences += both.differences();
    if (testing::Test::HasFailure()) break;
  }
  return out;
}

TEST(PcpColumns, ManyTimesAtOnceAreOneAfterTheOther) {
  const Compared found = compare_trees(test::turns(2'500), Guard::sound);
  RecordProperty("trees", static_cast<int>(found.trees));
  EXPECT_EQ(found.differences, 0U);
  EXPECT_GT(found.trees, test::turns(800));
  EXPECT_GT(found.at_once, found.trees * kTimes / 4);
  EXPECT_LT(found.without, found.trees / 4);
}

// The comparison sees what a guard lets through that should not.
TEST(PcpColumns, ABrokenGuardIsSeen) {
  EXPECT_GT(compare_trees(200, Guard::broken).differences, 100U);
}

TEST(PcpColumns, SaysWhatIsNeverEvaluatedSo) {
  World world = world_of_numbers();
  world.metric("text", "string instant none 1.1");
  const auto why = [&](const std::string& text) {
    const auto tree = bound(world, text, {.dialect = k7});
    return tree ? std::string(pcp::why_one_by_one(*tree)) : tree.error().message;
  };
  EXPECT_EQ(why("rate(a) + rate(b)"), "");
  EXPECT_EQ(why("text"), "a metric in it has texts or events");
  EXPECT_EQ(why("s[disk1]"), "it selects instances of what has none");
  EXPECT_EQ(why("a * defined(b)"), "defined() in it asks for a metric");
  EXPECT_EQ(why("a > 3 ? a : novalue(type=u32, semantics=counter, indom=1.1)"),
            "an arm of a ?: in it is novalue");
  EXPECT_EQ(why("c + mkconst(1, type=32, indom=1.1)"),
            "a constant in it has the instances of a domain");
}

}  // namespace
}  // namespace pmjit::test
