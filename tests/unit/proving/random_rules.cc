#include "tests/unit/proving/random_rules.h"

#include <fmt/core.h>

#include <array>
#include <string_view>

namespace pmjit::tests {

namespace {

constexpr std::array<std::string_view, 5> kInstances = {"a", "b", "c", "d", "e"};
constexpr std::array<std::string_view, 4> kOrders = {"<", "<=", ">", ">="};
constexpr std::array<std::string_view, 4> kQuantifiers = {"some_inst", "all_inst", "60 %_inst",
                                                          "0 %_inst"};
constexpr std::array<std::string_view, 9> kSets = {
    "lab.count",           "instant lab.count",    "lab.real",
    "lab.whole",           "lab.real * 2.5",       "lab.coming",
    "lab.real / lab.real", "lab.whole - lab.real", "rate lab.whole"};
constexpr std::array<std::string_view, 8> kNumbers = {
    "3", "0", "5", "lab.one", "sum_inst lab.whole", "lab.one / 0", "0 * lab.one / 0", "$second"};

template <size_t n>
std::string_view any_of(Rng& rng, const std::array<std::string_view, n>& items) {
  return items[rng.below(n)];
}

std::string number(Rng& rng) {
  if (rng.one_in(2)) return fmt::format("{}", static_cast<int>(rng.below(10)));
  // $second is none of pmie's, $minute is.
  const std::string_view out = any_of(rng, kNumbers);
  return out == "$second" ? "$minute" : std::string(out);
}

std::string comparison(Rng& rng) {
  const std::string_view set = any_of(rng, kSets), order = any_of(rng, kOrders);
  switch (rng.below(8)) {
    case 0: return fmt::format("({} {} ({}))", number(rng), order, set);
    case 1: return fmt::format("({} == {})", set, number(rng));
    case 2: return fmt::format("({} {} {})", set, order, any_of(rng, kSets));
    default: return fmt::format("(({}) {} {})", set, order, number(rng));
  }
}

std::string truth(Rng& rng, size_t depth) {
  if (depth == 0 || rng.one_in(3)) return comparison(rng);
  switch (rng.below(6)) {
    case 0: return fmt::format("(! {})", truth(rng, depth - 1));
    case 1: return fmt::format("({} && lab.one > {})", truth(rng, depth - 1), number(rng));
    case 2: return fmt::format("match_inst \"[abc]\" {}", truth(rng, depth - 1));
    case 3: return fmt::format("({} || {})", truth(rng, depth - 1), truth(rng, depth - 1));
    default: return fmt::format("({} && {})", truth(rng, depth - 1), truth(rng, depth - 1));
  }
}

std::string quantified(Rng& rng) {
  const std::string of = truth(rng, 2);
  if (rng.one_in(5)) return fmt::format("count_inst {} > {}", of, rng.below(5));
  return fmt::format("{} {}", any_of(rng, kQuantifiers), of);
}

std::string condition(Rng& rng) {
  switch (rng.below(8)) {
    case 0: return fmt::format("! ({})", quantified(rng));
    case 1: return fmt::format("({}) && ({})", quantified(rng), quantified(rng));
    case 2: return fmt::format("rising ({})", quantified(rng));
    default: return quantified(rng);
  }
}

std::string action(Rng& rng, size_t rule) {
  constexpr std::array<std::string_view, 4> kTexts = {"%i=%v ", "%h", "x", "%v %i, "};
  return fmt::format("print{} \"{}: \" \"{}\"", rng.one_in(4) ? " 20 sec" : "", rule,
                     any_of(rng, kTexts));
}

// One value, or none; of a set without a value nothing follows.
std::string series(Rng& rng, size_t ticks, bool counts, bool gaps) {
  std::string out;
  uint64_t total = rng.below(5);
  for (size_t i = 0; i < ticks; ++i) {
    total = counts && !rng.one_in(15) ? total + rng.below(120) : rng.below(10);
    out += gaps && rng.one_in(9) ? " -" : fmt::format(" {}", total);
  }
  return out;
}

}  // namespace

std::string random_metrics() {
  return "lab.count   u64 counter none  indom=lab[a b c d e]\n"
         "lab.real    f64 instant none  indom=lab\n"
         "lab.whole   i64 instant none  indom=lab\n"
         "lab.coming  u32 instant none  indom=lab\n"
         "lab.one     i32 instant none\n";
}

std::string random_samples(Rng& rng, size_t ticks) {
  std::string out;
  for (const std::string_view instance : kInstances) {
    out += fmt::format("lab.count[{}] {}\n", instance, series(rng, ticks, true, false));
    out += fmt::format("lab.real[{}] {}\n", instance, series(rng, ticks, false, false));
    out += fmt::format("lab.whole[{}] {}\n", instance, series(rng, ticks, false, rng.one_in(9)));
    out += fmt::format("lab.coming[{}] {}\n", instance, series(rng, ticks, false, true));
  }
  return out + fmt::format("lab.one {}\n", series(rng, ticks, false, false));
}

std::string random_rules(Rng& rng, size_t count, size_t first) {
  std::string out;
  for (size_t i = 0; i < count; ++i) {
    const std::string begin = fmt::format("r{} = ", first + i);
    switch (rng.below(6)) {
      case 0:
        out +=
            begin + fmt::format("ruleset {} -> {} else {} -> {} otherwise -> {};\n", condition(rng),
                                action(rng, i), condition(rng), action(rng, i), action(rng, i));
        break;
      case 1: out += begin + truth(rng, 2) + ";\n"; break;
      case 2: out += begin + fmt::format("rate count_inst {};\n", truth(rng, 2)); break;
      default: out += begin + fmt::format("{} -> {};\n", condition(rng), action(rng, i));
    }
  }
  return out;
}

}  // namespace pmjit::tests
