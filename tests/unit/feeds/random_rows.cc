#include "tests/unit/feeds/random_rows.h"

#include <fmt/format.h>

#include <span>
#include <string_view>

#include "tests/unit/evaluators/rng.h"

namespace pmjit::tests {

namespace {

constexpr size_t kRecords = 24, kExpressions = 4;
constexpr int kDepthMax = 3;

constexpr std::string_view kRandomMetrics =
    "d.reads   u64 counter count    indom=d[i0 i1 i2 i3]\n"
    "d.queue   u32 instant count    indom=d\n"
    "d.real    f64 instant count    indom=d\n"
    "d.limit   i64 discrete count   indom=d\n"
    "o.size    i64 instant count    indom=o[j0 j1]\n"
    "calls     u32 counter count\n"
    "load      f64 instant count\n"
    "people    i32 instant count\n";
constexpr std::string_view kOverD[] = {"d.reads", "d.queue", "d.real", "d.limit"};
constexpr std::string_view kSingle[] = {"calls", "load", "people"};

class Samples {
 public:
  explicit Samples(Rng& pick) : pick_(pick) {}

  std::string text() {
    std::string out;
    for (const std::string_view metric : kOverD) {
      for (int i = 0; i < 4; ++i) out += line(fmt::format("{}[i{}]", metric, i), metric, i == 0);
    }
    for (int i = 0; i < 2; ++i) out += line(fmt::format("o.size[j{}]", i), "o.size", i == 0);
    for (const std::string_view metric : kSingle) out += line(std::string(metric), metric, true);
    if (pick_.one_in(3)) out += fmt::format("mark at {}s\n", 10 * (1 + pick_.below(20)) + 5);
    return out;
  }

 private:
  // The first instance of a domain never leaves: the metric is in every record.
  std::string line(const std::string& name, std::string_view metric, bool stays) {
    const bool counter = metric == "d.reads" || metric == "calls";
    std::string out = name;
    uint64_t total = pick_.below(1000);
    bool there = stays || !pick_.one_in(3);
    for (size_t i = 0; i < kRecords; ++i) {
      if (!stays && pick_.one_in(6)) there = !there;
      total = pick_.one_in(12) ? pick_.below(50) : total + pick_.below(300);
      if (pick_.one_in(40)) {
        out += pick_.one_in(2) ? " !" : " !!";
      } else if (!there) {
        out += " -";
      } else if (counter) {
        out += fmt::format(" {}", total);
      } else if (metric == "d.real" || metric == "load") {
        out += fmt::format(" {}.{}", pick_.below(90), pick_.below(10));
      } else {
        out += fmt::format(" {}", pick_.below(40));
      }
    }
    return out + "\n";
  }

  Rng& pick_;
};

// Numbers per instance or single, rates apart from the others; truths.
class Expressions {
 public:
  explicit Expressions(Rng& pick) : pick_(pick) {}

  std::string any() {
    switch (pick_.below(4)) {
      case 0: return truth(kDepthMax, pick_.one_in(2));
      case 1: return number(kDepthMax, pick_.one_in(2), true);
      default: return number(kDepthMax, pick_.one_in(2), false);
    }
  }

 private:
  std::string number(int depth, bool set, bool rate) {
    if (depth == 0 || pick_.one_in(4)) return leaf(set, rate);
    const auto again = [&] { return number(depth - 1, set, rate); };
    switch (pick_.below(set ? 7 : 8)) {
      case 0: return fmt::format("({} + {})", again(), again());
      case 1: return fmt::format("({} - {})", again(), again());
      case 2: return fmt::format("({} * {})", again(), 1 + pick_.below(9));
      case 3: return fmt::format("(-{})", again());
      case 4: return fmt::format("({} ? {} : {})", truth(depth - 1, set), again(), again());
      case 5: return set ? fmt::format("known({})", again()) : again();
      case 6: return fmt::format("({} + {})", again(), number(depth - 1, false, rate));
      default: return fmt::format("{}({})", aggregate(), number(depth - 1, true, rate));
    }
  }

  std::string leaf(bool set, bool rate) {
    if (rate) return set ? "rate(d.reads)" : pick_.one_in(2) ? "rate(calls)" : "sum(rate(d.reads))";
    constexpr std::string_view kSets[] = {"d.queue",        "d.real",         "d.limit",
                                          "delta(d.reads)", "delta(d.queue)", "delta(d.limit)"};
    constexpr std::string_view kSingles[] = {"load",        "people",      "delta(calls)",
                                             "delta(load)", "d.queue[i0]", "count(d.real > 20)",
                                             "sum(o.size)"};
    return std::string(set ? one_of(kSets) : one_of(kSingles));
  }

  std::string aggregate() {
    constexpr std::string_view kAll[] = {"sum", "avg", "min", "max"};
    return std::string(one_of(kAll));
  }

  std::string truth(int depth, bool set) {
    const auto again = [&] { return truth(depth - 1, set); };
    constexpr std::string_view kRelations[] = {"<", "<=", ">", ">=", "==", "!="};
    const bool rate = pick_.one_in(3);
    if (depth <= 0 || pick_.one_in(3)) {
      const int below = depth <= 0 ? 0 : depth - 1;
      const std::string right =
          pick_.one_in(2) ? number(below, set, rate) : std::to_string(pick_.below(30));
      return fmt::format("({} {} {})", number(below, set, rate), one_of(kRelations), right);
    }
    switch (pick_.below(set ? 4 : 5)) {
      case 0: return fmt::format("({} && {})", again(), again());
      case 1: return fmt::format("({} || {})", again(), again());
      case 2: return fmt::format("(!{})", again());
      case 3: return again();
      default:
        return fmt::format("{}({})", pick_.one_in(2) ? "some" : "all", truth(depth - 1, true));
    }
  }

  std::string_view one_of(std::span<const std::string_view> all) { return pick_.of(all); }

  Rng& pick_;
};

// A millisecond beside whole seconds, where marks are.
std::string times_of(Rng& pick, bool regular) {
  if (regular) return "every 10s";
  std::string out = "at";
  uint64_t at_ms = 1;
  for (size_t i = 0; i < kRecords; ++i, at_ms += 1'000 * (6 + pick.below(9))) {
    out += fmt::format(" {}ms", at_ms);
  }
  return out;
}

}  // namespace

RandomRows random_rows(uint64_t seed) {
  Rng pick(seed);
  RandomRows out{.metrics = std::string(kRandomMetrics), .samples = Samples(pick).text()};
  out.times = times_of(pick, seed % 2 == 0);
  Expressions expressions(pick);
  while (out.expressions.size() < kExpressions) out.expressions.push_back(expressions.any());
  return out;
}

}  // namespace pmjit::tests
