// What the strict dialect refuses: by which code, and with which words.
#include <set>

#include "tests/unit/parse/lines.h"

namespace pmjit {
namespace {

// \0 and \xNN of a data file.
std::string with_bytes(const std::string& text) {
  std::string out;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text.compare(i, 2, "\\0") == 0)
      out += '\0', ++i;
    else if (text.compare(i, 2, "\\x") == 0)
      out += static_cast<char>(std::stoi(text.substr(i + 2, 2), nullptr, 16)), i += 3;
    else
      out += text[i];
  }
  return out;
}

TEST(Refused, ByTheCodeThatTheFileSays) {
  for (const std::string& line : data_lines("refused.txt")) {
    const Parsed parsed(with_bytes(line.substr(4)));
    EXPECT_EQ(parsed.code(), line.substr(0, 3)) << line << "\n" << parsed.said();
    for (const Diag& diag : parsed.diags.all()) {
      EXPECT_LE(diag.span.begin, diag.span.end) << line;
      EXPECT_LE(diag.span.end, parsed.source.text.size()) << line;
    }
  }
}

// Every code of the parser occurs in refused.txt, in the definition files of definitions_test.cc,
// in bounds_test.cc
// or, of the values of a sweep, in sweep_values_test.cc and the cases.
TEST(Refused, EveryCodeOfTheTextIsCovered) {
  std::set<std::string> codes{"P04", "P05", "P09", "P10", "P11", "P13", "P14", "P15", "P16"};
  codes.insert({"P17", "P18"});  // of rules
  for (const std::string& line : data_lines("refused.txt")) codes.insert(line.substr(0, 3));
  for (const std::string code : {"P01", "P02", "P03", "P06", "P07", "P08", "D02", "D03", "D04",
                                 "D05", "D08", "D11", "D12", "D32", "D33"})
    EXPECT_TRUE(codes.contains(code)) << code;
#define DIAG(name, code, severity, text) \
  EXPECT_TRUE((code)[0] != 'P' || codes.contains(code)) << (code);
#include "compiler/diag/diag.def"
#undef DIAG
}

struct Golden {
  std::string text, said;
};

TEST(Refused, InTheseWords) {
  const std::vector<Golden> all{
      {"avrage(disk.read) + 1", R"(error[P01]: syntax error: there is no function avrage
  --> <expression>:1:7
   |
 1 | avrage(disk.read) + 1
   | ------^
   | |
   | not a function
   = help: did you mean avg?
)"},
      {"a = b", R"(error[P01]: syntax error: found '=', expected an operator
  --> <expression>:1:3
   |
 1 | a = b
   |   ^
   = help: write == to compare; a definition stands in a file, which -c FILE reads
)"},
      {"sum(a + b",
       R"(error[P01]: syntax error: found the end of the expression, expected an operator or )
  --> <expression>:1:10
   |
 1 | sum(a + b
   |    -     ^
   |    |
   |    opened here
)"},
      {"1 +",
       "error[P01]: syntax error: found the end of the expression, expected a metric name, a "
       "number, "
       "a function or (\n"
       R"(  --> <expression>:1:4
   |
 1 | 1 +
   |    ^
)"},
      {"a > 1 || b > 2 && c", R"(error[D02]: && and || have one precedence here; add parentheses
  --> <expression>:1:7
   |
 1 | a > 1 || b > 2 && c
   |       ^^       -- beside this &&
   = help: write a > 1 || (b > 2 && c) to mean what C does
   = help: or (a > 1 || b > 2) && c to mean what PCP does
)"},
      {"fs[/dev/sda", R"(error[P03]: unterminated instance name
  --> <expression>:1:3
   |
 1 | fs[/dev/sda
   |   ^
   = help: an instance name ends with ]; a ] inside of it is written \]
)"},
      {"", R"(error[P01]: syntax error: the expression is empty
  --> <expression>:1:1
   |
 1 |
   | ^
   = help: write a metric name, a number or a function, such as rate(disk.dev.read)
)"},
  };
  for (const Golden& golden : all) EXPECT_EQ(Parsed(golden.text).said(), golden.said);
}

TEST(Refused, NumbersAndArgumentsInTheseWords) {
  const std::vector<Golden> all{
      {"5sec", R"(error[P01]: syntax error: found 'sec', expected an operator or the end
  --> <expression>:1:2
   |
 1 | 5sec
   |  ^^^
   = help: a number with units is written mkconst(5, units="sec")
)"},
      {"x > 5 count / sec",
       R"(error[P01]: syntax error: found 'count', expected an operator or the end
  --> <expression>:1:7
   |
 1 | x > 5 count / sec
   |       ^^^^^
   = help: a number with units is written mkconst(5, units="count / sec")
)"},
      {"5 count/rate(x)",
       R"(error[P01]: syntax error: found 'count', expected an operator or the end
  --> <expression>:1:3
   |
 1 | 5 count/rate(x)
   |   ^^^^^
   = help: a number with units is written mkconst(5, units="count")
)"},
      {"0x10", R"(error[P01]: syntax error: found 'x10', expected an operator or the end
  --> <expression>:1:2
   |
 1 | 0x10
   |  ^^^
   = help: there are no hexadecimal numbers
)"},
      {"0b1", R"(error[P01]: syntax error: found 'b1', expected an operator or the end
  --> <expression>:1:2
   |
 1 | 0b1
   |  ^^
   = help: two values need an operator between them
)"},
      {"mkconst(- 5, type=32) + 1",
       R"(error[P01]: syntax error: found '-', expected a number without sign
  --> <expression>:1:9
   |
 1 | mkconst(- 5, type=32) + 1
   |         ^
   = help: write -mkconst(5, type=32)
)"},
      {"mkconst(-a)", R"(error[P01]: syntax error: found '-', expected a number without sign
  --> <expression>:1:9
   |
 1 | mkconst(-a)
   |         ^
   = help: write -mkconst(1, type=double)
)"},
      {"matchinst(/a/ b)",
       R"(error[P01]: syntax error: found 'b', expected a comma and an expression
  --> <expression>:1:15
   |
 1 | matchinst(/a/ b)
   |               ^
   = help: write matchinst(/pattern/, expression)
)"},
  };
  for (const Golden& golden : all) EXPECT_EQ(Parsed(golden.text).said(), golden.said);
}

TEST(Refused, PatternsThatTakeTooMuchInTheWordsOfRegcomp) {
  EXPECT_TRUE(Parsed("matchinst(/((a{255}){255}){255}/, x)")
                  .said()
                  .starts_with(R"(error[P07]: regular expression: Memory exhausted
  --> <expression>:1:11
   |
 1 | matchinst(/((a{255}){255}){255}/, x)
   |           ^^^^^^^^^^^^^^^^^^^^^^
)"));
}

// A refusal that shows a way to write it shows one that is accepted.
TEST(Refused, TheWayOutIsAccepted) {
  int shown = 0;
  for (const std::string& line : data_lines("refused.txt")) {
    if (line[0] != 'D' || line.starts_with("D12") || line.starts_with("D32") ||
        line.starts_with("D33"))
      continue;
    const Parsed parsed(line.substr(4));
    for (std::string help : parsed.diags.all().front().helps) {
      help = help.substr(0, help.find(" to mean what"));
      help = help.substr(0, help.find(" if zero"));
      help = help.substr(help.find(' ') + 1);
      EXPECT_TRUE(Parsed(help).ast) << line << "\n" << Parsed(help).said();
      ++shown;
    }
  }
  EXPECT_GT(shown, 20);
}

TEST(Refused, AllMistakesOfAnExpressionAreListed) {
  const Parsed parsed("type + (a || b && c) + mkconst(1, typ=3)");
  EXPECT_EQ(parsed.diags.all().size(), 3u) << parsed.said();
}

TEST(Refused, SuggestsFunctions) {
  EXPECT_NE(Parsed("maximum(x)").said().find("did you mean max?"), std::string::npos);
  EXPECT_NE(Parsed("Rate(x)").said().find("did you mean rate?"), std::string::npos);
  EXPECT_NE(Parsed("mkconts(1, type=32)").said().find("did you mean mkconst?"), std::string::npos);
  EXPECT_EQ(Parsed("frobnicate(x)").said().find("anon"), std::string::npos);
}

}  // namespace
}  // namespace pmjit
