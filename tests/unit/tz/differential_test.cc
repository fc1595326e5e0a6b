// Ours against the C library's: zones of the data base, and texts as POSIX and as nobody has them,
// at random times, in both directions. PMJIT_ZONE_ROUNDS says how many zones (200).
#include <gtest/gtest.h>

#include <cstdlib>
#include <random>

#include "runtime/tz/rules.h"
#include "tests/unit/turns.h"
#include "tests/unit/tz/c_library.h"

namespace pmjit::tz {
namespace {

constexpr int kTimes = 60;
using Texts = std::vector<std::string>;

int rounds() {
  const char* given = std::getenv("PMJIT_ZONE_ROUNDS");
  return given ? std::atoi(given) : static_cast<int>(test::turns(200));
}

class Chance {
 public:
  explicit Chance(uint64_t seed) : engine_(seed) {}

  int64_t number(int64_t least, int64_t most) {
    return std::uniform_int_distribution<int64_t>(least, most)(engine_);
  }
  bool one_in(int64_t count) { return number(1, count) == 1; }
  std::string text(const Texts& all) {
    return all[static_cast<size_t>(number(0, static_cast<int64_t>(all.size()) - 1))];
  }
  // A third in the years of archives, the others as far as a std::tm goes.
  int64_t time() {
    constexpr int64_t kFar = 67'767'976'233'000'000;
    return one_in(3) ? number(0, 4'200'000'000) : number(-kFar, kFar) >> number(0, 40);
  }

 private:
  std::mt19937_64 engine_;
};

// Numbers that fit, that do not, and that scanf() takes all the same.
std::string number_text(Chance& chance) {
  if (chance.one_in(3)) {
    return chance.text({"", " 3", "+2", "-1", "99999999999999999999", "65536", "70000"});
  }
  return std::to_string(chance.number(0, 26));
}

std::string clock_text(Chance& chance) {
  std::string text = number_text(chance);
  while (chance.one_in(3)) text += ":" + number_text(chance);
  return text;
}

std::string name_text(Chance& chance) {
  if (chance.one_in(4)) return chance.text({"ab", "<ab>", "<a_b>", "<abc", "E1T", ""});
  return chance.text({"EST", "XYZ", "CEST", "Abcdefgh", "<+03>", "<-0330>"});
}

std::string change_text(Chance& chance) {
  const std::string month = std::to_string(chance.number(1, 12));
  std::string text;
  switch (chance.number(0, 4)) {
    case 0: text = "J" + std::to_string(chance.number(0, 370)); break;
    case 1: text = std::to_string(chance.number(0, 370)); break;
    case 2: text = "M" + month + "." + number_text(chance) + "." + number_text(chance); break;
    default:
      text = "M" + month + "." + std::to_string(chance.number(1, 5)) + "." +
             std::to_string(chance.number(0, 6));
  }
  if (chance.one_in(2)) text += chance.text({"/", "/-", "/167", "/-24"}) + clock_text(chance);
  return text;
}

std::string posix_text(Chance& chance) {
  std::string text = chance.one_in(9) ? ":" : "";
  text += name_text(chance) + chance.text({"", "+", "-"}) + clock_text(chance);
  if (chance.one_in(6)) return text;
  text += name_text(chance);
  if (chance.one_in(2)) text += chance.text({"", "+", "-"}) + clock_text(chance);
  while (!chance.one_in(3)) text += chance.text({",", ",", ",", ";"}) + change_text(chance);
  return text;
}

void spoil(std::tm& tm, Chance& chance) {
  const auto by = [&](int64_t most) { return static_cast<int>(chance.number(-most, most)); };
  if (chance.one_in(2)) {
    tm.tm_mon += by(30), tm.tm_mday += by(400), tm.tm_hour += by(50);
    tm.tm_min += by(100), tm.tm_sec += by(100);
  } else if (chance.one_in(3)) {
    tm.tm_hour = static_cast<int>(chance.number(0, 3));  // where most clocks change
  }
  tm.tm_isdst = chance.one_in(2) ? -1 : by(1);
}

void compare(const char* zone, Chance& chance) {
  const CLibrary glibc(zone);
  const SharedRules rules = load_rules(zone);
  const std::string name = zone ? zone : "(not set)";
  int64_t guess = 0;
  for (int i = 0; i < kTimes; ++i) {
    const int64_t sec = chance.time();
    const auto wanted = glibc.local(sec);
    std::tm got{};
    ASSERT_EQ(rules->local(sec, got), wanted.has_value()) << name << " at " << sec;
    if (!wanted) continue;
    ASSERT_EQ(shown(got), shown(*wanted)) << name << " at " << sec;
    ASSERT_EQ(rules->name_at(sec), wanted->tm_zone) << name << " at " << sec;
    spoil(got, chance);
    ASSERT_EQ(make_time(*rules, got, guess), glibc.seconds_of(got)) << name << ": " << shown(got);
  }
}

TEST(ZoneDifferential, OfTheDataBase) {
  Chance chance(1);
  const Texts names = zone_names();
  ASSERT_GT(names.size(), 400u);
  for (int i = 0; i < rounds() && !HasFatalFailure(); ++i) {
    const std::string name = chance.text({"", "", "right/", "posix/", ":"}) + chance.text(names);
    compare(name.c_str(), chance);
  }
}

TEST(ZoneDifferential, OfTexts) {
  Chance chance(2);
  for (int i = 0; i < 5 * rounds() && !HasFatalFailure(); ++i) {
    compare(posix_text(chance).c_str(), chance);
  }
}

TEST(ZoneDifferential, OfWhatIsNoZone) {
  Chance chance(3);
  for (const char* name : {"",
                           ":",
                           "::",
                           "UTC",
                           "Europe",
                           "Foo",
                           "Europe/Berlim",
                           "nosuch",
                           "/",
                           "/etc/nosuch",
                           "/usr/share/zoneinfo/Asia/Tokyo",
                           "/usr/share/zoneinfo/tzdata.zi",
                           "UTC+0",
                           "EST+0",
                           "A5",
                           "XYZ+",
                           "EST5EDT,M3.2.0,M11.1.0 ",
                           "EST5EDT,",
                           "EST5EDT,M3",
                           "EST5EDT4,M3.2.0",
                           "posixrules",
                           "/etc/localtime",
                           ":/etc/localtime"})
    compare(name, chance);
  compare(nullptr, chance);
}

TEST(ZoneDifferential, AFolderOfZonesOfTheirOwn) {
  Chance chance(4);
  setenv("TZDIR", "/usr/share/zoneinfo/right", 1);
  compare("Europe/Berlin", chance);
  setenv("TZDIR", "/etc/nosuch", 1);
  for (const char* name : {"Europe/Berlin", "EST5EDT", "XYZ5ABC"}) compare(name, chance);
  setenv("TZDIR", "", 1);
  compare("Europe/Berlin", chance);
  unsetenv("TZDIR");
}

// Each second around each change of a year, in both directions.
TEST(ZoneDifferential, AroundChanges) {
  for (const char* name :
       {"Europe/Berlin", "Australia/Lord_Howe", "right/UTC", "EST5EDT4,J60,300"}) {
    const CLibrary glibc(name);
    const SharedRules rules = load_rules(name);
    for (const int64_t change : {1'711'846'800, 1'729'990'800, 1'712'415'600, 1'728'142'200,
                                 1'483'228'826, 1'709'276'400, 1'730'005'200}) {
      for (int64_t sec = change - 4'000; sec < change + 4'000; sec += 7) {
        std::tm got{};
        ASSERT_TRUE(rules->local(sec, got));
        ASSERT_EQ(shown(got), shown(glibc.local(sec).value())) << name << " at " << sec;
      }
    }
  }
}

}  // namespace
}  // namespace pmjit::tz
