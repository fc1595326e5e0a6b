#include "runtime/pmns/preprocessor.h"

#include <fmt/core.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/unit/archive/folder.h"
#include "tests/unit/model/vectors.h"
#include "tests/unit/pmns/without.h"

namespace pmjit::test {
namespace {

TEST(Preprocessor, Vectors) {
  auto rows = read_vectors("pmcpp.tsv");
  // Options are of the tool pmcpp, not of name spaces.
  std::erase_if(rows, [](const VectorRow& row) { return !row[0].empty(); });
  Tally tally("pmcpp.tsv, without options", rows.size());
  const Folder folder;
  folder.write("inc1", "included line\n");
  folder.write("increc", "rec\n#include \"increc\"\n");
  for (const VectorRow& row : rows) {
    folder.write("in", row[1]);
    const Preprocessed made = preprocess(folder.path("in"), *the_system());
    const std::string got = fmt::format("{}|{}|{}", made.sound ? 0 : 1, made.text, made.messages);
    tally.judge(without(got, folder.path("")),
                fmt::format("{}|{}|{}", row[2], row[3], row.size() > 4 ? row[4] : ""), row);
  }
}

Preprocessed preprocessed(std::string_view text) {
  const Folder folder;
  folder.write("in", text);
  Preprocessed made = preprocess(folder.path("in"), *the_system());
  made.text = without(made.text, folder.path(""));
  made.messages = without(made.messages, folder.path(""));
  return made;
}

TEST(Preprocessor, ACommandsOutputIsReadLikeAFile) {
  EXPECT_EQ(preprocessed("#shell \"echo '#define A 3'\"\nA\n").text,
            "# 1 \"in\"\n# 1 \"<shell>\"\n\n# 2 \"in\"\n3\n");
  EXPECT_EQ(preprocessed("#shell 'printf x'\n").text, "# 1 \"in\"\n# 1 \"<shell>\"\n# 2 \"in\"\n");
  EXPECT_EQ(preprocessed("#ifdef X\n#shell \"echo never\"\n#endif\n").text, "# 1 \"in\"\n\n\n\n");
}

TEST(Preprocessor, EachElseTurnsTheCondition) {
  EXPECT_EQ(preprocessed("#ifndef A\na\n#else\nb\n#else\nc\n#endif\n").text,
            "# 1 \"in\"\n\na\n\n\n\nc\n\n");
}

TEST(Preprocessor, IncludedFilesAreFoundBesideTheirFile) {
  const Folder folder;
  folder.write("sub/y", "yy\n");
  folder.write("sub/x", "#include \"y\"\n");
  EXPECT_EQ(without(preprocess(folder.path("sub/x"), *the_system()).text, folder.path("")),
            "# 1 \"sub/x\"\n# 1 \"sub/y\"\nyy\n# 2 \"sub/x\"\n");
  EXPECT_FALSE(preprocess(folder.path("nosuch"), *the_system()).sound);
}

TEST(Preprocessor, WhatMacrosMakeHasALimit) {
  const std::string megabyte(1 << 20, 'x');
  std::string text = "#define M " + megabyte + "\n";
  for (int i = 0; i < 70; ++i) text += "M\n";
  const Preprocessed made = preprocessed(text);
  EXPECT_FALSE(made.sound);
  EXPECT_EQ(made.messages,
            "pmcpp: in[65]: M\npmcpp: Error: Text of more than 64 MB; include less, or shorter "
            "macros\n");
}

}  // namespace
}  // namespace pmjit::test
