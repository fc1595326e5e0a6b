#include "runtime/text/print_value.h"

#include <gtest/gtest.h>

#include "runtime/model/event_array.h"
#include "tests/unit/model/stored_value.h"
#include "tests/unit/model/vectors.h"

namespace pmjit {
namespace {

std::string printed(const StoredValue& from, int type, int width) {
  Zone utc("UTC");
  std::string out;
  append_value(out, from.format, type, from.value(), {.min_width = width, .zone = utc});
  return out;
}

// The rows whose value is not a number say in words what it was.
StoredValue printed_value(const VectorRow& row) {
  const std::string& what = row[2];
  const int type = std::stoi(row[1]);
  if (what.ends_with("bytes, byte i = (i*31+1) mod 256")) {
    const size_t count = std::stoul(what.substr(std::strlen("aggregate ")));
    StoredValue out = block(type, std::string(count, '\0'));
    for (size_t i = 0; i < count; ++i) out.bytes[i] = static_cast<std::byte>(i * 31 + 1);
    return out;
  }
  if (what == "aggregate 8 bytes NaN pattern") return block(type, uint64_t{0x7ff8000000000001});
  if (what == "aggregate 4 bytes NaN pattern") return block(type, uint32_t{0x7fc00001});
  if (what == "insitu NaN pattern") return in_place(uint32_t{0x7fc00001});
  if (what.starts_with("insitu 42")) return in_place(int32_t{42});
  if (what.starts_with("STRING block printed")) return block(pm_type::string, {"abc\0", 4});
  if (what == "bad valfmt 7") {
    StoredValue out = block(type, int32_t{0});
    out.format = static_cast<ValueFormat>(7);
    return out;
  }
  if (const size_t quote = what.find('"'); what.starts_with("aggregate") && quote != what.npos) {
    return block(type, what.substr(quote + 1, what.size() - quote - 2));
  }
  if (type == pm_type::string) return block(type, what + '\0');
  return stored_number(row[0], type, what);
}

TEST(PrintValue, PrintsAsTheReference) {
  const auto rows = read_vectors("printvalue.tsv");
  Tally tally("printvalue.tsv", rows.size());
  for (const VectorRow& row : rows) {
    const std::string got = printed(printed_value(row), std::stoi(row[1]), std::stoi(row[3]));
    tally.judge("[" + got + "]", row[4], row);
  }
}

// The rest is what PCP 6.0.3 printed for the same bytes.
TEST(PrintValue, ControlReportsOfPmlogger) {
  EXPECT_EQ(printed(in_place(uint32_t{0}), pm_type::event, 1), "[pmlc control adv off nl 0]");
  EXPECT_EQ(printed(in_place(uint32_t{43}), pm_type::event, 1), "[pmlc control mand on na 2]");
  EXPECT_EQ(printed(in_place(uint32_t{63}), pm_type::highres_event, 1),
            "[pmlc control mand on  3]");
}

struct EventText {
  StoredValue array = block(pm_type::event, "");

  EventText& word(uint32_t value) {
    const auto* at = reinterpret_cast<const std::byte*>(&value);
    array.bytes.insert(array.bytes.end(), at, at + sizeof value);
    return *this;
  }
  EventText& record(int sec, int usec, uint32_t flags, int parameters) {
    return word(static_cast<uint32_t>(sec))
        .word(static_cast<uint32_t>(usec))
        .word(flags)
        .word(static_cast<uint32_t>(parameters));
  }
  [[nodiscard]] std::string text() const { return printed(array, pm_type::event, 40); }
};

TEST(PrintValue, EventArraysSayFirstAndLast) {
  EXPECT_EQ(EventText().word(0).text(), "[0 event records]");
  EXPECT_EQ(EventText().word(UINT32_MAX).text(), "[-1 event records]");
  EXPECT_EQ(EventText().word(1).record(100, 123'456, kEventPoint, 0).text(),
            "[1 event record timestamp 00:01:40.123]");
  EXPECT_EQ(EventText()
                .word(2)
                .record(100, 123'456, kEventPoint, 1)
                .word(7)
                .word(6u << 24 | 9)
                .word(0)
                .word(0)
                .record(200, 999'999, 0, 0)
                .text(),
            "[2 event records timestamps 00:01:40.123...00:03:20.999]");
}

TEST(PrintValue, EventArraysCountWhatWasMissedAsTheReferenceDoes) {
  EXPECT_EQ(EventText()
                .word(3)
                .record(100, 0, kEventPoint, 0)
                .record(150, 1, kEventMissed, 7)
                .record(200, 0, 0, 0)
                .text(),
            "[3 event records (7 missed) timestamps 00:01:40.000...00:02:30.000]");
  EXPECT_EQ(EventText()
                .word(3)
                .record(150, 1, kEventMissed, 7)
                .record(100, 0, 1, 0)
                .record(101, 0, 1, 0)
                .text(),
            "[3 event records (14 missed) timestamps 00:02:30.000...00:02:30.000]");
  EXPECT_EQ(EventText().word(2).record(1, 0, 1, 0).record(2, 0, kEventMissed, 7).text(),
            "[2 event records timestamps 00:00:01.000...00:00:02.000]");
}

TEST(PrintValue, EventArraysThatEndTooEarlyHaveNoLastTime) {
  EXPECT_EQ(EventText().word(3).record(100, 0, 0, 0).text(),
            "[3 event records timestamps 00:01:40.000...?]");
  EXPECT_EQ(EventText().word(1).text(), "[1 event record timestamp ?]");
  EXPECT_EQ(
      EventText().word(0x7fffffff).record(1, 0, kEventMissed, 1).text(),
      "[2147483647 event records (2147483646 missed) timestamps 00:00:01.000...00:00:01.000]");
}

}  // namespace
}  // namespace pmjit
