#include "runtime/model/event_array.h"

#include <gtest/gtest.h>

#include "runtime/model/value.h"
#include "tests/unit/model/stored_value.h"

namespace pmjit {
namespace {

template <class... Words>
std::string words(Words... word) {
  std::string out;
  const auto add = [&](uint32_t value) {
    out.append(reinterpret_cast<const char*>(&value), sizeof value);
  };
  (add(static_cast<uint32_t>(word)), ...);
  return out;
}

constexpr uint32_t length(int type, uint32_t bytes) {
  return static_cast<uint32_t>(type) << 24 | (bytes + 4);
}

OrPmError<std::vector<EventRecord>> unpacked(const std::string& bytes, int type = pm_type::event) {
  static StoredValue keep;  // the parameters' blocks are part of it
  keep = block(type, bytes);
  return unpack_events(keep.format, keep.value(), type);
}

TEST(EventArray, RecordsHaveTimesFlagsAndParameters) {
  const auto records = unpacked(
      words(3) + words(100, 123'456, kEventPoint | kEventId, 2) +
      words(5, length(pm_type::u32, 4), 77) + words(6, length(pm_type::string, 6)) +
      std::string("hello\0\0\0", 8) + words(150, 1, kEventMissed, 7) + words(200, 999'999, 0, 0));
  ASSERT_TRUE(records) << records.error();
  ASSERT_EQ(records->size(), 3u);
  const EventRecord& first = (*records)[0];
  EXPECT_EQ(first.stamp, (Stamp{100, 123'456'000}));
  EXPECT_EQ(event_flags_text(first.flags), "point,id");
  ASSERT_EQ(first.parameters.size(), 2u);
  EXPECT_EQ(first.parameters[0].pmid, 5u);
  EXPECT_EQ(first.parameters[0].format, ValueFormat::in_place);
  EXPECT_EQ(first.parameters[0].value.word, 77u);
  const EventParameter& text = first.parameters[1];
  EXPECT_EQ(load_atom(text.format, text.type, text.value)->text(), "hello");
  EXPECT_EQ(text.value.block.size(), 6u);  // without the padding
  EXPECT_EQ((*records)[1].missed, 7);
  EXPECT_TRUE((*records)[1].parameters.empty());
  EXPECT_EQ((*records)[2].stamp, (Stamp{200, 999'999'000}));
}

TEST(EventArray, HighResolutionRecordsHaveNanoseconds) {
  const auto records = unpacked(words(1) + words(0xd4a51000, 232, 5, 0) + words(kEventEnd, 1) +
                                    words(9, length(pm_type::i64, 8), 1, 0),
                                pm_type::highres_event);
  ASSERT_TRUE(records) << records.error();
  EXPECT_EQ((*records)[0].stamp, (Stamp{1'000'000'000'000, 5}));
  EXPECT_EQ((*records)[0].parameters[0].value.block.size(), 8u);
}

TEST(EventArray, NoneAndBadOnes) {
  const auto code = [](const std::string& bytes) { return unpacked(bytes).error(); };
  EXPECT_TRUE(unpacked(words(0))->empty());
  EXPECT_EQ(code(words(-1)), pm_err::E_TOOSMALL);
  EXPECT_EQ(code(""), pm_err::E_TOOSMALL);
  EXPECT_EQ(code(words(2, 100, 0, 0, 0)), pm_err::E_TOOBIG);
  EXPECT_EQ(code(words(1, 100, 0, 0, 1)), pm_err::E_TOOBIG);
  EXPECT_EQ(code(words(1, 100, 0, 0, 1, 5, length(pm_type::u32, 4))), pm_err::E_TOOBIG);
  EXPECT_EQ(code(words(1, 100, 0, 0, 1, 5, length(pm_type::event, 4), 0)), pm_err::E_TYPE);
  EXPECT_EQ(code(words(1, 100, 0, kEventMissed | kEventPoint, 1)), pm_err::E_CONV);

  const StoredValue array = block(pm_type::event, words(0)), word = in_place(int32_t{0});
  EXPECT_EQ(unpack_events(array.format, array.value(), pm_type::highres_event).error(),
            pm_err::E_TYPE);
  EXPECT_EQ(unpack_events(word.format, word.value(), pm_type::event).error(), pm_err::E_CONV);
}

// Every prefix of an array either is one or is refused; nothing beyond it is read.
TEST(EventArray, EveryPrefixIsRefusedOrRead) {
  const std::string all = words(2) + words(100, 1, kEventPoint, 1) +
                          words(6, length(pm_type::string, 5)) + std::string("hell\0\0\0\0", 8) +
                          words(150, 1, kEventMissed, 7);
  for (size_t size = 0; size < all.size(); ++size) {
    EXPECT_FALSE(unpacked(all.substr(0, size))) << size;
  }
  EXPECT_TRUE(unpacked(all));
}

}  // namespace
}  // namespace pmjit
