// Command lines as PCP's tools read them; the messages are what the tools of 6.0.3 print.
#include "runtime/cmd/options.h"

#include <gtest/gtest.h>

#include <cstdlib>

#include "compiler/compat/registry/derive.h"

namespace pmjit {
namespace {

constexpr OptionRow kRows[] = {
    section("General options"),
    standard(Standard::archive),
    standard(Standard::host),
    standard(Standard::local),
    standard(Standard::start),
    standard(Standard::samples),
    standard(Standard::interval),
    standard(Standard::debug),
    standard(Standard::zone),
    standard(Standard::host_zone),
    without_letter(Standard::version),
    standard(Standard::help),
    section("Reporting options"),
    own('x', "", "", "more of it"),
    own('f', "precision", "N", "digits"),
    own('v', "verify", "", "quietly"),
};
constexpr OptionTable kTable{.usage = "[options] metric", .rows = kRows};

struct Outcome {
  Options options;
  std::string own, messages;  // own: letters with their arguments
  bool over;
};

Outcome read(std::vector<const char*> words, const OptionTable& table = kTable) {
  words.insert(words.begin(), "/usr/bin/tool");
  const auto derived = make_derived_metrics({});
  OptionReader reader(table, static_cast<int>(words.size()), words.data(), *derived);
  Outcome out;
  while (const auto option = reader.next()) {
    out.own += option->row->letter + option->argument + " ";
  }
  out.options = reader.finish();
  out.messages = reader.messages().text();
  out.over = reader.over();
  return out;
}

TEST(Options, OperandsAndOptionsMix) {
  const Outcome out = read({"one", "-xx", "-f3", "two", "--precision=4", "--", "-x"});
  EXPECT_EQ(out.own, "x x f3 f4 ");
  EXPECT_EQ(out.options.operands, (std::vector<std::string>{"one", "two", "-x"}));
  EXPECT_FALSE(out.over);
}

TEST(Options, ALoneDashIsAnOperand) {
  EXPECT_EQ(read({"-", "-x"}).options.operands, std::vector<std::string>{"-"});
}

TEST(Options, PosixStopsAtTheFirstOperand) {
  setenv("POSIXLY_CORRECT", "1", 1);
  const Outcome out = read({"-x", "one", "-x"});
  unsetenv("POSIXLY_CORRECT");
  EXPECT_EQ(out.own, "x ");
  EXPECT_EQ(out.options.operands, (std::vector<std::string>{"one", "-x"}));
}

TEST(Options, LongNamesMayBeCutShort) {
  EXPECT_EQ(read({"--prec", "3"}).own, "f3 ");
  EXPECT_EQ(read({"--verify"}).own, "v ");
  EXPECT_EQ(read({"--ver"}).messages,
            "tool: option '--ver' is ambiguous; possibilities: '--version' '--verify'\n");
  EXPECT_EQ(read({"--h"}).messages,
            "tool: option '--h' is ambiguous; possibilities: '--host' '--help' '--hostzone'\n");
}

TEST(Options, EveryMistakeIsTold) {
  const Outcome out = read({"-kV", "--nosuch=1", "--verify=1", "-s", "x", "--precision"});
  EXPECT_EQ(out.messages,
            "tool: invalid option -- 'k'\n"
            "tool: invalid option -- 'V'\n"
            "tool: unrecognized option '--nosuch=1'\n"
            "tool: option '--verify' doesn't allow an argument\n"
            "tool: -s requires a positive numeric argument\n"
            "tool: option '--precision' requires an argument\n");
  EXPECT_TRUE(out.over);
  EXPECT_EQ(read({"-f"}).messages, "tool: option requires an argument -- 'f'\n");
  EXPECT_EQ(read({"-t", "foo"}).messages,
            "tool: -t argument not in pmParseHighResInterval(3) format:\n"
            "foo\n^ -- unexpected value\n\n");
  EXPECT_EQ(read({"-D", "all,foo"}).messages,
            "tool: unrecognized debug options specification (all,foo)\n");
}

TEST(Options, WhatExcludesEachOther) {
  EXPECT_EQ(read({"-a", "x", "-Z", "UTC", "-z"}).messages,
            "tool: at most one of -Z and -z allowed\n");
  EXPECT_EQ(read({"-a", "x", "-h", "y"}).messages, "tool: only one host or archive allowed\n");
  EXPECT_EQ(read({"-h", "x", "-h", "y"}).messages, "tool: too many hosts requested: y\n");
  EXPECT_EQ(read({"-S", "5"}).messages,
            "tool: time window options are supported for archives only\n");
  EXPECT_EQ(read({"-z"}).messages, "tool: use of timezone from metric source requires a source\n");
}

TEST(Options, ArchivesAreOneContext) {
  const Options options = read({"-a", "x", "-a", "y", "-a", "x"}).options;
  EXPECT_EQ(options.archives, "x,y");
  EXPECT_EQ(options.source, SourceKind::archive);
  EXPECT_EQ(read({"-a", "x", "-L"}).options.source, SourceKind::local);
  EXPECT_EQ(read({}).options.source, std::nullopt);
}

TEST(Options, TheEnvironmentComesFirst) {
  setenv("PCP_ARCHIVE", "first", 1);
  setenv("PCP_SAMPLES", "3", 1);
  const Options options = read({"-a", "second", "-s", "4", "operand"}).options;
  constexpr OptionTable kOperandTable{.usage = "", .rows = kRows, .archive_operand = true};
  const Options of_operand = read({"operand"}, kOperandTable).options;
  unsetenv("PCP_ARCHIVE");
  unsetenv("PCP_SAMPLES");
  EXPECT_EQ(options.archives, "first,second");
  EXPECT_EQ(options.samples, 4);
  EXPECT_EQ(of_operand.archives, "first");
  EXPECT_EQ(of_operand.operands, std::vector<std::string>{"operand"});
  EXPECT_EQ(read({"operand"}, kOperandTable).options.archives, "operand");
  EXPECT_TRUE(read({}, kOperandTable).over);
}

TEST(Options, Usage) {
  constexpr OptionRow kFew[] = {
      section("Options"),          standard(Standard::debug),  standard(Standard::host),
      standard(Standard::zone),    standard(Standard::start),  standard(Standard::name_space),
      standard(Standard::derived), own('L', "", "", "longer"), own('v', "", "FILE", "raw"),
  };
  EXPECT_EQ(usage_text("tool", {.usage = "[options]", .rows = kFew}),
            "Usage: tool [options]\n"
            "\nOptions:\n"
            "  -h HOST, --host=HOST  metrics source is PMCD on host\n"
            "  -Z TZ, --timezone=TZ  set reporting timezone\n"
            "  -S TIME, --start=TIME start of the time window\n"
            "  -n FILE, --namespace=FILE\n"
            "                        use an alternative PMNS\n"
            "  --derived=FILE        load derived metric definitions from FILE(s)\n"
            "  -L                    longer\n"
            "  -v FILE               raw\n");
}

}  // namespace
}  // namespace pmjit
