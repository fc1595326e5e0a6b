#include "rules/testing/run_test.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "compiler/pmie/rule_reader.h"
#include "rules/pmie/readings.h"
#include "rules/pmie/sources.h"
#include "rules/replay/replay.h"
#include "runtime/testing/recorded_archive.h"

namespace pmjit {

namespace {

namespace fs = std::filesystem;

// What messages call the rules of a test; lines are counted in the section, so that they stay
// when something above it changes.
constexpr std::string_view kSection = "--- rules";

// What the reader says, a line each.
class Messages final : public pmie::RuleReader::Messages {
 public:
  explicit Messages(std::vector<std::string>& to) : to_(to) {}
  void put(std::string_view text) override {
    for (std::string& line : cases::split_lines(text)) to_.push_back(std::move(line));
  }
  void log(std::string_view severity, std::string_view text) override {
    put(fmt::format("pmjit: {}: {}\n", severity, text));
  }

 private:
  std::vector<std::string>& to_;
};

class Events final : public EventWriter {
 public:
  explicit Events(RuleTestOutcome& to) : to_(to) {}

  void begin(const ReplaySchema& schema) override { to_.names = schema.rules; }
  void put(const RuleTransition& event) override {
    to_.transitions.push_back(event_line(to_.names[event.rule], event));
    RuleSeen& seen = to_.rules[event.rule];
    seen.was_true |= event.transition.to == RuleTruth::yes;
    seen.was_false |= event.transition.to == RuleTruth::no;
  }
  void put(const RuleAction& event) override {
    to_.actions.push_back(event_line(to_.names[event.rule], event));
  }
  void end(std::span<const RuleState>) override {}

 private:
  RuleTestOutcome& to_;
};

struct Span {
  Stamp first = kStampMax, last = kStampMin;
};

Result<Span> add_hosts(const RuleTest& test, pmie::ArchiveSources& sources) {
  const auto recordings = cases::read_recordings(test.metrics, test.samples);
  if (!recordings) return fail(recordings.error());
  Span span;
  for (const cases::Recording& recording : *recordings) {
    if (recording.records.empty()) {
      return fail(Fault::format, fmt::format("there are no samples of {}", recording.host));
    }
    auto archive = cases::archive_of(recording, Version::v3);
    if (!archive) return fail(archive.error());
    std::vector<std::unique_ptr<Archive>> one;
    one.push_back(*std::move(archive));
    auto archives = Archives::of(std::move(one));
    if (!archives) return fail(archives.error());
    sources.add(*std::move(archives), recording.host);
    span.first = std::min(span.first, recording.records.front().stamp);
    span.last = std::max(span.last, recording.records.back().stamp);
  }
  return span;
}

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

Result<void> read_rules(const RuleTestFile& file, const RuleTest& test,
                        const pmie::ArchiveSources& sources, pmie::RuleReader& reader) {
  for (const std::string& name : file.rule_files) {
    const auto text = cases::read_text_file(from_folder_of(file.file.path, name));
    if (!text) return fail(text.error());
    if (auto done = read(reader, *text, name, sources); !done) return done;
  }
  return test.rules == nullptr ? Result<void>() : read(reader, test.rules->body, kSection, sources);
}

// Every statement; those that are no rules are taken out when the run is over.
std::vector<RuleSeen> statements(const RuleTestFile& file, const pmie::RuleProgram& program) {
  std::vector<RuleSeen> out;
  for (const pmie::Statement& statement : program.statements) {
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
    const pmie::Node& root = program.nodes[program.statements[i].root];
    if (pmie::kind_of(root.op) == pmie::OpKind::rule) rules.push_back(std::move(seen[i]));
  }
  seen = std::move(rules);
}

}  // namespace

Result<RuleTestOutcome> run_rule_test(const RuleTestFile& file, const RuleTest& test,
                                      const RuleTestWorld& world) {
  pmie::ArchiveSources sources(world.derived);
  const auto span = add_hosts(test, sources);
  if (!span) return fail(span.error());
  RuleTestOutcome out;
  Messages messages(out.messages);
  pmie::RuleReader reader(sources, messages,
                          {.program = "pmjit", .delta = file.delta, .settings = world.settings});
  if (auto done = read_rules(file, test, sources, reader); !done) return fail(done.error());
  out.rules = statements(file, reader.program());
  Zone zone("UTC");
  Events events(out);
  Replay replay(reader.program(), sources, zone, span->first, events);
  const auto done =
      replay.run(pmie::seconds_of(span->first), pmie::seconds_of(span->last), world.stop);
  if (!done) return fail(done.error());
  keep_rules(reader.program(), out.rules);
  out.macros = reader.defined();
  return out;
}

}  // namespace pmjit
