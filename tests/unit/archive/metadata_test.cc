// Metadata records: conflicts, and records that cannot be right. Spec archives.md §6, §9.
#include "runtime/archive/reader/metadata.h"

#include <gtest/gtest.h>

#include "runtime/archive/format/label.h"
#include "runtime/archive/writer/encode.h"
#include "runtime/model/pm_codes.h"

namespace pmjit {
namespace {

constexpr Desc kDesc{.pmid = 1,
                     .pm_type = 3,
                     .indom = 2,
                     .semantics = Semantics::counter,
                     .units = {.dim_count = 1}};

// A V3 metadata file of these records.
struct Meta {
  ByteVector bytes = encode_label({}, kMetaVolume);
  Meta& add(const ByteVector& record) {
    bytes.insert(bytes.end(), record.begin(), record.end());
    return *this;
  }
  Meta& add_words(std::initializer_list<uint32_t> words) {
    ByteWriter out;
    const auto length = static_cast<uint32_t>(words.size() * 4 + 8);
    out.u32(length);
    for (const uint32_t word : words) out.u32(word);
    out.u32(length);
    return add(out.take());
  }
  [[nodiscard]] int code() const {
    const auto read = read_metadata(bytes, Version::v3, ExtraUnits::known);
    return read ? 0 : read.error().pm_code;
  }
};

TEST(Metadata, RepeatedDescriptionsMustAgree) {
  const auto again = [](Desc desc) {
    return Meta().add(encode_desc("a", kDesc)).add(encode_desc("a", desc)).code();
  };
  EXPECT_EQ(again(kDesc), 0);
  Desc desc = kDesc;
  desc.units.dim_count = 0;
  EXPECT_EQ(again(desc), pm_err::E_LOGCHANGEUNITS);
  desc.indom = 3;
  EXPECT_EQ(again(desc), pm_err::E_LOGCHANGEINDOM);
  desc.semantics = Semantics::instant;
  EXPECT_EQ(again(desc), pm_err::E_LOGCHANGESEM);
  desc.pm_type = 2;
  EXPECT_EQ(again(desc), pm_err::E_LOGCHANGETYPE);
}

TEST(Metadata, ExtraUnitsArePaddingToWhoDoesNotKnowThem) {
  Desc celsius = kDesc;
  celsius.units.extra = {.unit = kTemperature, .scale = 1};
  const Meta meta = Meta().add(encode_desc("a", celsius));
  const auto known = read_metadata(meta.bytes, Version::v3, ExtraUnits::known);
  const auto ignored = read_metadata(meta.bytes, Version::v3, ExtraUnits::ignored);
  ASSERT_TRUE(known && ignored);
  EXPECT_EQ(known->desc(kDesc.pmid)->units, celsius.units);
  EXPECT_EQ(ignored->desc(kDesc.pmid)->units, kDesc.units);
  const Meta both = Meta().add(encode_desc("a", kDesc)).add(encode_desc("a", celsius));
  EXPECT_EQ(both.code(), pm_err::E_LOGCHANGEUNITS);
  EXPECT_TRUE(read_metadata(both.bytes, Version::v3, ExtraUnits::ignored));
}

TEST(Metadata, OfTwoMetricsWithOneNameTheFirstHasIt) {
  Desc other = kDesc;
  other.pmid = 9;
  const Meta meta = Meta().add(encode_desc("a", kDesc)).add(encode_desc("a", other));
  const auto read = read_metadata(meta.bytes, Version::v3, ExtraUnits::known);
  ASSERT_TRUE(read.has_value());
  EXPECT_EQ(read->names.find("a"), 1u);
  EXPECT_EQ(read->descs.size(), 2u);
}

TEST(Metadata, ANameEndsAtItsFirstNul) {
  using namespace std::string_literals;
  const Meta meta = Meta().add(encode_desc("disk.total\0\0\0"s, kDesc));
  const auto read = read_metadata(meta.bytes, Version::v3, ExtraUnits::known);
  ASSERT_TRUE(read.has_value());
  EXPECT_EQ(read->names.find("disk.total"), 1u);
}

TEST(Metadata, NothingDescribed) {
  EXPECT_EQ(Meta().code(), pm_err::E_NODATA);
  EXPECT_EQ(Meta().add_words({4, 5, 1, 0}).code(), pm_err::E_NODATA);
}

TEST(Metadata, RecordTypesThatAreNone) {
  for (const uint32_t type : {0u, 8u, 9u, 0xffffffffu}) {
    EXPECT_EQ(Meta().add(encode_desc("a", kDesc)).add_words({type, 0, 0}).code(),
              pm_err::E_RECTYPE);
  }
}

TEST(Metadata, DescriptionsThatDoNotFillTheirRecord) {
  EXPECT_EQ(Meta().add_words({1, 1, 3, 2, 1, 0}).code(), pm_err::E_LOGREC);
  EXPECT_EQ(Meta().add_words({1, 1, 3, 2, 1, 0, 1, 4}).code(), pm_err::E_LOGREC);
  EXPECT_EQ(Meta().add_words({1, 1, 3, 2, 1, 0, 0xffffffff, 0}).code(), pm_err::E_LOGREC);
  EXPECT_EQ(Meta().add_words({1, 1, 3, 2, 1, 0, 0, 0}).code(), pm_err::E_LOGREC);
}

// type, stamp (low, high, nsec), indom, count, instances, string offsets, strings
TEST(Metadata, InstanceDomainsThatCannotBe) {
  const auto with = [](std::initializer_list<uint32_t> words) {
    return Meta().add(encode_desc("a", kDesc)).add_words(words).code();
  };
  EXPECT_EQ(with({5, 100, 0, 0, 2, 1, 7, 0, 0x61000000}), 0);
  EXPECT_EQ(with({5, 100, 0, 0, 2, 0}), 0);
  EXPECT_EQ(with({5, 100, 0, 0, 2, 2, 7, 0, 0x61000000}), pm_err::E_LOGREC);
  EXPECT_EQ(with({5, 100, 0, 0, 2, 0xffffffff, 7, 0, 0x61000000}), pm_err::E_LOGREC);
  EXPECT_EQ(with({5, 100, 0, 0, 2, 1, 0xffffffff, 0, 0x61000000}), pm_err::E_LOGREC);
  EXPECT_EQ(with({5, 100, 0, 0, 2, 1, 7, 5, 0x61000000}), pm_err::E_LOGREC);
  EXPECT_EQ(with({5, 100, 0, 0, 2, 1, 7, 0xffffffff, 0x61000000}), pm_err::E_LOGREC);
  EXPECT_EQ(with({5, 100, 0, 0xffffffff, 2, 1, 7, 0, 0x61000000}), pm_err::E_LOGREC);
  EXPECT_EQ(with({6, 100, 0, 0, 2, 1, 7, 0, 0x61000000}), pm_err::E_LOGREC);  // nothing to change
}

TEST(Metadata, ADeltaThatDeletesWhatIsNotThere) {
  const auto meta = [](uint32_t gone) {
    return Meta()
        .add(encode_desc("a", kDesc))
        .add_words({5, 100, 0, 0, 2, 1, 7, 0, 0x61000000})
        .add_words({6, 200, 0, 0, 2, 1, gone, 0xffffffff})
        .code();
  };
  EXPECT_EQ(meta(7), 0);
  EXPECT_EQ(meta(8), pm_err::E_LOGREC);
}

TEST(Metadata, LabelsAndTextsAreChecked) {
  const auto with = [](std::initializer_list<uint32_t> words) {
    return Meta().add(encode_desc("a", kDesc)).add_words(words).code();
  };
  EXPECT_EQ(with({7, 100, 0, 0, 1, 0xffffffff, 0}), 0);
  EXPECT_EQ(with({7, 100, 0, 0, 1, 0xffffffff, 1, 0xffffffff, 4, 0x7b7d2020, 0}), 0);
  EXPECT_EQ(with({7, 100, 0, 0, 1, 0xffffffff, 1, 0xffffffff, 65536, 0x7b7d2020, 0}),
            pm_err::E_LOGREC);
  EXPECT_EQ(with({7, 100, 0, 0, 1, 0xffffffff, 1, 0xffffffff, 0, 256}), pm_err::E_LOGREC);
  EXPECT_EQ(with({7, 100, 0, 0, 1, 0xffffffff, 2, 0xffffffff, 0, 0}), pm_err::E_LOGREC);
  EXPECT_EQ(with({4, 5, 1, 0x61000000}), 0);
  EXPECT_EQ(with({4, 4, 1, 0x61000000}), pm_err::E_LOGREC);  // neither one-line nor help
  EXPECT_EQ(with({4, 5, 1, 0x61616161}), 0);                 // ends with its record
  EXPECT_EQ(with({4, 5}), pm_err::E_LOGREC);
}

// The layout of a record follows from its type, whatever the version of the archive.
TEST(Metadata, RecordsOfTheOtherVersion) {
  const auto with = [](std::initializer_list<uint32_t> words) {
    return Meta().add(encode_desc("a", kDesc)).add_words(words).code();
  };
  EXPECT_EQ(with({2, 100, 0, 2, 1, 7, 0, 0x61000000}), 0);
  EXPECT_EQ(with({3, 100, 0, 1, 0xffffffff, 0}), 0);
}

// What the real tool shows of equal sets with one stamp: the last of each.
TEST(Metadata, SetsOfOneStamp) {
  const auto names = [](std::string_view sequence) {
    Meta meta;
    meta.add(encode_desc("a", kDesc));
    for (const char c : sequence) {
      meta.add_words({5, 100, 0, 0, 2, 1, 7, 0, static_cast<uint32_t>(c) << 24});
    }
    const auto read = read_metadata(meta.bytes, Version::v3, ExtraUnits::known);
    std::string out;
    for (SetWalk walk(*read->domain(2)); walk.next();) out += walk.instances().front().name;
    return out;
  };
  EXPECT_EQ(names("AACAA"), "CA");
  EXPECT_EQ(names("ABAB"), "AB");
  EXPECT_EQ(names("ABCBA"), "CBA");
}

}  // namespace
}  // namespace pmjit
