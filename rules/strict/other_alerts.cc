// Alerts as other programs write them: `alert hot when x > 4`, `label team=x`, `gone ignore`. The
// reader reports a syntax error somewhere in them. This says what to type instead.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/compat/pmie/mistakes/meant_words.h"
#include "compiler/compat/pmie/mistakes/rough_scanner.h"
#include "rules/alerts/elements.h"
#include "rules/strict/rule_set.h"

namespace pmjit::strict {

namespace {

using pmie::RoughToken;

struct OtherForm {
  Span where;
  std::string message, help;
};

template <size_t N>
bool is_one_of(std::string_view word, const std::array<std::string_view, N>& words) {
  return std::ranges::find(words, word) != words.end();
}

constexpr std::array<std::string_view, 9> kBeforeCondition = {":",  "if",    "when", "where", "on",
                                                              "as", "while", "expr", "="};
constexpr std::array<std::string_view, 6> kOver = {"resolved", "resolve",  "recovered",
                                                   "recovery", "recovers", "clear"};
constexpr std::array<std::string_view, 4> kHowOften = {"every", "interval", "repeat", "frequency"};
constexpr std::array<std::string_view, 3> kHowLong = {"over", "within", "since"};
constexpr std::array<std::string_view, 5> kTexts = {"message", "msg", "text", "title", "subject"};

bool is_severity(std::string_view word) {
  return std::ranges::any_of(
      std::array{AlertSeverity::info, AlertSeverity::warning, AlertSeverity::critical},
      [&](AlertSeverity severity) { return word == alert_severity_text(severity); });
}

// What ends a condition.
bool is_behind_condition(std::string_view word) {
  constexpr std::array<std::string_view, 3> kSigns = {"{", "}", "->"};
  return pmie::is_alert_word(word) || is_one_of(word, kSigns) ||
         !pmie::named_text_meant(word).empty();
}

// One statement, which has an alert.
class AlertForm {
 public:
  AlertForm(std::string_view text, std::span<const RoughToken> tokens)
      : text_(text), tokens_(tokens) {}

  std::optional<OtherForm> find() const {
    if (tokens_.size() < 2) return std::nullopt;
    if (is(0, "alert") && !is(1, "=")) return name_behind();
    if (auto sign = wrong_sign()) return sign;
    if (!is(1, "=") || !is(2, "alert")) return std::nullopt;
    if (auto word = word_before_condition(3)) return word;
    for (size_t i = 3; i < tokens_.size(); ++i) {
      for (const auto look :
           {&AlertForm::labels, &AlertForm::gone, &AlertForm::unknown, &AlertForm::other_word}) {
        if (auto form = (this->*look)(i)) return form;
      }
    }
    return std::nullopt;
  }

 private:
  [[nodiscard]] bool is(size_t i, std::string_view text) const {
    return i < tokens_.size() && tokens_[i].kind != RoughToken::Kind::text &&
           tokens_[i].text == text;
  }
  [[nodiscard]] bool is_word(size_t i) const {
    return i < tokens_.size() && tokens_[i].kind == RoughToken::Kind::word;
  }
  [[nodiscard]] bool is_text(size_t i) const {
    return i < tokens_.size() && tokens_[i].kind == RoughToken::Kind::text;
  }
  [[nodiscard]] std::string_view text(size_t i) const {
    return i < tokens_.size() ? tokens_[i].text : std::string_view();
  }
  // Without quotes.
  [[nodiscard]] std::string bare(size_t i) const {
    std::string out(text(i));
    std::erase_if(out, [](char c) { return c == '"' || c == '\''; });
    return out;
  }

  // The condition that begins there, in one line; what is behind it is `…`.
  [[nodiscard]] std::string condition_from(size_t first) const {
    constexpr size_t kLongest = 60;
    while (first < tokens_.size() && is_one_of(text(first), kBeforeCondition)) ++first;
    size_t end = first;
    while (end < tokens_.size() && !is_behind_condition(tokens_[end].text)) ++end;
    if (end == first || is_text(first)) return "x > 5";
    const std::string_view written = text_.substr(
        tokens_[first].span.begin, tokens_[end - 1].span.end - tokens_[first].span.begin);
    const bool fits = written.size() <= kLongest && !written.contains('\n');
    return fits ? std::string(written) + (end < tokens_.size() ? " …" : "") : "…";
  }

  // alert hot: x > 4, alert hot when x > 4, alert x > 4
  [[nodiscard]] std::optional<OtherForm> name_behind() const {
    const size_t at = is_word(1) && is_severity(text(1)) ? 2 : 1;
    const std::string severity = at == 2 ? std::string(text(1)) + " " : "";
    // alert load > 5: the metric of a condition.
    const bool is_compared = at + 1 < tokens_.size() &&
                             tokens_[at + 1].kind == RoughToken::Kind::sign && !is(at + 1, ":") &&
                             !is(at + 1, "=") && !is(at + 1, "{") && !is(at + 1, "(");
    // alert some_inst x > 5: nor is an operator a name.
    const auto operators = pmie::words_before_operands();
    const bool operates = std::ranges::find(operators, text(at)) != operators.end();
    const bool named = !is_compared && !operates && (is_word(at) || is_text(at)) &&
                       !text(at).contains('.') && !is_one_of(text(at), kBeforeCondition);
    const size_t condition = named ? at + 1 : at;
    std::string name = named ? bare(at) : "NAME";
    std::ranges::replace(name, ' ', '_');
    return OtherForm{
        .where = tokens_[named ? at : 0].span,
        .message = named ? "the name comes before alert" : "this alert has no name",
        .help = fmt::format("write {} = alert {}{};", name, severity, condition_from(condition))};
  }

  // hot: alert x > 4, hot alert x > 4
  [[nodiscard]] std::optional<OtherForm> wrong_sign() const {
    const size_t at = is(1, ":") ? 2 : 1;
    if (!is_word(0) || !is(at, "alert") || at + 1 == tokens_.size()) return std::nullopt;
    return OtherForm{.where = tokens_[1].span,
                     .message = "a name is followed by =",
                     .help = fmt::format("write {} = alert {};", text(0), condition_from(at + 1))};
  }

  [[nodiscard]] std::optional<OtherForm> word_before_condition(size_t at) const {
    const bool there = is_one_of(text(at), kBeforeCondition) && !is_text(at);
    const bool alone = at + 1 < tokens_.size() && (is_word(at + 1) || is(at + 1, "("));
    if (!there || !alone) return std::nullopt;
    return OtherForm{.where = tokens_[at].span,
                     .message = fmt::format("no {} stands before the condition", text(at)),
                     .help = fmt::format("write {} = alert {};", text(0), condition_from(at))};
  }

  // label team=x, label team: "x", labels { team = "x" }, label "team" "x"
  [[nodiscard]] std::optional<OtherForm> labels(size_t at) const {
    const std::string_view word = is_word(at) ? pmie::named_text_meant(text(at)) : "";
    if (word.empty()) return std::nullopt;
    const bool braces = is(at + 1, "{") || is(at + 1, "(");
    std::string meant;
    bool wrong = braces;
    for (size_t i = braces ? at + 2 : at + 1; i < tokens_.size();) {
      const bool sign = is(i + 1, "=") || is(i + 1, ":");
      const size_t value = sign ? i + 2 : i + 1;
      const bool pair = (is_word(i) || is_text(i)) && (is_word(value) || is_text(value));
      if (!pair) break;
      wrong = wrong || sign || is_text(i);
      meant += fmt::format("{}{} {} \"{}\"", meant.empty() ? "" : " ", word, bare(i), bare(value));
      i = value + 1;
      if (!is(i, ",")) break;
      wrong = true;
      ++i;
    }
    if (!wrong) return std::nullopt;
    return OtherForm{
        .where = tokens_[at].span,
        .message = fmt::format("{0} is followed by a name and a text: {0} NAME \"text\"", word),
        .help = meant.empty() ? fmt::format("for instance: {} team \"storage\"", word)
                              : fmt::format("write {}", meant)};
  }

  [[nodiscard]] std::optional<OtherForm> gone(size_t at) const {
    if (!is(at, "gone") || is(at + 1, "unknown") || is(at + 1, "resolves")) return std::nullopt;
    if (!is(at - 1, ")") && !is_word(at - 1) && !is_text(at - 1)) return std::nullopt;  // a metric
    return OtherForm{.where = tokens_[at].span,
                     .message = "gone is followed by resolves or unknown",
                     .help =
                         "gone resolves ends the alert of an instance that is gone, which is the "
                         "default; gone unknown makes it unknown"};
  }

  [[nodiscard]] std::optional<OtherForm> unknown(size_t at) const {
    const bool fits = is(at + 1, "->") || is_severity(text(at + 1));
    if (!is(at, "unknown") || fits || is(at - 1, "gone") || at + 1 == tokens_.size()) {
      return std::nullopt;
    }
    return OtherForm{.where = tokens_[at].span,
                     .message = "unknown is followed by a severity or by -> ACTION",
                     .help = "write unknown critical, or unknown -> print \"no value\""};
  }

  // Words of other programs, where a word of an alert may stand.
  [[nodiscard]] std::optional<OtherForm> other_word(size_t at) const {
    const std::string_view word = text(at);
    const bool behind_value = is(at - 1, ")") || is_word(at - 1) || is_text(at - 1);
    if (!is_word(at) || !behind_value) return std::nullopt;
    const auto form = [&](std::string help) {
      return OtherForm{.where = tokens_[at].span,
                       .message = fmt::format("an alert has no word {}", word),
                       .help = std::move(help)};
    };
    if (is_one_of(word, kOver)) {
      return form(
          "otherwise -> print \"over\" is done when the alert is over; until CONDITION says "
          "when that is");
    }
    if (is_one_of(word, kHowOften)) {
      return form("write delta = 1 min; before the alert, or -> print 10 min \"…\" to be reminded");
    }
    if (is_one_of(word, kHowLong) && is_word(at + 1) && pmie::is_number(text(at + 1))) {
      return form("for 5 min says how long the condition has to be true");
    }
    if (is_one_of(word, kTexts) && is_text(at + 1)) {
      return form(fmt::format("write note summary {}", text(at + 1)));
    }
    return std::nullopt;
  }

  std::string_view text_;
  std::span<const RoughToken> tokens_;
};

struct FormOfStatement {
  Span statement;
  OtherForm form;
};

// Of the statements that have one. Braces of labels end none.
std::vector<FormOfStatement> other_forms(std::string_view text) {
  std::vector<FormOfStatement> out;
  pmie::RoughScanner scanner(text);
  std::vector<RoughToken> tokens;
  for (uint32_t begin = 0;;) {
    const RoughToken token = scanner.next();
    const bool last = token.kind == RoughToken::Kind::end;
    if (!last && (token.kind == RoughToken::Kind::text || token.text != ";")) {
      tokens.push_back(token);
      continue;
    }
    if (auto form = AlertForm(text, tokens).find()) {
      out.push_back({{begin, token.span.end}, *std::move(form)});
    }
    tokens.clear();
    begin = token.span.end;
    if (last) return out;
  }
}

bool is_syntax_error(const Diag& diag) {
  return diag.severity == Severity::error &&
         (diag.code == DiagCode::P_Syntax || diag.code == DiagCode::P_IllegalCharacter);
}

}  // namespace

Diags with_other_alerts(std::string_view text, const Diags& diags) {
  if (std::ranges::none_of(diags.all(), is_syntax_error)) return diags;
  const std::vector<FormOfStatement> forms = other_forms(text);
  std::vector<bool> said(forms.size());
  Diags out;
  for (const Diag& diag : diags.all()) {
    auto of = std::ranges::upper_bound(
        forms, diag.span.begin, {}, [](const FormOfStatement& one) { return one.statement.end; });
    if (of != forms.end() && diag.span.begin < of->statement.begin) of = forms.end();
    // A message about Prometheus says what to type.
    const bool known = diag.message.contains("Prometheus");
    if (of == forms.end() || !is_syntax_error(diag) || known) {
      out.append(diag);
      continue;
    }
    const auto number = static_cast<size_t>(of - forms.begin());
    if (said[number]) continue;
    said[number] = true;
    Diag& added = out.add(DiagCode::P_Syntax, of->form.where, "");
    added.message = of->form.message;
    added.help(of->form.help);
  }
  return out;
}

}  // namespace pmjit::strict
