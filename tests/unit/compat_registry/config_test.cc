// Definition files: every mistake of a line as PCP 6.0.3 tells it, path lists, folders. Source:
// spec derived-metrics.md §6; data/lines.said is what pminfo 6.0.3 says of data/lines.conf.
#include <gtest/gtest.h>

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <sstream>

#include "tests/unit/archive/folder.h"
#include "tests/unit/compat_registry/loaded.h"

namespace pmjit::test {
namespace {

std::string content(const std::string& name) {
  std::ostringstream out;
  out << std::ifstream(std::string(DERIVE_DATA) + "/" + name).rdbuf();
  return out.str();
}

TEST(ConfigFile, EveryMistakeOfALine) {
  Loaded six;
  EXPECT_EQ(
      ConfigFile("lines.conf", content("lines.conf"), six.registry, six.controls, six.say).read(),
      4);
  EXPECT_EQ(six.said(), content("lines.said"));
  EXPECT_EQ(six.registry.find("t.a")->one_line, "first text");
  EXPECT_EQ(six.registry.find("t.a")->help, "a\nbc \"q\" \\ d");
  EXPECT_EQ(six.registry.find("t.b")->help, "x");
  EXPECT_EQ(six.registry.find("t.c")->one_line, "z");
  EXPECT_NE(six.registry.find("a.b."), nullptr);
}

// The same, but for the lines that texts in quotes take.
TEST(ConfigFile, TheNewerCountsLinesOtherwise) {
  Loaded seven(Dialect::pcp7);
  EXPECT_EQ(seven.read("a = 1\na(helptext) = \"x\ny\nz\" rest\nb = +\nb(oneline) = 'x\ny\n"), 1);
  EXPECT_EQ(seven.said(),
            "[F:2] Warning: pmLoadDerivedConfig: extra text (rest) after attribute value will be "
            "ignored\n"
            "[F:5] Error: pmRegisterDerived(b, ...) syntax error\n +\n ^\n"
            "Unexpected initial '+'\n"
            "[F:6] Error: pmLoadDerivedConfig: missing termination (') for value\n");
}

TEST(ConfigFile, ALastLineWithoutItsNewlineIsNone) {
  Loaded six;
  EXPECT_EQ(six.read("a = 1\nb = 2"), 1);
  EXPECT_EQ(six.read(""), 0);
  EXPECT_EQ(six.read("c = +"), 0);
  EXPECT_EQ(six.said(), "");
}

TEST(ConfigFile, CarriageReturnsAreWhiteSpace) {
  Loaded six;
  EXPECT_EQ(six.read("t.x = 8\n\rt.y = 9\n\r\nt.z = 1\r\n"), 3);
  EXPECT_EQ(six.said(),
            "[F:3] Error: pmLoadDerivedConfig: missing ``='' after derived metric name\n\r\n");
}

TEST(ConfigFile, TheFirstDefinitionOfANameStays) {
  Loaded six;
  EXPECT_EQ(six.read("a = 1\n"), 1);
  const PmId pmid = six.registry.find("a")->pmid;
  EXPECT_EQ(six.read("a = 2\nevent.flags = 3\n"), 0);
  EXPECT_EQ(six.said(),
            "[F:1] Error: pmRegisterDerived(a, ...) syntax error\n 2\n ^\nDuplicate global derived "
            "metric name\n"
            "[F:2] Error: pmRegisterDerived(event.flags, ...) syntax error\n 3\n ^\nDuplicate "
            "global derived metric name\n");
  EXPECT_EQ(six.registry.find("a")->pmid, pmid);
}

TEST(ConfigFile, TextsOfMetricsThatAreAlwaysThereAreSet) {
  Loaded six;
  (void)six.read("event.flags(oneline) = x\n");
  EXPECT_EQ(six.said(),
            "[F:1] Error: pmLoadDerivedConfig: duplicate value for attribute (oneline) of metric "
            "(event.flags)\nevent.flags(oneline) = x\n");
}

TEST(ConfigFile, ValuesOfAttributes) {
  Loaded six;
  EXPECT_EQ(six.read("a = 1\na(oneline) = \"\"\na(helptext)='it\\'s = \"so\"'\n"
                     "b = 1\nb(oneline) =  two  words  \nb(helptext) = \"\\\nx\\\n\"\nc = 3\n"),
            3);
  EXPECT_EQ(six.said(), "");
  EXPECT_EQ(six.registry.find("a")->one_line, "");
  EXPECT_EQ(six.registry.find("a")->help, "it's = \"so\"");
  EXPECT_EQ(six.registry.find("b")->one_line, "two  words  ");
  EXPECT_EQ(six.registry.find("b")->help, "x");
}

// A quote alone is no value, and the lines behind it are lines.
TEST(ConfigFile, AQuoteAtTheEndOfALineOpensNothing) {
  for (const Dialect dialect : {Dialect::pcp6, Dialect::pcp7}) {
    Loaded loaded(dialect);
    EXPECT_EQ(loaded.read("a = 1\na(helptext) = \"\nfoo\"\nb = 2\na(helptext) =  '\nc = 3\n"), 3);
    EXPECT_EQ(loaded.said(),
              "[F:2] Error: pmLoadDerivedConfig: attribute value missing\na(helptext) = \"\n"
              "[F:3] Error: pmLoadDerivedConfig: missing ``='' after derived metric name\nfoo\"\n"
              "[F:5] Error: pmLoadDerivedConfig: attribute value missing\na(helptext) =  '\n");
    EXPECT_EQ(loaded.registry.find("a")->help, std::nullopt);
    EXPECT_EQ(loaded.read("b(helptext) = \" \nfoo\"\n"), 0);
    EXPECT_EQ(loaded.said(), "");
    EXPECT_EQ(loaded.registry.find("b")->help, " \nfoo");
  }
}

class ConfigPaths : public testing::Test {
 protected:
  std::string at(const std::string& name) { return folder.path(name); }
  std::string loaded(const std::string& path, Missing missing) {
    const auto count = six.loader.load(path, missing);
    return count ? std::to_string(*count) : "error " + std::to_string(count.error());
  }
  Folder folder;
  Loaded six;
};

TEST_F(ConfigPaths, ListsOfFilesAndFolders) {
  folder.write("one.conf", "a = 1\nb = 2\n");
  folder.write("d/two.conf", "c = 3\n");
  folder.write("d/deep/er/three", "d = 4\n");
  folder.write("d/.hidden", "e = 5\n");
  EXPECT_EQ(loaded(at("one.conf") + ":" + at("d"), Missing::refused), "5");
  for (const char* name : {"a", "b", "c", "d", "e"}) EXPECT_NE(six.registry.find(name), nullptr);
  EXPECT_EQ(six.said(), "");
}

TEST_F(ConfigPaths, WhatCannotBeReadIsRefusedOrPassedOver) {
  folder.write("one.conf", "a = 1\n");
  folder.write("two.conf", "b = 1\n");
  const std::string list = at("one.conf") + ":" + at("none") + ":" + at("two.conf");
  EXPECT_EQ(loaded(list, Missing::refused), "error " + std::to_string(-ENOENT));
  EXPECT_NE(six.registry.find("a"), nullptr);
  EXPECT_EQ(six.registry.find("b"), nullptr);
  EXPECT_EQ(loaded(at("none") + "::" + at("two.conf"), Missing::skipped), "1");
  EXPECT_EQ(six.said(), "");
}

TEST_F(ConfigPaths, EmptyParts) {
  folder.write("one.conf", "a = 1\n");
  EXPECT_EQ(loaded("", Missing::refused), "0");
  EXPECT_EQ(loaded(at("one.conf") + ":", Missing::refused), "1");
  EXPECT_EQ(loaded("::", Missing::refused), "error " + std::to_string(-ENOENT));
  EXPECT_EQ(loaded("::", Missing::skipped), "0");
  EXPECT_EQ(loaded("/dev/null", Missing::refused), "0");
}

}  // namespace
}  // namespace pmjit::test
