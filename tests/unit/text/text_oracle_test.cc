// Random texts, numbers and units, judged by the real library.
#include <fmt/format.h>

#include <bit>
#include <cerrno>
#include <cmath>

#include "runtime/model/event_array.h"
#include "runtime/model/pm_codes.h"
#include "runtime/model/units.h"
#include "runtime/model/value.h"
#include "runtime/text/float_text.h"
#include "runtime/text/metric_spec.h"
#include "runtime/text/parse_units.h"
#include "tests/unit/model/oracle_library.h"

namespace pmjit::oracle {
namespace {

class TextOracle : public OracleTest {
 protected:
  uint32_t units_word() {
    const auto dim = [&] { return once_in(4) ? between(-8, 7) : between(-2, 2); };
    return units_to_word({.dim_space = static_cast<int8_t>(dim()),
                          .dim_time = static_cast<int8_t>(dim()),
                          .dim_count = static_cast<int8_t>(dim()),
                          .scale_space = static_cast<uint8_t>(between(0, once_in(4) ? 15 : 6)),
                          .scale_time = static_cast<uint8_t>(between(0, once_in(4) ? 15 : 5)),
                          .scale_count = static_cast<int8_t>(between(-8, 7))});
  }

  void expect_parse_alike(const std::string& text) {
    static auto* parse = function<int(const char*, uint32_t*, double*, char**)>("pmParseUnitsStr");
    uint32_t word = 0;
    double multiplier = 0;
    char* message = nullptr;
    const int status = parse(text.c_str(), &word, &multiplier, &message);
    const auto ours = parse_units(text, ExtraUnits::ignored);
    if (status < 0) {
      EXPECT_EQ(ours ? "read" : ours.error().what(), message) << text;
      std::free(message);
      return;
    }
    ASSERT_TRUE(ours) << text << ": " << ours.error().what();
    EXPECT_EQ(units_to_word(ours->units), word) << text;
    EXPECT_EQ(std::bit_cast<uint64_t>(ours->multiplier), std::bit_cast<uint64_t>(multiplier))
        << text << ": " << ours->multiplier << " " << multiplier;
  }
};

TEST_F(TextOracle, ErrorTexts) {
  auto* text = function<const char*(int)>("pmErrStr");
  for (int code = -23'000; code < 100; ++code) ASSERT_EQ(pm_error_text(code), text(code)) << code;
  for (int i = 0; i < kRounds; ++i) {
    const auto code = static_cast<int>(bits());
    ASSERT_EQ(pm_error_text(code), text(code)) << code;
  }
}

TEST_F(TextOracle, Identifiers) {
  auto* pmid = function<const char*(uint32_t)>("pmIDStr");
  auto* indom = function<const char*(uint32_t)>("pmInDomStr");
  auto* flags = function<const char*(uint32_t)>("pmEventFlagsStr");
  for (int i = 0; i < kRounds; ++i) {
    auto id = static_cast<uint32_t>(bits());
    if (once_in(4)) id |= 511u << 22;
    if (once_in(4)) id &= ~0x3ffu;
    ASSERT_EQ(pmid_text(id), pmid(id)) << id;
    ASSERT_EQ(indom_text(id), indom(id)) << id;
    ASSERT_EQ(event_flags_text(id), flags(id)) << id;
  }
}

TEST_F(TextOracle, UnitsAndTheirTextsReadBack) {
  auto* text = function<const char*(const uint32_t*)>("pmUnitsStr");
  for (int i = 0; i < kRounds; ++i) {
    const uint32_t word = units_word();
    const std::string ours = units_text(units_from_word(word, ExtraUnits::ignored));
    ASSERT_EQ(ours, text(&word)) << word;
    expect_parse_alike(ours);
  }
}

// Raw time scales beyond hours kill the library where they are reduced.
TEST_F(TextOracle, UnitsAsUsersWriteThem) {
  static constexpr std::string_view kParts[] = {"byte",
                                                "bytes",
                                                "Kbyte",
                                                "MiB",
                                                "gigabytes",
                                                "space-3",
                                                "space-15",
                                                "sec",
                                                "ms",
                                                "hour",
                                                "time-2",
                                                "nanosec",
                                                "count",
                                                "count x 10",
                                                "count x 10^3",
                                                "count x 10^-2",
                                                "counts",
                                                "^2",
                                                "^-1",
                                                "^0",
                                                "^15",
                                                "^9",
                                                "/",
                                                "/",
                                                " ",
                                                " ",
                                                " ",
                                                " ",
                                                " ",
                                                "1",
                                                "60",
                                                "1.5",
                                                "-2",
                                                ".",
                                                "0",
                                                "1e3",
                                                "x",
                                                "\t",
                                                "1024",
                                                "1e400",
                                                "KB",
                                                "s",
                                                "h"};
  for (int i = 0; i < kRounds; ++i) expect_parse_alike(text_of(kParts, 9));
}

TEST_F(TextOracle, NumbersInSevenCharacters) {
  auto* text = function<const char*(double)>("pmNumberStr");
  static constexpr double kLimits[] = {0.005,   99.995, 99995,    99995e3,  99995e6, 99995e9,
                                       999.995, 999995, 999995e3, 999995e6, 999995e9};
  for (int i = 0; i < kRounds; ++i) {
    const double near = one_of(kLimits) * (1 + static_cast<double>(between(-9, 9)) * 1e-6);
    const double any = std::bit_cast<double>(bits());
    const double some = static_cast<double>(short_bits()) / 1000;
    for (double value : {near, -near, any, some, -some}) {
      ASSERT_EQ(number_text(value), text(value)) << fmt::format("{}", value);
    }
  }
}

TEST_F(TextOracle, MetricSpecifications) {
  auto* parse = function<int(const char*, int, char*, CMetricSpec**, char**)>("pmParseMetricSpec");
  static constexpr std::string_view kParts[] = {"a", "b.c", "[", "]", "\"", ",", "\\",
                                                " ", ":",   "/", "@", "[",  "]", "m"};
  char given[] = "given";
  for (int i = 0; i < 5 * kRounds; ++i) {
    const std::string text = text_of(kParts, 12);
    CMetricSpec* theirs = nullptr;
    char* message = nullptr;
    const int status = parse(text.c_str(), 1, given, &theirs, &message);
    const auto ours = parse_metric_spec(text, {.kind = SourceKind::archive, .source = "given"});
    if (status < 0) {
      ASSERT_FALSE(ours) << text;
      ASSERT_EQ(ours.error().what(), message);
      std::free(message);
      continue;
    }
    ASSERT_TRUE(ours) << ours.error().what();
    std::vector<std::string> names(theirs->instances, theirs->instances + theirs->count);
    ASSERT_EQ(static_cast<int>(ours->from.kind), theirs->kind) << text;
    ASSERT_EQ(ours->from.source, theirs->source) << text;
    ASSERT_EQ(ours->metric, theirs->metric) << text;
    ASSERT_EQ(ours->instances, names) << text;
    std::free(theirs);
  }
}

TEST_F(TextOracle, UsersTextsAsValues) {
  auto* read = function<int(const char*, CAtom*, int)>("__pmStringValue");
  static constexpr std::string_view kParts[] = {"0",
                                                "1",
                                                "9",
                                                "0x",
                                                "0X",
                                                "a",
                                                "f",
                                                "-",
                                                "+",
                                                ".",
                                                "e",
                                                "E",
                                                " ",
                                                "nan",
                                                "inf",
                                                "255",
                                                "4294967295",
                                                "1e39",
                                                "9223372036854775807",
                                                "g",
                                                "2147483648",
                                                "e-5"};
  for (int i = 0; i < 5 * kRounds; ++i) {
    const std::string text = text_of(kParts, 4);
    const int type = static_cast<int>(between(pm_type::i32, pm_type::f64));
    CAtom theirs{};
    errno = 0;  // what another call left there is reported
    const int status = read(text.c_str(), &theirs, type);
    const auto ours = atom_from_text(type, text);
    ASSERT_EQ(ours ? 0 : ours.error(), status) << type << " '" << text << "'";
    if (!ours) continue;
    const bool narrow = type == pm_type::i32 || type == pm_type::u32 || type == pm_type::f32;
    ASSERT_EQ(narrow ? ours->u32 : ours->u64, narrow ? theirs.u32 : theirs.u64)
        << type << " '" << text << "'";
  }
}

}  // namespace
}  // namespace pmjit::oracle
