#include "rules/testing/test_file.h"

#include <fmt/format.h>

#include <algorithm>

#include "runtime/base/near.h"
#include "runtime/testing/case_recording.h"
#include "runtime/text/interval.h"

namespace pmjit {

namespace {

using cases::Section;

struct SectionKind {
  std::string_view title;
  const Section* RuleTest::* of;
};
constexpr SectionKind kKinds[] = {{"metrics", &RuleTest::metrics},
                                  {"samples", &RuleTest::samples},
                                  {"rules", &RuleTest::rules},
                                  {"expect transitions", &RuleTest::transitions},
                                  {"expect actions", &RuleTest::actions},
                                  {"expect alerts", &RuleTest::alerts},
                                  {"expect messages", &RuleTest::messages}};
constexpr std::string_view kTest = "test";
constexpr std::string_view kTags[] = {"run", "rules", "delta", "all", "dialect"};

std::unexpected<Error> wrong(uint32_t line, std::string what, std::string help) {
  return fail(Error(Fault::format, std::move(what))
                  .help(std::move(help))
                  .at("line", fmt::format("{}", line)));
}

Result<void> read_tags(RuleTestFile& to) {
  for (const auto& [tag, value] : to.file.tags) {
    if (std::ranges::find(kTags, tag) == std::end(kTags)) {
      return wrong(to.file.tag_line(tag), fmt::format("a test of rules has no tag `{}`", tag),
                   "there are run, rules, delta, all and dialect");
    }
  }
  to.rule_files = cases::split_words(to.file.tag("rules", ""));
  const std::string all = to.file.tag("all", "off");
  if (all != "on" && all != "off") {
    return wrong(to.file.tag_line("all"), fmt::format("`all` is not `{}`", all),
                 "write `#: all: on`, or leave the line out");
  }
  to.all = all == "on";
  const std::string dialect = to.file.tag("dialect", "");
  if (!dialect.empty() && dialect != "strict" && dialect != "pmie") {
    const std::string near = near_names_text(near_names(dialect, {"strict", "pmie"}));
    return wrong(to.file.tag_line("dialect"), fmt::format("there is no dialect `{}`", dialect),
                 near.empty() ? "`dialect` is pmie or strict" : near);
  }
  to.strict = dialect == "strict";
  if (!to.file.tags.contains("delta")) return {};
  const auto delta = parse_interval_seconds(to.file.tag("delta", ""));
  if (!delta || !(*delta > 0)) {
    return wrong(to.file.tag_line("delta"),
                 fmt::format("`delta` is not `{}`", to.file.tag("delta", "")),
                 "write a time above 0, as in 10 sec or 1 min");
  }
  to.delta = *delta;
  return {};
}

Result<void> put_section(const Section& section, RuleTest& test) {
  const auto kind = std::ranges::find(kKinds, section.title, &SectionKind::title);
  if (kind == std::end(kKinds)) {
    std::vector<std::string> titles = {std::string(kTest)};
    for (const SectionKind& one : kKinds) titles.emplace_back(one.title);
    const std::string near = near_names_text(near_names(section.title, titles));
    return wrong(section.line - 1,
                 fmt::format("a test of rules has no section `{}`{}{}", section.title,
                             near.empty() ? "" : "; ", near),
                 "there are test, metrics, samples, rules, expect transitions, expect actions, "
                 "expect alerts and expect messages");
  }
  test.*(kind->of) = &section;
  return {};
}

Result<void> check_tests(const RuleTestFile& file) {
  for (const RuleTest& test : file.tests) {
    const auto same = std::ranges::find(file.tests, test.name, &RuleTest::name);
    if (&*same != &test) {
      return wrong(test.line, fmt::format("there are two tests `{}`", test.name),
                   "names tell tests apart");
    }
    if (test.rules == nullptr && file.rule_files.empty()) {
      return wrong(test.line, "there are no rules",
                   "add a section `rules`, or `#: rules: FILE…` to the head");
    }
    if (test.metrics == nullptr) {
      return wrong(test.line, "the test has no section metrics",
                   "add `--- metrics`, and a line for each metric: disk.read u64 counter count");
    }
    if (test.samples == nullptr) {
      return wrong(test.line, "there are no samples",
                   "add `--- samples every 10s`, and a line for each series: disk.read 0+10x3");
    }
    if (!test.expects()) {
      return wrong(test.line, "nothing is expected",
                   "add a section `expect transitions`, empty, and run pmjit test --update");
    }
  }
  return {};
}

// A series that is given twice: one of the two lines would say nothing.
Result<void> check_series(const cases::CaseRecording& recording) {
  for (const cases::SampleRecord& record : recording.records) {
    for (const cases::CaseValueSet& set : record.sets) {
      for (size_t i = 1; i < set.values.size(); ++i) {
        const cases::CaseValue &value = set.values[i], &before = set.values[i - 1];
        if (value.instance != before.instance) continue;
        return wrong(std::max(value.line, before.line),
                     fmt::format("a second value of {} for {}", recording.metrics[set.metric].name,
                                 cases::time_text(record.stamp)),
                     fmt::format("line {} has one already; leave one of the two out",
                                 std::min(value.line, before.line)));
      }
    }
  }
  return {};
}

// The lines of the head up to the first section.
std::vector<std::string> head_lines(std::string_view text) {
  const size_t first = text.starts_with("--- ") ? 0 : text.find("\n--- ");
  return cases::split_lines(text.substr(0, first));
}

}  // namespace

bool is_rule_test(std::string_view text) {
  return std::ranges::any_of(head_lines(text), [](const std::string& line) {
    const auto words = cases::split_words(line);
    return words.size() == 3 && words[0] == "#:" && words[1] == "run:" && words[2] == "rules";
  });
}

Result<RuleTestFile> read_rule_tests(const std::string& path, std::string_view text) {
  auto file = cases::parse_case(path, text);
  if (!file) return fail(file.error());
  RuleTestFile out;
  out.file = *std::move(file);
  if (auto done = read_tags(out); !done) return fail(done.error());
  RuleTest common{.name = out.file.sentence};
  for (const Section& section : out.file.sections) {
    if (section.title == kTest) {
      if (section.arguments.empty()) {
        return wrong(section.line - 1, "this test has no name", "write `--- test NAME`");
      }
      if (out.tests.empty() && common.expects()) {
        return wrong(section.line - 1, "something is expected before the first test",
                     "expectations are those of one test: move them behind its line");
      }
      out.tests.push_back(common);
      out.tests.back().name = section.arguments;
      out.tests.back().line = section.line - 1;
      continue;
    }
    auto done = put_section(section, out.tests.empty() ? common : out.tests.back());
    if (!done) return fail(done.error());
  }
  out.one = out.tests.empty();
  if (out.one) out.tests.push_back(common);
  if (auto done = check_tests(out); !done) return fail(done.error());
  return out;
}

Result<TestHosts> hosts_of(const RuleTest& test) {
  const auto recordings = cases::read_recordings(test.metrics, test.samples);
  if (!recordings) return fail(recordings.error());
  TestHosts out;
  for (const cases::CaseRecording& recording : *recordings) {
    if (recording.records.empty()) {
      return fail(Fault::format, fmt::format("there are no samples of {}", recording.host));
    }
    if (auto once = check_series(recording); !once) return fail(once.error());
    auto archive = cases::archive_of(recording, Version::v3);
    if (!archive) return fail(archive.error());
    std::vector<std::unique_ptr<Archive>> one;
    one.push_back(*std::move(archive));
    auto archives = Archives::of(std::move(one));
    if (!archives) return fail(archives.error());
    out.hosts.push_back({.name = recording.host, .archives = *std::move(archives)});
    out.first = std::min(out.first, recording.records.front().stamp);
    out.last = std::max(out.last, recording.records.back().stamp);
  }
  return out;
}

}  // namespace pmjit
