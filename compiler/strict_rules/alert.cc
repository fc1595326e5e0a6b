// Alerts: `NAME = alert condition until … for … -> …`. Source: spec alerting.md §3.1.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "compiler/strict_rules/statement_reader.h"

namespace pmjit::strict {

namespace {

using parse::RuleToken;

// Labels that say which alert it is.
constexpr std::string_view kIdentity[] = {"alertname", "severity", "host", "instname"};

std::string_view word_of(RuleToken token) {
  switch (token) {
    case RuleToken::FOR: return "for";
    case RuleToken::KEEP: return "keep";
    case RuleToken::STALE: return "stale";
    case RuleToken::GONE: return "gone";
    case RuleToken::UNKNOWN: return "unknown";
    case RuleToken::LABEL: return "label";
    case RuleToken::NOTE: return "note";
    default: return "";
  }
}

// What may stand behind `for`, as an example; "": nothing of the kind.
std::string_view setting_behind_for(RuleToken token) {
  switch (token) {
    case RuleToken::KEEP: return "keep 10 min";
    case RuleToken::STALE: return "stale 10 min";
    case RuleToken::LABEL: return "label team \"storage\"";
    case RuleToken::NOTE: return "note summary \"text\"";
    default: return "";
  }
}

}  // namespace

void StatementReader::help_in_alert(uint32_t token, Diag& diag) const {
  const bool is_alert = token > 2 && at(2).kind == RuleToken::ALERT;
  if (!is_alert) return;
  if (token == 3 && at(token).kind != RuleToken::END) {
    diag.help("`alert` begins an alert here; a metric of that name needs quotes: 'alert'");
  }
  diag.help(
      "an alert is: alert SEVERITY CONDITION until CONDITION for TIME, then keep, stale, unknown, "
      "gone, label, note, then -> ACTION");
}

// label my-team "x", for -5 min, keep 5 min for 5 min: what is usual and does not fit. True: said.
bool StatementReader::misread_in_alert(uint32_t token) {
  if (token <= 2 || at(2).kind != RuleToken::ALERT) return false;
  const auto say = [&](Span where, std::string message, std::string help) {
    diags_.add(DiagCode::P_Syntax, where, message).help(std::move(help));
    return true;
  };
  const RuleToken last = before(token);
  const bool is_minus = at(token).kind == RuleToken::MINUS;
  if (is_minus && (last == RuleToken::FOR || last == RuleToken::KEEP || last == RuleToken::STALE)) {
    return say(span(token), "a time is not below 0",
               fmt::format("leave the - out, as in {} 5 min", word_of(last)));
  }
  if (is_minus && last == RuleToken::NAME &&
      (two_before(token) == RuleToken::LABEL || two_before(token) == RuleToken::NOTE)) {
    const Span name = span(token - 1);
    const size_t end = source_.find_first_of(" \t\n\"", name.begin);
    std::string written(source_.substr(name.begin, end - name.begin));
    std::ranges::replace(written, '-', '_');
    const bool is_label = two_before(token) == RuleToken::LABEL;
    return say(join(name, span(token)),
               fmt::format("a {} has letters, digits and _", is_label ? "label" : "note"),
               fmt::format("write {} {}", is_label ? "label" : "note", written));
  }
  if (at(token).kind != RuleToken::FOR) return false;
  for (uint32_t i = 3; i < token; ++i) {
    const RuleToken one = at(i).kind;
    if (one == RuleToken::FOR) {
      return say(span(token), "`for` is given twice", "leave one of them out");
    }
    if (setting_behind_for(one).empty()) continue;
    return say(span(token), fmt::format("`for` stands before `{}`", word_of(one)),
               fmt::format("write for 5 min {}", setting_behind_for(one)));
  }
  return false;
}

bool StatementReader::opens_setting() const {
  if (frames_.empty()) return false;
  const RuleToken open = at(frames_.back().token).kind;
  return open == RuleToken::FOR || open == RuleToken::KEEP || open == RuleToken::STALE;
}

std::optional<bool> StatementReader::take_in_alert(uint32_t token) {
  const RuleToken next = token + 1 < words_.tokens.size() ? at(token + 1).kind : RuleToken::END;
  const bool in_alert = !frames_.empty() && at(frames_.back().token).kind == RuleToken::ALERT;
  switch (at(token).kind) {
    case RuleToken::LABEL:
    case RuleToken::NOTE: return true;
    case RuleToken::ALERT:
    case RuleToken::FOR:
    case RuleToken::KEEP:
    case RuleToken::STALE: push(token); return true;
    case RuleToken::SEVERITY:
      (before(token) == RuleToken::UNKNOWN ? alert_.unknown.emplace() : alert_.severity) =
          at(token).text;
      return true;
    case RuleToken::UNTIL: marks_.push_back({values_.size(), Clause::When::until}); return true;
    case RuleToken::GONE: return set_once(token);
    case RuleToken::RESOLVES: return true;
    case RuleToken::UNKNOWN:
      if (before(token) == RuleToken::GONE) return alert_.gone_is_unknown = true;
      if (in_alert && next == RuleToken::SEVERITY) return set_once(token);
      return std::nullopt;
    case RuleToken::ELSE:
      if (!in_alert) return std::nullopt;
      return not_yet(span(token), "several levels of an alert",
                     "write one level here, and the other as an alert with a name of its own");
    case RuleToken::ARROW:
      if (!in_alert) return std::nullopt;
      if (before(token) == RuleToken::OTHERWISE) return true;
      // `gone unknown ->` is no `unknown ->`.
      if (before(token) == RuleToken::UNKNOWN && two_before(token) != RuleToken::GONE) return true;
      marks_.push_back({values_.size(), Clause::When::holds});
      return true;
    case RuleToken::NAME:
      if (before(token) == RuleToken::LABEL || before(token) == RuleToken::NOTE) {
        return take_setting_name(token);
      }
      return std::nullopt;
    case RuleToken::TEXT:
      if (two_before(token) == RuleToken::LABEL || two_before(token) == RuleToken::NOTE) {
        return take_setting_text(token);
      }
      return std::nullopt;
    default: return std::nullopt;
  }
}

// What an alert says once.
bool StatementReader::set_once(uint32_t token) {
  const RuleToken kind = at(token).kind;
  if (std::ranges::find(settings_, kind) != settings_.end()) {
    diags_.add(DiagCode::D_GivenTwice, span(token), word_of(kind)).help("leave one of them out");
    return false;
  }
  settings_.push_back(kind);
  return true;
}

bool StatementReader::take_setting_name(uint32_t token) {
  const std::string& name = at(token).text;
  const bool is_note = before(token) == RuleToken::NOTE;
  if ((is_note ? alert_.notes : alert_.labels).contains(name)) {
    const std::string_view kind = is_note ? "note" : "label";
    diags_.add(DiagCode::D_GivenTwice, span(token), fmt::format("{} {}", kind, name))
        .help(fmt::format("leave one of them out, or give it another name, as in {} {}2", kind,
                          name));
    return false;
  }
  if (is_note) return true;
  if (!is_note_label(name)) return misplaced(span(token), "a label is letters, digits and _");
  if (std::ranges::find(kIdentity, name) == std::end(kIdentity)) return true;
  diags_.add(DiagCode::P_Syntax, span(token), fmt::format("the label {} is the alert's own", name))
      .help("every alert has alertname, severity, host and instname; give yours another name");
  return false;
}

bool StatementReader::take_setting_text(uint32_t token) {
  const std::string &name = at(token - 1).text, &text = at(token).text;
  if (two_before(token) == RuleToken::LABEL) {
    alert_.labels[name] = text;
    return true;
  }
  alert_.notes[name] = text;
  const auto wrong = note_mistake(text, NoteHome::rule_file);
  if (!wrong) {
    for (const std::string& macro : macros_in_note(text)) {
      alert_.values.try_emplace(macro, NoteValue{.span = span(token)});
    }
    return true;
  }
  // A macro in the text may bring the part in; then it is the whole text that is wrong.
  Span where = span(token);
  const size_t part = source_.substr(0, where.end).find(wrong->written, where.begin);
  if (part != source_.npos) {
    where = {static_cast<uint32_t>(part), static_cast<uint32_t>(part + wrong->written.size())};
  }
  Diag& diag = diags_.add(DiagCode::P_Syntax, where, "");
  diag.message = wrong->message;
  if (!wrong->meant.empty()) diag.label(where, wrong->meant);
  diag.help(wrong->help);
  return false;
}

bool StatementReader::finish_setting(double seconds) {
  const Frame frame = pop_frame();
  if (!set_once(frame.token)) return false;
  switch (at(frame.token).kind) {
    case RuleToken::FOR: alert_.hold_for = seconds; break;
    case RuleToken::KEEP: alert_.keep = seconds; break;
    default: alert_.stale = seconds; break;
  }
  return true;
}

// The first value is the condition, and each of the others has its mark.
bool StatementReader::finish_alert() {
  const Frame frame = pop_frame();
  Value out{.kind = Kind::alert, .span = span(frame.token)};
  for (size_t i = frame.values; i < values_.size(); ++i) {
    Value& value = values_[i];
    const auto mark = std::ranges::find(marks_, i, &Mark::value);
    const bool is_condition = mark == marks_.end() || mark->when == Clause::When::until;
    if (value.kind != (is_condition ? Kind::expression : Kind::action)) {
      return misplaced(value.span, is_condition ? "an alert needs a condition, as in alert x > 5"
                                                : "an action follows ->");
    }
    if (is_condition) {
      if (!one_sample(value) || !one_host(value)) return false;
      out.clauses.push_back(clause_of(value, {}));
      if (mark != marks_.end()) {
        out.clauses.back().when = Clause::When::until;
        out.clauses.back().bindings.clear();
      }
      continue;
    }
    const auto same = std::ranges::find(out.clauses, mark->when, &Clause::when);
    if (same == out.clauses.end()) {
      out.clauses.push_back({.when = mark->when, .verbs = std::move(value.verbs)});
    } else if (same->verbs.empty()) {
      same->verbs = std::move(value.verbs);
    } else {
      diags_.add(DiagCode::D_GivenTwice, value.span, "an action").help("join actions with &");
      return false;
    }
  }
  values_.resize(frame.values);
  values_.push_back(std::move(out));
  return true;
}

}  // namespace pmjit::strict
