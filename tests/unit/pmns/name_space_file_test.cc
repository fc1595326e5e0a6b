#include "runtime/pmns/name_space_file.h"

#include <fmt/core.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <filesystem>

#include "tests/unit/archive/folder.h"
#include "tests/unit/model/vectors.h"
#include "tests/unit/pmns/without.h"

namespace pmjit::test {
namespace {

// "a=1.1.1 b.c=1.1.2", sorted.
std::string names_of(const NameSpaceFile& file) {
  std::vector<std::string> names;
  for (const NamedMetric& leaf : file.leaves) {
    names.push_back(fmt::format("{}={}", leaf.name, pmid_text(leaf.pmid)));
  }
  std::ranges::sort(names);
  std::string out;
  for (const std::string& name : names) out += (out.empty() ? "" : " ") + name;
  return out;
}

TEST(NameSpaceFile, Vectors) {
  auto rows = read_vectors("pmnsfile.tsv");
  // What pmLoadNameSpace() reads without the pre-processor no tool does.
  std::erase_if(rows, [](const VectorRow& row) { return row[1] == "plain"; });
  Tally tally("pmnsfile.tsv, pre-processed", rows.size());
  for (const VectorRow& row : rows) {
    const Folder folder;
    folder.write(row[0], row[2]);
    const NameSpaceFile file = read_name_space(
        folder.path(row[0]), row[1] == "nodup" ? SameMetric::refused : SameMetric::allowed);
    const std::string names = row.size() > 4 ? row[4] : "", said = row.size() > 5 ? row[5] : "";
    tally.judge(fmt::format("{}|{}|{}", status_text(file.code), names_of(file),
                            without(file.preprocessing + file.messages, folder.path(""))),
                fmt::format("{}|{}|{}", row[3], names, said), row);
  }
}

NameSpaceFile of(std::string_view text, SameMetric same = SameMetric::allowed) {
  const Folder folder;
  folder.write("in", text);
  NameSpaceFile file = read_name_space(folder.path("in"), same);
  file.messages = without(file.messages, folder.path(""));
  return file;
}

TEST(NameSpaceFile, LeavesAreInTheOrderOfTheFile) {
  const NameSpaceFile file =
      of("root {\n z 1:1:1\n b\n a 1:1:2\n}\nb.q { y 1:1:3 }\nb { x 1:1:4\n q\n c 1:1:5 }\n");
  std::string names;
  for (const NamedMetric& leaf : file.leaves) names += leaf.name + " ";
  EXPECT_EQ(names, "z b.x b.q.y b.c a ");
}

TEST(NameSpaceFile, EverySubtreeThatIsLostIsNamedTheLastFirst) {
  EXPECT_EQ(of("root {\n}\nb {\n}\nc {\n}\n").messages,
            "Error Parsing ASCII PMNS: Disconnected subtree (\"c\") in name space\n"
            "Error Parsing ASCII PMNS: Disconnected subtree (\"b\") in name space\n");
}

TEST(NameSpaceFile, NumbersThatStandAlone) {
  EXPECT_EQ(names_of(of("root {\n a 7\n b 4294967297:2:3\n c 99999999999999999999:0:1\n}\n")),
            "a=7.*.* b=1.2.3 c=511.0.1");
}

// A last line that does not end is lost to the pre-processor, the brace in it too.
TEST(NameSpaceFile, AGroupThatIsNotClosedIsNotChecked) {
  EXPECT_EQ(of("root {\n a 1:1:1\n a 1:1:1\n}").code, 0);
  EXPECT_NE(of("root {\n a 1:1:1\n a 1:1:1\n}\n").code, 0);
}

TEST(NameSpaceFile, DynamicSubtreesMayShareAnAgent) {
  EXPECT_EQ(of("root {\n a 7:*:*\n b 7:*:*\n}\n", SameMetric::refused).code, 0);
  EXPECT_NE(of("root {\n a 1:2:3\n b 1:2:3\n}\n", SameMetric::refused).code, 0);
}

TEST(NameSpaceFile, PlacesAreThoseOfTheLineMarkers) {
  EXPECT_EQ(of("root\n# 12 \"x\"\n!\n").messages,
            "[x:12] Error Parsing ASCII PMNS: { expected\n    !\n    ^\n");
  EXPECT_EQ(of("root\n# 0 \"x\"\n!\n").messages, "Error Parsing ASCII PMNS: { expected\n");
}

TEST(NameSpaceFile, AFileThatCannotBeOpened) {
  const Folder folder;
  const NameSpaceFile file = read_name_space(folder.path("nosuch"), SameMetric::allowed);
  EXPECT_EQ(file.code, -ENOENT);
  EXPECT_EQ(without(file.messages, folder.path("")),
            "Error Parsing ASCII PMNS: Cannot open \"nosuch\"\n");
}

// A program that is called as the pre-processor would be, and not by a shell.
TEST(NameSpaceFile, AnotherPreprocessor) {
  const Folder folder;
  folder.write("in", "root {\n a 1:1:1 }");
  const auto by = [&](const std::string& program) {
    setenv("PCP_ALT_CPP", program.c_str(), 1);
    NameSpaceFile file = read_name_space(folder.path("in"), SameMetric::allowed);
    unsetenv("PCP_ALT_CPP");
    return file;
  };
  EXPECT_EQ(names_of(by("cat")), "a=1.1.1");
  folder.write("text", "cat $1");
  folder.write("fails", "#!/bin/sh\necho x y\nexit 3");
  folder.write("endless", "#!/bin/sh\nyes root");
  for (const char* const name : {"text", "fails", "endless"}) {
    std::filesystem::permissions(folder.path(name), std::filesystem::perms::owner_all);
  }
  EXPECT_EQ(names_of(by(folder.path("text"))), "a=1.1.1");
  // What is wrong in the text is told before that the program failed.
  EXPECT_EQ(without(by(folder.path("fails")).messages, folder.path("")),
            "[in:1] Error Parsing ASCII PMNS: { expected\n    x y\n      ^\n");
  EXPECT_NE(by(folder.path("endless")).code, 0);
  for (const char* const program : {"false", "cat -n", "", "/nosuch"}) {
    const NameSpaceFile file = by(program);
    EXPECT_NE(file.code, 0) << program;
    EXPECT_EQ(file.messages, "Error Parsing ASCII PMNS: pmcpp returned non-zero exit status\n")
        << program;
  }
}

}  // namespace
}  // namespace pmjit::test
