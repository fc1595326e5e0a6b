// Help texts: which record counts, and what stands in for an absent one (seen with the real
// library).
#include "runtime/archive/reader/metadata.h"

#include <gtest/gtest.h>

#include "tests/unit/archive/meta_file.h"

namespace pmjit::test {
namespace {

constexpr auto kOneLine = TextKind::one_line, kHelp = TextKind::help;
constexpr auto kMetric = TextOf::metric, kInDom = TextOf::indom;

TEST(Texts, TheLastRecordOfAKindCounts) {
  const MetaFile file = MetaFile()
                            .desc({"m"}, 1)
                            .text(5, 1, "one")
                            .text(6, 1, "long")
                            .text(5, 1, "another")
                            .text(9, 1, "of a domain")
                            .text(7, 1, "of both kinds at once")
                            .text(0x105, 1, "of a kind that is none");
  const Metadata metadata = file.metadata();
  EXPECT_EQ(metadata.texts.find(kOneLine, kMetric, 1), "another");
  EXPECT_EQ(metadata.texts.find(kHelp, kMetric, 1), "long");
  EXPECT_EQ(metadata.texts.find(kOneLine, kInDom, 1), "of a domain");
  EXPECT_EQ(metadata.texts.find(kHelp, kInDom, 1), std::nullopt);
  EXPECT_EQ(metadata.texts.idents(kMetric), std::vector<uint32_t>{1});
}

TEST(Texts, AOneLineTextStandsInForALongOne) {
  const MetaFile file = MetaFile()
                            .desc({"m"}, 1)
                            .text(5, 1, "one")
                            .text(6, 2, "")
                            .text(5, 2, "two")
                            .text(6, 3, "three")
                            .text(10, 4, "domain");
  const Metadata metadata = file.metadata();
  const auto look_up = [&](TextKind kind, TextOf of, uint32_t ident) {
    return metadata.texts.look_up(kind, of, ident);
  };
  EXPECT_EQ(look_up(kHelp, kMetric, 1), "one");
  EXPECT_EQ(look_up(kHelp, kMetric, 2), "two");
  EXPECT_EQ(look_up(kHelp, kMetric, 3), "three");
  EXPECT_EQ(look_up(kOneLine, kMetric, 3), std::unexpected(pm_err::E_TEXT));
  EXPECT_EQ(look_up(kHelp, kMetric, 9), std::unexpected(pm_err::E_TEXT));
  EXPECT_EQ(look_up(kHelp, kInDom, 4), "domain");
  EXPECT_EQ(look_up(kOneLine, kInDom, 4), std::unexpected(pm_err::E_NOTHOST));
}

}  // namespace
}  // namespace pmjit::test
