#include "rules/testing/run_test.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "runtime/testing/case_recording.h"

namespace pmjit {

namespace {

constexpr std::string_view kTrue = " true";
constexpr std::string_view kBlanks = " \t";

// Evaluation times are doubles: what is below a microsecond is not theirs.
std::string when_text(double when) {
  const double since = when - static_cast<double>(cases::kEpoch.sec);
  const auto us = static_cast<int64_t>(std::llround(since * 1e6));
  return "t=" + cases::time_text(stamp_from_nanos(nanos(cases::kEpoch) + Nanos{us} * 1000));
}

std::string rule_text(const std::string& rule) {
  return rule.find_first_of(" \t\"") == std::string::npos ? rule : fmt::format("\"{}\"", rule);
}

std::string on_one_line(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '\n')
      out += "\\n";
    else
      out += c;
  }
  return out;
}

// Words with one blank between; the host of samples that name none is not written.
std::string bindings_text(std::string_view text) {
  std::string out;
  for (std::string word : cases::split_words(text)) {
    if (word == cases::kUnnamedHost) continue;
    if (word.starts_with(fmt::format("{}[", cases::kUnnamedHost))) {
      word.erase(0, cases::kUnnamedHost.size());
    }
    out += ' ';
    out += word;
  }
  return out;
}

// The next word, which may stand in quotes, and the blanks behind it.
std::string take_word(std::string_view& text) {
  const size_t quote = text.starts_with('"') ? text.find("\" ", 1) : text.npos;
  const bool quoted = quote != text.npos;
  const size_t end = quoted ? quote + 1 : std::min(text.size(), text.find_first_of(kBlanks));
  std::string word(quoted ? text.substr(1, quote - 1) : text.substr(0, end));
  text.remove_prefix(end);
  text.remove_prefix(std::min(text.size(), text.find_first_not_of(kBlanks)));
  return word;
}

std::unexpected<Error> wrong(uint32_t line, const std::string& what, EventKind kind) {
  static constexpr std::string_view kHelps[] = {
      "a transition is `t=20s RULE true HOST[INSTANCE]…`, or false, unknown",
      "an action is `t=20s RULE print: its text`, or another verb",
      "an alert is `t=20s RULE firing warning HOST[INSTANCE]`, or pending, inactive, resolved, "
      "unknown, known"};
  return fail(Error(Fault::format, what)
                  .help(std::string(kHelps[static_cast<size_t>(kind)]))
                  .at("line", fmt::format("{}", line)));
}

Result<EventLine> read_alert_line(EventLine out, std::string_view text, uint32_t line) {
  static constexpr std::string_view kEvents[] = {"pending", "inactive", "firing",
                                                 "unknown", "known",    "resolved"};
  const std::string event = take_word(text);
  if (std::ranges::find(kEvents, event) == std::end(kEvents)) {
    return wrong(line, fmt::format("`{}` is no event of an alert", event), EventKind::alert);
  }
  out.text += event + bindings_text(text);
  return out;
}

Result<EventLine> read_line(std::string_view text, uint32_t line, EventKind kind) {
  const std::string time = take_word(text);
  if (!time.starts_with("t=")) return wrong(line, fmt::format("`{}` is no time", time), kind);
  const auto when = cases::parse_duration(std::string_view(time).substr(2));
  if (!when) return wrong(line, when.error().what(), kind);
  EventLine out{.rule = take_word(text)};
  out.text =
      fmt::format("t={} {} ", cases::time_text(stamp_from_nanos(nanos(cases::kEpoch) + *when)),
                  rule_text(out.rule));
  if (kind == EventKind::action) {
    const size_t colon = text.find(": ");
    const bool ends = text.ends_with(':') && text.find(' ') == text.npos;  // no text at all
    if (colon == text.npos && !ends) return wrong(line, "there is no `verb: text`", kind);
    out.text += text;
    if (ends) out.text += ' ';
    return out;
  }
  if (kind == EventKind::alert) return read_alert_line(std::move(out), text, line);
  const std::string truth = take_word(text);
  if (truth != "true" && truth != "false" && truth != "unknown") {
    return wrong(line, fmt::format("`{}` is not true, false or unknown", truth), kind);
  }
  out.text += truth + bindings_text(text);
  return out;
}

}  // namespace

EventLine event_line(const std::string& rule, const RuleTransition& event) {
  const Transition& transition = event.transition;
  std::string bindings;
  for (const RuleBinding& binding : event.bindings) {
    bindings += ' ' + binding.host.value_or("");
    if (binding.instance) bindings += fmt::format("[{}]", on_one_line(*binding.instance));
  }
  return {.rule = rule,
          .text = fmt::format("{} {} {}{}", when_text(transition.when), rule_text(rule),
                              rule_truth_text(transition.to), bindings_text(bindings))};
}

EventLine event_line(const std::string& rule, const RuleAlert& event) {
  std::string about;
  if (event.event == "firing") about += fmt::format(" {}", event.severity);
  for (const RuleBinding& binding : event.bindings) {
    about += ' ' + binding.host.value_or("");
    if (binding.instance) about += fmt::format("[{}]", on_one_line(*binding.instance));
  }
  if (!event.reason.empty()) about += fmt::format(" ({})", event.reason);
  return {.rule = rule,
          .text = fmt::format("{} {} {}{}", when_text(event.when), rule_text(rule), event.event,
                              bindings_text(about))};
}

EventLine event_line(const std::string& rule, const RuleAction& event) {
  return {.rule = rule,
          .text = fmt::format("{} {} {}: {}", when_text(event.when), rule_text(rule), event.verb,
                              on_one_line(event.text))};
}

Result<std::vector<EventLine>> read_event_lines(const cases::Section& section, EventKind kind) {
  std::vector<EventLine> out;
  uint32_t number = section.line;
  for (const std::string& line : cases::split_lines(section.body)) {
    std::string_view text = line;
    if (text.ends_with('\r')) text.remove_suffix(1);
    text.remove_prefix(std::min(text.size(), text.find_first_not_of(kBlanks)));
    if (!text.empty() && !text.starts_with('#')) {
      auto read = read_line(text, number, kind);
      if (!read) return fail(read.error());
      out.push_back(*std::move(read));
    }
    ++number;
  }
  return out;
}

bool same_event(const std::string& expected, const std::string& actual) {
  if (expected == actual) return true;
  return expected.ends_with(kTrue) && actual.starts_with(expected) &&
         actual[expected.size()] == ' ';
}

}  // namespace pmjit
