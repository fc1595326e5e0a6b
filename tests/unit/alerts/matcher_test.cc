// Matchers on labels, as Alertmanager has them.
#include "rules/alerts/matcher.h"

#include <gtest/gtest.h>

namespace pmjit {
namespace {

const AlertLabels kWeb{{"group", "web"}, {"host", "web12"}, {"site", "fra1"}};

struct Match {
  const char* text;
  bool holds;
};

TEST(Matcher, Matches) {
  for (const Match& match : {Match{R"(group="web")", true},
                             {R"(group="we")", false},
                             {R"(group!="web")", false},
                             {R"(group!="db")", true},
                             {R"(host=~"web[0-9]+")", true},
                             {R"(host=~"web1")", false},
                             {R"(host=~"eb12")", false},
                             {R"(host!~"web1")", true},
                             {R"(host=~"db|web12")", true},
                             {R"(host=~"web1|db")", false},
                             {R"(site=~"(fra|ber)[12]")", true},
                             {R"(team="")", true},
                             {R"(team!="")", false},
                             {R"(team=~"")", true},
                             {R"(team=~".+")", false},
                             {R"(group=web)", true},
                             {R"(  group  =  "web"  )", true}}) {
    const auto matcher = read_matcher(match.text);
    ASSERT_TRUE(matcher) << match.text << ": " << matcher.error().what;
    EXPECT_EQ(matcher->matches(kWeb), match.holds) << match.text;
  }
}

TEST(Matcher, ReadsEscapes) {
  const auto dots = read_matcher(R"(alertname=~"disk\\..*")");
  ASSERT_TRUE(dots);
  EXPECT_EQ(dots->value(), R"(disk\..*)");
  EXPECT_TRUE(dots->matches({{"alertname", "disk.failed"}}));
  EXPECT_FALSE(dots->matches({{"alertname", "diskfailed"}}));
  const auto quote = read_matcher(R"(a="x\"y\nz\d")");
  ASSERT_TRUE(quote);
  EXPECT_EQ(quote->value(), "x\"y\nz\\d");
}

TEST(Matcher, PrintsWhatItReads) {
  for (const char* text : {R"(a="b")", R"(a!="")", R"(a=~"b\\.c|\"d\"")", R"(a!~"x\ny")"}) {
    const auto matcher = read_matcher(text);
    ASSERT_TRUE(matcher) << text;
    EXPECT_EQ(matcher->text(), text);
  }
  EXPECT_EQ(read_matcher("a = b c ")->text(), R"(a="b c")");
}

struct Refused {
  std::string text;
  size_t offset;
  const char* what;
};

TEST(Matcher, RefusesWithAPlace) {
  for (const Refused& refused : {Refused{"", 0, "\"\" is not a label name"},
                                 {"group", 5, "no =, !=, =~ or !~ behind the name"},
                                 {"1a=\"b\"", 0, "\"1a\" is not a label name"},
                                 {"a!b", 1, "no =, !=, =~ or !~ behind the name"},
                                 {"a=\"b", 4, "the value has no closing quote"},
                                 {"a=\"b\" c", 5, "text behind the value"},
                                 {"a=~\"(\"", 3, "expression: the ( at character 1 has no )"},
                                 {"a=~\"x)|(y\"", 3, "expression: the ( at character 4 has no )"},
                                 {std::string("a=\"\0\"", 5), 3, "a NUL in a matcher"}}) {
    const auto matcher = read_matcher(refused.text);
    ASSERT_FALSE(matcher) << refused.text;
    EXPECT_EQ(matcher.error().what, refused.what);
    EXPECT_EQ(matcher.error().offset, refused.offset) << refused.text;
    EXPECT_FALSE(matcher.error().help.empty());
  }
}

TEST(Matcher, SeveralMustAllMatch) {
  std::vector<Matcher> matchers;
  EXPECT_TRUE(matches_all(matchers, kWeb));
  matchers.push_back(*read_matcher(R"(group="web")"));
  matchers.push_back(*read_matcher(R"(site=~"fra.*")"));
  EXPECT_TRUE(matches_all(matchers, kWeb));
  matchers.push_back(*read_matcher(R"(host="web1")"));
  EXPECT_FALSE(matches_all(matchers, kWeb));
}

}  // namespace
}  // namespace pmjit
