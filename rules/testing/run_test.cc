#include "rules/testing/run_test.h"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <filesystem>

#include "compiler/compat/pmie/rule_reader.h"
#include "compiler/strict_rules/rule_file.h"
#include "rules/check/rule_check.h"
#include "rules/compat/fetched_elements.h"
#include "rules/compat/replay.h"
#include "rules/compat/sources.h"
#include "rules/strict/archive_feeds.h"
#include "rules/strict/strict_replay.h"
#include "rules/testing/test_file.h"

namespace pmjit {

namespace fs = std::filesystem;

namespace {

// What messages call the rules of a test; lines are counted in the section, so that they stay
// when something above it changes.
constexpr std::string_view kSection = "--- rules";

// What the reader says, a line each.
class TestMessages final : public pmie::RuleReader::Messages {
 public:
  explicit TestMessages(std::vector<std::string>& to) : to_(to) {}
  void put(std::string_view text) override {
    for (std::string& line : cases::split_lines(text)) to_.push_back(std::move(line));
  }
  void log(std::string_view severity, std::string_view text) override {
    put(fmt::format("pmjit: {}: {}\n", severity, text));
  }

 private:
  std::vector<std::string>& to_;
};

std::string from_folder_of(const std::string& test, const std::string& file) {
  return (fs::path(test).parent_path() / file).lexically_normal().string();
}

// The reader refuses to go on at a host that there is not, and at a setting that does not fit.
Result<void> read(pmie::RuleReader& reader, const std::string& text, std::string_view name,
                  const pmie::ArchiveSources& sources) {
  const auto done = reader.read(text, name);
  if (done || done.error().fault() == Fault::usage) return done;
  std::string what = done.error().what();
  while (what.ends_with('\n')) what.pop_back();
  return fail(Error(Fault::not_found, std::move(what))
                  .help(fmt::format("a host behind `:` needs samples; there are those of {}",
                                    fmt::join(sources.hosts(), ", "))));
}

// Of the tag `rules`, and the line where it stands.
std::unexpected<Error> no_rule_file(const RuleTestFile& file, const std::string& name) {
  const std::string_view head = file.file.head;
  const size_t at = std::min(head.find(name), head.size());
  const auto line = 1 + std::ranges::count(head.substr(0, at), '\n');
  return fail(Error(Fault::not_found, fmt::format("no such file: {}", name))
                  .help("`#: rules:` names files of rules from the folder of the test")
                  .at("line", fmt::format("{}", line)));
}

Result<std::vector<RuleText>> texts_of(const RuleTestFile& file, const RuleTest& test) {
  std::vector<RuleText> out;
  for (const std::string& name : file.rule_files) {
    const std::string path = from_folder_of(file.file.path, name);
    std::error_code unknown;
    if (!std::filesystem::exists(path, unknown)) return no_rule_file(file, name);
    auto text = cases::read_text_file(path);
    if (!text) return fail(text.error());
    out.push_back({.name = name, .text = *std::move(text), .file = path, .shown = path});
  }
  if (test.rules != nullptr) {
    out.push_back({.name = std::string(kSection),
                   .text = test.rules->body,
                   .file = {},
                   .shown = file.file.path,
                   .first_line = test.rules->line});
  }
  return out;
}

// All of them, or none: by what the test says, or their pragmas.
Result<bool> are_strict(const RuleTestFile& file, const std::vector<RuleText>& texts) {
  Diags diags;
  size_t strict = 0;
  for (const RuleText& text : texts) {
    const SourceText source{.name = text.name, .text = text.text};
    if (strict::says_strict(source, diags)) ++strict;
    if (diags.has_errors()) return fail(Fault::format, render_all(diags, source));
  }
  if (file.strict || strict == texts.size()) return true;
  if (strict == 0) return false;
  return fail(Error(Fault::format, "some rules are in the strict dialect, others in pmie's")
                  .help("`#: dialect: strict` in the head makes all of them strict"));
}

// Every statement; those that are no rules are taken out when the run is over.
std::vector<RuleSeen> statements(const RuleTestFile& file, const pmie::RuleProgram& program) {
  std::vector<RuleSeen> out;
  for (const pmie::PmieStatement& statement : program.statements) {
    RuleSeen& seen = out.emplace_back();
    seen.name = statement.name;
    const bool in_file =
        std::ranges::find(file.rule_files, statement.file) != file.rule_files.end();
    if (in_file) seen.file = from_folder_of(file.file.path, statement.file);
  }
  return out;
}

void keep_rules(const pmie::RuleProgram& program, std::vector<RuleSeen>& seen) {
  std::vector<RuleSeen> rules;
  for (size_t i = 0; i < seen.size(); ++i) {
    const pmie::PmieNode& root = program.nodes[program.statements[i].root];
    if (pmie::kind_of(root.op) == pmie::OpKind::rule) rules.push_back(std::move(seen[i]));
  }
  seen = std::move(rules);
}

std::vector<RuleSeen> rules_of(const strict::RuleSet& set, const std::vector<RuleText>& texts) {
  std::vector<RuleSeen> out;
  for (const auto& [rule, source] : set.rules) {
    out.push_back({.file = texts[source].file, .name = rule.name});
  }
  return out;
}

bool is_error(const Diag& diag) { return diag.severity == Severity::error; }

// pmie compares a count with 50 Mbyte/sec, and the rule is never true.
bool is_of_unlike_things(const Diag& diag) {
  return diag.severity == Severity::warning && diag.code == DiagCode::D_CompareDimensions;
}

// Of a text, each with its lines.
void add_mistakes(const RuleText& text, const Diags& diags, bool (*wanted)(const Diag&),
                  std::vector<std::string>& to) {
  const SourceText shown{.name = text.shown, .text = text.text, .first_line = text.first_line};
  for (const Diag& diag : diags.all()) {
    if (wanted(diag)) to.push_back(render(diag, shown));
  }
}

// What pmie's messages are about, and what it does not say.
Result<void> find_mistakes(const std::vector<RuleText>& texts, double delta,
                           pmie::ArchiveSources& sources, const RuleTestWorld& world,
                           RuleTestOutcome& out) {
  RuleCheck check({.metrics = &sources,
                   .catalog = &sources.catalog(0),
                   .delta = delta,
                   .settings = world.settings,
                   .differences = false});
  std::vector<SourceText> files;
  for (const RuleText& text : texts) files.push_back({.name = text.name, .text = text.text});
  if (auto done = check.read(files); !done) return fail(done.error());
  const bool is_told = !out.messages.empty();
  for (size_t i = 0; i < texts.size(); ++i) {
    const Diags& diags = check.report().texts[i].diags;
    if (is_told) add_mistakes(texts[i], diags, is_error, out.mistakes);
    add_mistakes(texts[i], diags, is_of_unlike_things, out.unlike);
  }
  return {};
}

RuleTestOutcome refused(const strict::RuleSet& set, const std::vector<RuleText>& texts,
                        const std::vector<Compilation::Report>& wrong, const std::string& errors) {
  RuleTestOutcome out;
  out.macros = set.macros;
  out.messages = cases::split_lines(errors);
  for (const Compilation::Report& report : wrong) {
    const auto of = std::ranges::find(texts, report.source.name, &RuleText::name);
    if (of != texts.end()) add_mistakes(*of, report.diags, is_error, out.mistakes);
  }
  return out;
}

}  // namespace

Result<RuleTestOutcome> run_rule_test(const RuleTestFile& file, const RuleTest& test,
                                      const RuleTestWorld& world) {
  auto hosts = hosts_of(test);
  if (!hosts) return fail(hosts.error());
  const auto texts = texts_of(file, test);
  if (!texts) return fail(texts.error());
  const auto strict = are_strict(file, *texts);
  if (!strict) return fail(strict.error());
  if (*strict) return run_strict_test(*texts, file.delta, *std::move(hosts), world);
  pmie::ArchiveSources sources(world.derived);
  for (TestHosts::Host& host : hosts->hosts) sources.add(std::move(host.archives), host.name);
  RuleTestOutcome out;
  TestMessages messages(out.messages);
  pmie::RuleReader reader(sources, messages,
                          {.program = "pmjit", .delta = file.delta, .settings = world.settings});
  for (const RuleText& text : *texts) {
    if (auto done = read(reader, text.text, text.name, sources); !done) return fail(done.error());
  }
  if (auto done = find_mistakes(*texts, file.delta, sources, world, out); !done) {
    return fail(done.error());
  }
  out.rules = statements(file, reader.program());
  Zone zone("UTC");
  TestEvents events(out);
  Replay replay(reader.program(), sources, zone, hosts->first, events);
  const auto done =
      replay.run(pmie::seconds_of(hosts->first), pmie::seconds_of(hosts->last), world.stop);
  if (!done) return fail(done.error());
  keep_rules(reader.program(), out.rules);
  out.macros = reader.defined();
  return out;
}

Result<RuleTestOutcome> run_strict_test(const std::vector<RuleText>& texts, double delta,
                                        TestHosts hosts, const RuleTestWorld& world) {
  strict::RuleSet set;
  for (const RuleText& text : texts) {
    auto added = strict::add_rules(set, {.name = text.name, .text = text.text},
                                   {.delta = delta, .settings = world.settings});
    if (!added) return fail(added.error());
  }
  if (!set.errors.empty()) return refused(set, texts, set.wrong, set.errors);
  std::deque<ArchivesSource> sources;
  std::vector<const ArchivesSource*> of_hosts;
  std::vector<std::string> names;
  for (TestHosts::Host& host : hosts.hosts) {
    of_hosts.push_back(&sources.emplace_back(std::move(host.archives)));
    names.push_back(host.name);
  }
  const auto feeds = strict::feeds_of(of_hosts);
  std::vector<Compilation::Report> wrong;
  const strict::TaskOptions options{
      .origin = hosts.first,
      .end = hosts.last,
      .zone = Zone("UTC"),
      .definition_files = {world.definitions.begin(), world.definitions.end()},
      .wrong = &wrong};
  const auto replay = strict::StrictReplay::open(set, *feeds, options, names);
  if (!replay) return refused(set, texts, wrong, replay.error().what());
  RuleTestOutcome out;
  out.rules = rules_of(set, texts);
  out.macros = set.macros;
  TestEvents events(out);
  if (auto done = (*replay)->run(events, world.stop); !done) return fail(done.error());
  return out;
}

}  // namespace pmjit
