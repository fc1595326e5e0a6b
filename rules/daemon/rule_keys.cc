#include "rules/daemon/rule_keys.h"

#include <fmt/format.h>

namespace pmjit {

namespace {

void add_part(std::string& out, std::string_view text) {
  out += fmt::format(" {}:{}", text.size(), text);
}

// Names of macros do not matter, but what they stand for now.
void add_part(std::string& out, const pmie::ScannedToken& token) {
  out += fmt::format(" {} {} {} {:a}", static_cast<int>(token.kind), static_cast<int>(token.op),
                     static_cast<int>(token.dim), token.number);
  if (token.kind != pmie::RuleToken::MACRO) return add_part(out, token.text);
  const pmie::PmieMacro& macro = token.macro;
  out += fmt::format(" {} {:a} {}", static_cast<int>(macro.sem), macro.number,
                     static_cast<int>(macro.variable));
  add_part(out, macro.text);
}

// Where actions end, and the next condition begins.
bool ends_actions(pmie::RuleToken kind) {
  using enum pmie::RuleToken;
  return kind == ELSE || kind == UNKNOWN || kind == OTHERWISE || kind == END;
}

}  // namespace

std::string without_layout(std::string_view text) {
  std::string out;
  char quote = '\0';
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i], next = i + 1 < text.size() ? text[i + 1] : '\0';
    if (quote != '\0') {
      out += c;
      if (c == '\\' && next != '\0') out += text[++i];
      if (c == quote) quote = '\0';
    } else if (c == '/' && (next == '/' || next == '*')) {
      const size_t end = text.find(next == '/' ? "\n" : "*/", i + 2);
      i = end == std::string_view::npos ? text.size() : end + (next == '/' ? 0 : 1);
      if (!out.ends_with(' ')) out += ' ';
    } else if (std::string_view(" \t\r\n\f\v").contains(c)) {
      if (!out.ends_with(' ')) out += ' ';
    } else {
      out += c;
      if (c == '"' || c == '\'') quote = c;
    }
  }
  return out;
}

// The text as well: so what a rule may say besides its conditions and actions is compared, too.
RuleKeys keys_of(const strict::Rule& rule, std::string_view text) {
  RuleKeys out{.condition = fmt::format("strict {:a} {}", rule.delta, rule.is_ruleset)};
  std::string actions;
  for (const strict::Clause& clause : rule.clauses) {
    out.condition += fmt::format(" {}", static_cast<int>(clause.when));
    if (clause.condition) add_part(out.condition, print(*clause.condition));
    for (const strict::Verb& verb : clause.verbs) {
      actions += fmt::format(" {} {:a} {}", verb.name, verb.hold_off, verb.if_failed);
      for (const std::string& argument : verb.texts) add_part(actions, argument);
    }
    actions += " ;";
  }
  if (rule.alert) {
    for (const auto* texts : {&rule.alert->labels, &rule.alert->notes}) {
      for (const auto& [name, value] : *texts) add_part(actions, name), add_part(actions, value);
      actions += " ;";
    }
    for (const auto& [name, value] : rule.alert->values) {
      add_part(actions, name), add_part(actions, value.ast ? print(*value.ast) : value.constant);
    }
  }
  const std::string_view own = text.substr(rule.span.begin, rule.span.end - rule.span.begin);
  out.whole = out.condition + actions;
  add_part(out.whole, without_layout(own));
  return out;
}

RuleKeys keys_of(std::span<const pmie::ScannedToken> statement, double delta) {
  RuleKeys out{.condition = fmt::format("pmie {:a}", delta)};
  out.whole = out.condition;
  bool acts = false;
  for (const pmie::ScannedToken& token : statement) {
    if (ends_actions(token.kind)) acts = false;
    if (!acts) add_part(out.condition, token);
    add_part(out.whole, token);
    acts = acts || token.kind == pmie::RuleToken::ARROW;
  }
  return out;
}

}  // namespace pmjit
