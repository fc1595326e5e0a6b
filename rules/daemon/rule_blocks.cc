#include "rules/daemon/rule_blocks.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <fnmatch.h>

#include <algorithm>
#include <span>
#include <utility>

#include "compiler/compat/pmie/rule_reader.h"
#include "compiler/strict_rules/rule_file.h"
#include "rules/check/allow.h"
#include "rules/check/rule_check.h"
#include "rules/compat/replay.h"
#include "rules/daemon/engine_times.h"
#include "rules/daemon/rule_keys.h"
#include "rules/daemon_config/config_files.h"
#include "rules/strict/rule_set.h"
#include "runtime/base/near.h"

namespace pmjit {

namespace {

constexpr size_t kRuleFileMost = 64UL << 20;
constexpr Milliseconds kIntervalLeast{100};  // [[hosts]] interval_min, which cannot be set yet

// Nobody is asked about metrics (ReaderOptions::suppose).
class SupposedMetrics final : public pmie::RuleMetrics {
 public:
  Result<uint32_t> source(std::string_view host) override { return host.empty() ? 0U : 1U; }
  std::string host(uint32_t) const override { return {}; }
  std::string title(uint32_t) const override { return {}; }
  OrPmError<PmId> look_up(uint32_t, std::string_view) override { return PmId{}; }
  OrPmError<Desc> describe(uint32_t, PmId) override { return Desc{}; }
  OrPmError<std::vector<Catalog::Instance>> instances(uint32_t, InDomId) override {
    return std::vector<Catalog::Instance>{};
  }
};

class KeptMessages final : public pmie::RuleReader::Messages {
 public:
  void put(std::string_view text) override { text_ += text; }
  void log(std::string_view severity, std::string_view text) override {
    text_ += fmt::format("{}: {}\n", severity, text);
  }
  [[nodiscard]] std::string take() { return std::exchange(text_, {}); }

 private:
  std::string text_;
};

// The files of one block, one after the other: macros and names carry over.
class BlockReader final : private pmie::RuleReader::Watcher {
 public:
  BlockReader(const RulesBlock& block, RuleBlock& out, ConfigProblems& problems)
      : block_(block),
        out_(out),
        problems_(problems),
        delta_(static_cast<double>(block.interval.count()) / 1e3),
        reader_(metrics_, messages_,
                {.program = "pmjit", .delta = delta_, .settings = out.settings, .suppose = true}) {
    reader_.watch(this);
  }

  void read(const std::string& path) {
    auto text = SystemConfigFiles().read(path, kRuleFileMost);
    if (!text) return complain(path, text.error().text() + '\n');
    BlockRuleFile file{.path = path, .text = *std::move(text)};
    const SourceText source{.name = path, .text = file.text};
    Diags diags;
    file.strict = strict::says_strict(source, diags);
    if (diags.has_errors()) return complain(path, render_all(diags, source));
    const bool is_strict = file.strict;
    out_.files.push_back(file);
    is_strict ? read_strict(source) : read_pmie(source);
  }

  void finish() {
    defined_.insert(set_.macros.begin(), set_.macros.end());
    defined_.insert(reader_.defined().begin(), reader_.defined().end());
    for (const auto& setting : out_.settings) {
      const auto known = pmie::check_settings({setting}, defined_);
      if (known) continue;
      problems_
          .add(ProblemCode::out_of_range, block_.place_of("set." + setting.first),
               fmt::format("`set`: {}", known.error().what()))
          .help(known.error().help());
    }
    if (!has_errors_) check_names();
    if (!has_errors_) warn_of_pmie();
  }

 private:
  void complain(const std::string& path, std::string detail) {
    problems_.add(ProblemCode::rule_file, block_.place, path).detail = std::move(detail);
    has_errors_ = true;
  }
  // What the block says of rules that the files have not.
  void check_names() {
    std::ranges::sort(names_);
    const auto twice = std::ranges::unique(names_);
    names_.erase(twice.begin(), twice.end());
    for (const RuleAlertBlock& alert : block_.alerts) check_name(alert.glob, alert.place);
    for (const std::string& glob : block_.enable) {
      check_name(glob, block_.place_of("enable." + glob));
    }
    for (const std::string& glob : block_.disable) {
      check_name(glob, block_.place_of("disable." + glob));
    }
  }
  void check_name(const std::string& glob, const ConfigPlace& place) {
    const auto is_named = [&](const std::string& name) {
      return fnmatch(glob.c_str(), name.c_str(), 0) == 0;
    };
    if (std::ranges::any_of(names_, is_named)) return;
    ConfigProblem& problem = problems_.add(ProblemCode::no_rule, place, glob);
    const std::string near = near_names_text(near_names(glob, names_));
    if (!near.empty()) {
      problem.help(near);
    } else if (!names_.empty()) {
      constexpr size_t kNamed = 10;
      const auto shown = std::span(names_).first(std::min(names_.size(), kNamed));
      problem.help(fmt::format("the rules are {}{}", fmt::join(shown, ", "),
                               names_.size() > kNamed ? ", …" : ""));
    }
  }
  void note(BlockRule rule, double delta) {
    names_.push_back(rule.name);
    std::ranges::copy(rule.alerts, std::back_inserter(names_));
    if (!block_.has_rule(rule.name)) return;
    if (delta * 1e3 < static_cast<double>(kIntervalLeast.count())) {
      problems_
          .add(ProblemCode::out_of_range, block_.place_of("interval"),
               fmt::format("rule {} is due every {} s", rule.name, delta))
          .help(fmt::format("delta is at least {} ms", kIntervalLeast.count()));
    }
    rule.delta = delta;
    out_.shortest_interval = std::min(out_.shortest_interval, delta);
    out_.names.insert(rule.name);
    if (!rule.acts) out_.silent.insert(rule.name);
    out_.rules.push_back(std::move(rule));
  }
  void read_strict(const SourceText& source) {
    const size_t before = set_.rules.size(), told = set_.errors.size();
    const auto added =
        strict::add_rules(set_, source, {.delta = delta_, .settings = out_.settings});
    if (!added) return complain(source.name, added.error().text() + '\n');
    if (set_.errors.size() > told) {
      complain(source.name, set_.errors.substr(told));
    } else {
      warn_of(source, std::span(set_.rules).subspan(before));
    }
    for (size_t i = before; i < set_.rules.size(); ++i) {
      const strict::SetRule& rule = set_.rules[i];
      note({.name = rule.rule.name,
            .alerts = alerts_of(rule.rule),
            .keys = keys_of(rule.rule, source.text),
            .joins_hosts = strict::joins_hosts(rule),
            .acts = rule.rule.acts() || rule.rule.alert.has_value()},
           rule.rule.delta);
      if (rule.rule.alert) note_alert(rule.rule);
    }
  }
  // What `pmjit check` of the file warns of, without what its comments allow.
  void warn_of(const SourceText& source, std::span<const strict::SetRule> rules) {
    Diags diags;
    const bool told = !set_.wrong.empty() && set_.wrong.back().source.name == source.name;
    if (told) diags = set_.wrong.back().diags;
    std::vector<Span> spans;
    for (const strict::SetRule& one : rules) {
      strict::warn_of_until(one.rule, source.text, diags);
      spans.push_back(one.rule.span);
    }
    if (diags.empty()) return;
    warn_of(source, spans, diags);
  }
  void warn_of(const SourceText& source, const std::vector<Span>& statements, const Diags& diags) {
    CheckedFile file{.name = source.name};
    add_findings(source, diags, file);
    silence(source.text, lines_of(source.text, statements), {.comment = "//"}, file);
    std::erase_if(file.findings, [](const Finding& one) { return one.level != Level::warning; });
    if (file.findings.empty()) return;
    std::string& detail =
        problems_.add(ProblemCode::rule_warning, block_.place, source.name).detail;
    for (const Finding& one : file.findings) detail += render(one.diag, one.in->text);
  }
  // When it is true, and how severe, the rule says itself (spec alerting.md §2.4).
  void note_alert(const strict::Rule& rule) {
    if (!block_.has_rule(rule.name)) return;
    out_.alerts[rule.name] = {.terms = *rule.alert, .delta = rule.delta};
    const auto table = std::ranges::find(block_.alerts, rule.name, &RuleAlertBlock::glob);
    if (table == block_.alerts.end()) return;
    const bool says_when =
        table->severity || table->hold_for || table->keep || table->stale || table->unknown;
    if (!says_when) return;
    problems_
        .add(ProblemCode::out_of_range, table->place,
             fmt::format("[rules.alert.\"{}\"] says when a strict alert fires", rule.name))
        .help("its rule says that: severity, for, keep, stale and unknown follow `alert`");
  }
  void read_pmie(const SourceText& source) {
    const auto read = reader_.read(source.text, source.name);
    std::string told = messages_.take();
    if (!read) told += read.error().text() + '\n';
    if (told.empty()) return;
    const std::string shown = errors_of_pmie();
    complain(source.name, shown.empty() ? told : shown);
  }
  // Macros of files before count.
  [[nodiscard]] std::vector<SourceText> files_of_pmie() const {
    std::vector<SourceText> out;
    for (const BlockRuleFile& file : out_.files) {
      if (!file.strict) out.push_back({.name = file.path, .text = file.text});
    }
    return out;
  }
  void warn_of_pmie() {
    const std::vector<SourceText> files = files_of_pmie();
    if (files.empty()) return;
    RuleCheck check({.delta = delta_, .settings = out_.settings, .differences = false});
    if (!check.read(files)) return;
    for (const RuleCheckReport::Text& text : check.report().texts) {
      std::vector<Span> spans;
      for (const auto& statement : text.statements) spans.push_back(statement.span);
      warn_of(text.source, spans, text.diags);
    }
  }
  // As `pmjit check` shows them, of the last file; pmie says less.
  [[nodiscard]] std::string errors_of_pmie() const {
    const std::vector<SourceText> files = files_of_pmie();
    RuleCheck check({.delta = delta_, .settings = out_.settings, .differences = false});
    (void)check.read(files);
    const RuleCheckReport::Text& last = check.report().texts.back();
    Diags errors;
    for (const Diag& diag : last.diags.all()) {
      if (diag.severity == Severity::error) errors.append(diag);
    }
    return errors.empty() ? "" : render_all(errors, last.source);
  }
  void told(Severity, Span, std::string_view) override {}
  void discarded(uint32_t) override {}
  void read(const pmie::RuleProgram& program, const pmie::ReadStatement& statement) override {
    if (!statement.installed) return;
    const pmie::PmieStatement& of = program.statements.back();
    note({.name = of.name,
          .alerts = alerts_of_statement(program, program.statements.size() - 1),
          .keys = keys_of(statement.tokens, of.delta),
          .acts = pmie::kind_of(program.nodes[of.root].op) == pmie::OpKind::rule},
         of.delta);
  }
  [[nodiscard]] static std::vector<std::string> alerts_of_statement(
      const pmie::RuleProgram& program, size_t statement) {
    const pmie::PmieStatement& of = program.statements[statement];
    if (pmie::kind_of(program.nodes[of.root].op) == pmie::OpKind::action) return {};
    const size_t rules = rules_of_set(program, static_cast<uint32_t>(statement));
    if (rules == 0) return {of.name};
    std::vector<std::string> out;
    for (size_t i = 0; i < rules; ++i) out.push_back(name_in_ruleset(of.name, i));
    return out;
  }

  const RulesBlock& block_;
  RuleBlock& out_;
  ConfigProblems& problems_;
  double delta_;
  SupposedMetrics metrics_;
  KeptMessages messages_;
  pmie::RuleReader reader_;
  strict::RuleSet set_;
  pmie::MacroNames defined_;
  std::vector<std::string> names_;  // of rules of the files, those that are disabled, too
  bool has_errors_ = false;         // in a file
};

void add(std::string& out, std::string_view text) {
  out += fmt::format(" {}:{}", text.size(), text);
}

// RuleBlock::engine_key and shapes.
void set_keys(const DaemonConfig& config, const RulesBlock& block, RuleBlock& rules) {
  std::string conditions = config.daemon.zone;  // beside the rule's own
  for (const std::string& file : config.derived.files) {
    add(conditions, file);
    add(conditions, SystemConfigFiles().read(file, kRuleFileMost).value_or(""));
  }
  std::string out =
      fmt::format("{} {} {} {} {} {} {}", block.interval.count(),
                  config.fetch.timeout ? config.fetch.timeout->count() : -1,
                  config.fetch.connect_timeout.count(), config.fetch.backoff.count(),
                  config.fetch.backoff_max.count(), static_cast<int>(config.actions.shell),
                  config.host_down.severity == HostDownSeverity::none);
  add(out, conditions);
  for (const BlockRule& rule : rules.rules) {
    const std::string shape = fingerprint_text(fnv1a(conditions + rule.keys.condition));
    for (const std::string& alert : rule.alerts) rules.shapes.emplace(alert, shape);
  }
  for (const uint32_t host : block.host_ids) {
    add(out, config.hosts[host].name), add(out, config.hosts[host].spec);
  }
  rules.engine_key = std::move(out);
}

}  // namespace

TickPlace RuleBlock::places() const {
  TickPlace out{.part = strict::places_part(
                    std::ranges::any_of(rules, [](const BlockRule& r) { return r.joins_hosts; }))};
  out.most = std::min(out.most, nanos_of(shortest_interval));
  return out;
}

RuleBlock RuleBlock::with(const RuleNames& some) const {
  RuleBlock out = *this;
  std::erase_if(out.rules, [&](const BlockRule& rule) { return !some.contains(rule.name); });
  out.names.clear(), out.shapes.clear();
  for (const BlockRule& rule : out.rules) out.names.insert(rule.name);
  for (const BlockRule& rule : out.rules) {
    for (const std::string& alert : rule.alerts) out.shapes.emplace(alert, shapes.at(alert));
  }
  return out;
}

std::vector<std::string> alerts_of(const strict::Rule& rule) {
  using When = strict::Clause::When;
  if (rule.clauses.front().when == When::always) return {};
  if (!rule.is_ruleset) return {rule.name};
  std::vector<std::string> out;
  for (const strict::Clause& clause : rule.clauses) {
    if (clause.when == When::holds) out.push_back(name_in_ruleset(rule.name, out.size()));
  }
  return out;
}

std::vector<RuleBlock> read_rule_blocks(const DaemonConfig& config, ConfigProblems& problems) {
  std::vector<RuleBlock> out;
  std::vector<ConfigRule> rules;
  for (uint32_t i = 0; i < config.rules.size(); ++i) {
    const RulesBlock& block = config.rules[i];
    RuleBlock& read = out.emplace_back(RuleBlock{.block = i});
    read.shortest_interval = static_cast<double>(block.interval.count()) / 1e3;
    read.settings.insert(block.set.begin(), block.set.end());
    BlockReader reader(block, read, problems);
    for (const std::string& path : block.files) {
      const size_t before = read.rules.size();
      reader.read(path);
      for (size_t k = before; k < read.rules.size(); ++k) {
        const BlockRule& rule = read.rules[k];
        rules.push_back(
            {.block = i, .file = path, .name = rule.name, .joins_hosts = rule.joins_hosts});
      }
    }
    reader.finish();
    set_keys(config, block, read);
  }
  rules_twice(config, rules, problems);
  return out;
}

}  // namespace pmjit
