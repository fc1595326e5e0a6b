#include "rules/daemon/alert_tables.h"

#include "rules/strict/alert_reading.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <set>

namespace pmjit {

namespace {

constexpr size_t kTextMost = 4'096;

// Layer over layer.
AlertLabels joined(AlertLabels under, const AlertLabels& over) {
  for (const auto& [name, value] : over) under.insert_or_assign(name, value);
  return under;
}

std::string severity_label(const DaemonConfig& config, std::string_view severity) {
  const auto said = config.alerts.severity_label.find(severity);
  return said == config.alerts.severity_label.end() ? std::string(severity) : said->second;
}

AlertLabels labels_of(const DaemonConfig& config, const RulesBlock& block, const AlertLabels& rule,
                      const ConfigHost* host, const AlertKey& key, AlertSeverity severity) {
  const AlertLabels none;
  const bool of_instance = !key.instance.empty();
  return alert_labels({.global = config.alerts.labels,
                       .host = host == nullptr ? none : host->labels,
                       .binding = block.labels,
                       .rule = rule},
                      {.rule = key.rule,
                       .host = host == nullptr ? "" : host->name,
                       .instance = of_instance ? std::optional(key.instance) : std::nullopt,
                       .severity = severity_label(config, alert_severity_text(severity)),
                       .label_host = config.alerts.label_host,
                       .label_instance = config.alerts.label_instance});
}

// What the rule says stands in the place of the table's; texts and labels of the table go before
// those of the rule.
RuleAlertBlock with_terms(RuleAlertBlock table, const BlockAlert& said) {
  const strict::AlertTerms& terms = said.terms;
  table.severity = strict::alert_severity(terms.severity);
  table.unknown.reset();
  if (terms.unknown) table.unknown = strict::alert_severity(*terms.unknown);
  table.labels = joined(terms.labels, table.labels);
  return table;
}

std::string found_in(const AlertLabels& texts, std::string_view name, std::string_view otherwise) {
  const auto found = texts.find(name);
  return found == texts.end() ? std::string(otherwise) : found->second;
}

// A number with so many digits behind the point; other texts as they are.
std::string with_digits(const std::string& text, std::optional<int> digits) {
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool is_number = error == std::errc() && end == text.data() + text.size();
  return digits && is_number ? fmt::format("{:.{}f}", number, *digits) : text;
}

// Of a name in braces.
std::string note_text(std::string_view in_braces, const TextFacts& facts) {
  const auto name = strict::note_name(in_braces);
  if (!name) return {};
  switch (name->kind) {
    using enum strict::NoteName::Kind;
    case rule: return facts.rule;
    case severity: return facts.severity;
    case since: return facts.since;
    case held: return facts.held;
    case reason: return facts.reason;
    case label: return found_in(facts.labels, name->name, "");
    case value: return with_digits(facts.value, name->digits);
    case macro: return with_digits(found_in(facts.values, name->name, "unknown"), name->digits);
  }
  return {};
}

// Of a word of the text at `whole`; all of that, where escapes write the word in another way.
ConfigPlace place_within(ConfigPlace whole, const std::string& word,
                         const ConfigProblems& problems) {
  const size_t at = problems.source(whole.source).text.find(word, whole.span.begin);
  if (at == std::string::npos || at + word.size() > whole.span.end) return whole;
  const auto begin = static_cast<uint32_t>(at);
  return {whole.source, {begin, begin + static_cast<uint32_t>(word.size())}};
}

// `name`: of the table, in RulesBlock::places.
void check_notes(const AlertLabels& notes, const RulesBlock& block, const std::string& name,
                 ConfigProblems& problems) {
  for (const auto& [note, text] : notes) {
    const auto wrong = strict::note_mistake(text, strict::NoteHome::configuration);
    if (!wrong) continue;
    const std::string meant = wrong->meant.empty() ? "" : "; " + wrong->meant;
    const ConfigPlace whole = block.place_of(fmt::format("{}.{}", name, note));
    problems
        .add(ProblemCode::out_of_range, place_within(whole, wrong->written, problems),
             fmt::format("annotation `{}`: {}{}", note, wrong->message, meant))
        .help(wrong->help);
  }
}

}  // namespace

std::string AlertTable::severity() const {
  const auto found = labels.find("severity");
  return found == labels.end() ? "" : found->second;
}

AlertTable alert_table(const DaemonConfig& config, const RulesBlock& block, const AlertKey& key,
                       const ConfigHost* host, const BlockAlert* said) {
  const auto found = block.alert_of(key.rule);
  const bool is_wanted = found || said != nullptr;
  RuleAlertBlock rule = found.value_or(RuleAlertBlock{});
  if (said != nullptr) rule = with_terms(std::move(rule), *said);
  const AlertSeverity severity = rule.severity.value_or(AlertSeverity::warning);
  AlertTable out{.is_wanted = is_wanted, .zone = config.daemon.zone};
  out.rule.levels = {{.severity = severity, .hold_for = rule.hold_for.value_or(Milliseconds(0))}};
  out.rule.life.keep = rule.keep.value_or(config.alerts.keep);
  out.rule.life.stale = rule.stale.value_or(config.alerts.stale);
  AlertLabels notes = block.annotations;
  if (said != nullptr) {
    out.rule = strict::alert_rule(said->terms, said->delta,
                                  {.keep = config.alerts.keep, .stale = config.alerts.stale});
    notes = joined(std::move(notes), said->terms.notes);
    for (const auto& [name, value] : said->terms.values) {
      if (!value.ast) out.constants.emplace(name, value.constant);
    }
  }
  out.labels = labels_of(config, block, rule.labels, host, key, severity);
  out.notes = joined(std::move(notes), rule.annotations);
  out.tells_unknown = rule.unknown.has_value();
  if (rule.unknown) {
    out.unknown_labels = labels_of(config, block, rule.labels, host, key, *rule.unknown);
    out.unknown_labels["unknown"] = "true";
  }
  if (is_wanted) out.sinks = rule.notify ? *rule.notify : routed_sinks(config, out.labels);
  return out;
}

AlertTable host_down_table(const DaemonConfig& config, const ConfigHost& host) {
  const auto severity = config.host_down.severity;
  AlertTable out{.is_wanted = severity != HostDownSeverity::none, .zone = config.daemon.zone};
  if (!out.is_wanted) return out;
  const auto level = static_cast<AlertSeverity>(severity);  // none is behind the three
  out.rule.levels = {{.severity = level, .hold_for = config.host_down.hold_for}};
  out.rule.life.interval = Milliseconds(1'000);
  out.labels = labels_of(config, {}, {}, &host, {.rule = std::string(kHostDownRule)}, level);
  out.notes = {{"summary", "no answer from %h"}};
  out.sinks = routed_sinks(config, out.labels);
  return out;
}

AlertTable overflow_table(const DaemonConfig& config) {
  constexpr auto kSeverity = AlertSeverity::critical;
  AlertTable out{.is_wanted = true, .zone = config.daemon.zone};
  out.rule.levels = {{.severity = kSeverity}};
  out.labels = labels_of(config, {}, {}, nullptr, {.rule = std::string(kOverflowRule)}, kSeverity);
  out.notes = {
      {"summary", fmt::format("there are {} alerts, which is [alerts] max: more are dropped",
                              config.alerts.max)}};
  out.sinks = routed_sinks(config, out.labels);
  return out;
}

AlertTable state_lost_table(const DaemonConfig& config, const ConfigHost& daemon) {
  AlertTable out{.is_wanted = true, .zone = config.daemon.zone};
  out.rule.levels = {{.severity = AlertSeverity::critical, .hold_for = Milliseconds(0)}};
  out.labels = labels_of(config, {}, {}, &daemon, {.rule = std::string(kStateLostRule)},
                         AlertSeverity::critical);
  out.notes = {{"summary", "the state of the daemon on %h was damaged: all alerts begin anew"}};
  out.sinks = routed_sinks(config, out.labels);
  return out;
}

std::vector<std::string> routed_sinks(const DaemonConfig& config, const AlertLabels& labels) {
  std::vector<std::string> out;
  std::set<std::string> named;
  bool matched = false;
  for (const RouteBlock& route : config.routes) {
    named.insert(route.sinks.begin(), route.sinks.end());
  }
  for (const RouteBlock& route : config.routes) {
    if (!matches_all(route.match, labels)) continue;
    matched = true;
    for (const std::string& sink : route.sinks) {
      if (std::ranges::find(out, sink) == out.end()) out.push_back(sink);
    }
    if (!route.goes_on) break;
  }
  if (matched) return out;
  for (const SinkBlock& sink : config.sinks) {
    if (!named.contains(sink.name)) out.push_back(sink.name);
  }
  return out;
}

std::string expand_text(std::string_view text, const TextFacts& facts) {
  std::string out;
  while (!text.empty() && out.size() < kTextMost) {
    const char next = text.size() > 1 && text[0] == '%' ? text[1] : '\0';
    const size_t end = next == '{' ? text.find('}') : std::string_view::npos;
    if (end != std::string_view::npos) {
      out += note_text(text.substr(2, end - 2), facts);
      text.remove_prefix(end + 1);
      continue;
    }
    if (!std::string_view("hivc").contains(next)) {
      out += text.front();
      text.remove_prefix(1);
      continue;
    }
    out += next == 'h'   ? facts.host
           : next == 'i' ? facts.instance
           : next == 'v' ? facts.value
                         : facts.connection;
    text.remove_prefix(2);
  }
  out.resize(std::min(out.size(), kTextMost));
  return out;
}

void check_texts(const DaemonConfig& config, ConfigProblems& problems) {
  for (const RulesBlock& block : config.rules) {
    check_notes(block.annotations, block, "annotations", problems);
    for (const RuleAlertBlock& alert : block.alerts) {
      check_notes(alert.annotations, block, fmt::format("alert.{}.annotations", alert.glob),
                  problems);
    }
  }
}

}  // namespace pmjit
