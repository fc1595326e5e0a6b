// The wording of a syntax error: what was found, what could stand there instead, and a way out
// where the mistake is a known one. ANTLR says which token; everything else is read off the tokens
// around it.
#include <fmt/format.h>

#include <algorithm>

#include "compiler/ast/percent.h"
#include "compiler/ast/words.h"
#include "compiler/parse/stages.h"
#include "runtime/base/near.h"

namespace pmjit::parse {
namespace {

// A parenthesis or ? that is open where the parser stopped.
struct OpenBracket {
  Token token;
  std::string_view function;  // of a parenthesis
  uint32_t commas = 0;
};

// Functions of other languages, and what there is instead.
struct OtherFunction {
  std::string_view name, instead;
};
constexpr std::string_view
    kNoQuantile = "max(x), min(x) and avg(x) are over instances; there are no quantiles",
    kRounds = "`pmjit eval -f 0` rounds what is printed",
    kNoPowers = "expressions calculate with + - * / only",
    kNoTime = "only rules know the time: $hour, $minute, $day_of_week",
    kBothValues = "write both values: CONDITION ? VALUE : OTHER",
    kByInstance = "values of two metrics are matched by instance: leave it out";
constexpr OtherFunction kOtherFunctions[] = {{"if", "write CONDITION ? VALUE : OTHER"},
                                             {"abs", "write x < 0 ? -x : x"},
                                             {"mean", "did you mean avg?"},
                                             {"average", "did you mean avg?"},
                                             {"increase", "did you mean delta?"},
                                             {"irate", "did you mean rate?"},
                                             {"deriv", "did you mean rate?"},
                                             {"topk", "max(x) is the largest value"},
                                             {"bottomk", "min(x) is the least value"},
                                             {"idelta", "did you mean delta?"},
                                             {"some_inst", "did you mean some?"},
                                             {"all_inst", "did you mean all?"},
                                             {"absent",
                                              "known(x) is true where x has a value: "
                                              "write !known(x)"},
                                             {"quantile", kNoQuantile},
                                             {"histogram_quantile", kNoQuantile},
                                             {"percentile", kNoQuantile},
                                             {"median", kNoQuantile},
                                             {"round", kRounds},
                                             {"ceil", kRounds},
                                             {"floor", kRounds},
                                             {"sqrt", kNoPowers},
                                             {"exp", kNoPowers},
                                             {"ln", kNoPowers},
                                             {"log2", kNoPowers},
                                             {"log10", kNoPowers},
                                             {"pow", kNoPowers},
                                             {"clamp_max", "write x > 5 ? 5 : x"},
                                             {"clamp_min", "write x < 5 ? 5 : x"},
                                             {"changes", "delta(x) != 0 is true where x changes"},
                                             {"time", kNoTime},
                                             {"hour", kNoTime},
                                             {"minute", kNoTime},
                                             {"day_of_week", kNoTime},
                                             {"label_replace",
                                              "instances keep their names: "
                                              "matchinst(/^sd/, x) chooses some"},
                                             {"on", kByInstance},
                                             {"ignoring", kByInstance},
                                             {"group_left", kByInstance},
                                             {"group_right", kByInstance}};
// What stands behind names of functions elsewhere: sum_inst, avg_over_time.
constexpr std::string_view kOverInstances = "_inst", kOverTime = "_over_time",
                           kOverSamples = "_sample";

bool is_value(TokenKind kind) {
  return kind == TokenKind::name || kind == TokenKind::quoted || kind == TokenKind::number ||
         kind == TokenKind::parameter || kind == TokenKind::instance || kind == TokenKind::string ||
         kind == TokenKind::close;
}

class UnexpectedReport {
 public:
  UnexpectedReport(const ExpressionText& text, const std::vector<Token>& tokens, size_t at,
                   const std::vector<std::string>& functions)
      : text_(text), tokens_(tokens), at_(at), functions_(functions) {
    read_open();
  }

  void add_to(Diags& diags) {
    explain();
    Diag& diag = diags.add(DiagCode::P_Syntax, here().span, message_);
    diag.labels = std::move(labels_);
    diag.helps = std::move(helps_);
  }

 private:
  const Token& here() const { return tokens_[at_]; }
  const Token* before() const { return at_ == 0 ? nullptr : &tokens_[at_ - 1]; }
  std::string_view text(const Token& token) const { return text_.of(token.span); }
  bool before_is(TokenKind kind) const { return before() != nullptr && before()->kind == kind; }
  bool before_is_function() const {
    return before_is(TokenKind::name) && is_function(text(*before()));
  }

  // some_inst, all_host, …
  static bool is_quantifier(std::string_view word) {
    const size_t line = word.find('_');
    const std::string_view which = word.substr(0, line),
                           of = word.substr(std::min(line, word.size()));
    return (which == "some" || which == "all") &&
           (of == "_inst" || of == "_host" || of == "_sample");
  }

  void read_open() {
    for (size_t i = 0; i < at_; ++i) {
      const Token& token = tokens_[i];
      if (token.kind == TokenKind::question) open_.push_back({token, "", 0});
      if (token.kind == TokenKind::colon && !open_.empty() &&
          open_.back().token.kind == TokenKind::question)
        open_.pop_back();
      if (token.kind == TokenKind::matchinst) open_.push_back({token, "matchinst", 0});
      if (token.kind == TokenKind::open) {
        const bool named = i > 0 && tokens_[i - 1].kind == TokenKind::name;
        open_.push_back({token, named ? text(tokens_[i - 1]) : std::string_view(), 0});
      }
      if (token.kind == TokenKind::close) {
        drop_questions();
        if (!open_.empty()) open_.pop_back();
      }
      if (token.kind == TokenKind::comma) {
        drop_questions();
        if (!open_.empty()) ++open_.back().commas;
      }
    }
  }
  void drop_questions() {
    while (!open_.empty() && open_.back().token.kind == TokenKind::question) open_.pop_back();
  }

  std::string_view inside() const {
    return open_.empty() ? std::string_view() : open_.back().function;
  }
  uint32_t commas() const { return open_.empty() ? 0 : open_.back().commas; }
  bool in_specs() const { return (inside() == "mkconst" && commas() > 0) || inside() == "novalue"; }

  std::string found() const {
    if (here().kind == TokenKind::end) return "the end of the expression";
    constexpr size_t kShown = 30;
    const std::string_view bytes = text(here());
    return bytes.size() <= kShown ? fmt::format("'{}'", bytes)
                                  : fmt::format("'{}…'", bytes.substr(0, kShown));
  }

  void say(std::string_view expected) {
    message_ = fmt::format("found {}, expected {}", found(), expected);
  }
  void help(std::string text) { helps_.push_back(std::move(text)); }

  void explain() {
    if (at_ == 0 && here().kind == TokenKind::end) {
      message_ = "the expression is empty";
      help("write a metric name, a number or a function, such as rate(disk.dev.read)");
    } else if (in_specs()) {
      explain_in_specs();
    } else if (inside() == "mkconst" || (inside() == "rescale" && commas() == 1)) {
      explain_fixed_argument();
    } else if (before() == nullptr || !is_value(before()->kind)) {
      explain_missing_value();
    } else {
      explain_missing_operator();
    }
  }

  void explain_in_specs() {
    if (before_is(TokenKind::assign)) {
      say("the value of the tag");
      return;
    }
    if (before_is(TokenKind::open) || before_is(TokenKind::comma)) {
      say("a tag such as type=double");
      help(here().kind == TokenKind::string ? fmt::format("write units={}", text(here()))
                                            : "tags are type, semantics, units, indom and meta");
      return;
    }
    const bool has_value = at_ >= 2 && tokens_[at_ - 2].kind == TokenKind::assign;
    if (!has_value) {
      say("= after the tag");
      return;
    }
    say("a comma or )");
    label_open();
    if (here().kind == TokenKind::product)
      help("quote units of several words: units=\"Kbyte / sec\"");
  }

  // What may only be a number or a string: mkconst(HERE, …), rescale(…, HERE).
  void explain_fixed_argument() {
    const bool rescale = inside() == "rescale";
    if (before_is(TokenKind::open) || before_is(TokenKind::comma)) {
      say(rescale ? "units in double quotes" : "a number without sign");
      if (rescale)
        help(fmt::format("write rescale(expression, \"{}\")",
                         here().kind == TokenKind::name ? whole_unit() : "Kbyte / sec"));
      else if (here().kind == TokenKind::minus)
        help("write " + negated_constant());
      else
        help("mkconst() gives a number a type and units: mkconst(1, units=\"Kbyte\")");
      return;
    }
    say(rescale ? ")" : "a comma and a tag such as type=double");
    label_open();
    if (!rescale) help("a number without tags needs no mkconst()");
  }

  // Of the number behind this minus, if there is one, and its tags.
  std::string negated_constant() const {
    constexpr size_t kShown = 60;
    const Token* number = &here() + 1;
    const Token* end = number;
    while (end->kind != TokenKind::end && end->kind != TokenKind::close) ++end;
    const std::string_view rest = text_.of({number->span.begin, end->span.end});
    const bool whole =
        number->kind == TokenKind::number && end->kind == TokenKind::close && rest.size() <= kShown;
    return whole ? fmt::format("-mkconst({}", rest) : "-mkconst(1, type=double)";
  }

  void explain_missing_value() {
    if (before_is(TokenKind::matchinst)) {
      say("a comma and an expression");
      help("write matchinst(/pattern/, expression)");
      return label_open();
    }
    say(before_is(TokenKind::open) && !inside().empty()
            ? fmt::format("the argument of {}()", inside())
            : "a metric name, a number, a function or (");
    switch (here().kind) {
      case TokenKind::plus: help("there is no sign +; leave it out"); break;
      case TokenKind::string:
        help(before_is(TokenKind::relation) ? "values that are text cannot be compared"
             : before_is(TokenKind::question) || before_is(TokenKind::colon)
                 ? "no value is a text: write numbers, such as 1 : 0"
                 : "double quotes are only for rescale(…, \"units\") and tags; a metric name is "
                   "quoted with '");
        break;
      case TokenKind::instance: help("an instance follows a metric: name[instance]"); break;
      case TokenKind::assign:
      case TokenKind::relation:
        if (before_is(TokenKind::relation))
          help("the relations are < <= == != >= >, each without a blank");
        else if (before() == nullptr && here().kind == TokenKind::assign)
          help("one = is enough: NAME = EXPRESSION");
        break;
      case TokenKind::product:
        if (inside() == "matchinst") break;
        if (before_is(TokenKind::open) && here_is_slash())
          help("patterns are only for matchinst(/…/, …)");
        else if (before_is(TokenKind::product) && text(*before()) == "*" && text(here()) == "*")
          help(std::string(kNoPowers));
        break;
      case TokenKind::end:
        lacks_other_value() ? help(std::string(kBothValues)) : explain_star();
        break;
      default: break;
    }
    label_open_at_end();
  }
  // kernel.all.*
  void explain_star() {
    const bool star = before_is(TokenKind::product) && text(*before()) == "*" && at_ >= 2;
    if (!star || tokens_[at_ - 2].kind != TokenKind::name) return;
    std::string_view name = text(tokens_[at_ - 2]);
    if (!name.ends_with('.')) return;
    name.remove_suffix(1);
    help(fmt::format("write {} for all metrics below it; a definition is of one", name));
  }
  bool here_is_slash() const { return text(here()) == "/"; }

  void explain_missing_operator() {
    switch (here().kind) {
      case TokenKind::open: explain_open(); return;
      case TokenKind::close:
        if (explain_rescale()) return;
        if (open_.empty()) {
          message_ = "this ) has no (";
          help("leave it out, or write the ( that it closes");
          return;
        }
        break;
      case TokenKind::colon:
        say("an operator");
        explain_colon();
        return;
      case TokenKind::comma: explain_comma(); return;
      case TokenKind::assign:
        say("an operator");
        help(at_ == 1 && before_is(TokenKind::name)
                 ? "write == to compare; a definition stands in a file, which -c FILE reads"
                 : "write == to compare");
        return;
      case TokenKind::not_:
        say("an operator");
        help("write != for \"not equal\"");
        return;
      case TokenKind::instance:
        say("an operator");
        if (before_is(TokenKind::close))
          help("to select from a function's result write (function(…))[instance]");
        else
          help("an instance follows a metric name or a ) only");
        return;
      default: break;
    }
    say(closer());
    label_open_at_end();
    lacks_other_value() ? help(std::string(kBothValues)) : explain_two_values();
  }

  // x > 5 ? 1
  bool lacks_other_value() const {
    return here().kind == TokenKind::end && !open_.empty() &&
           open_.back().token.kind == TokenKind::question;
  }

  // What may follow a value, besides an operator.
  std::string closer() const {
    if (open_.empty())
      return here().kind == TokenKind::end ? "an operator" : "an operator or the end";
    if (open_.back().token.kind == TokenKind::question) return "an operator or the : of this ?";
    if (inside() == "rescale" && commas() == 0) return "a comma and units in double quotes";
    return "an operator or )";
  }

  bool explain_rescale() {
    if (inside() != "rescale" || commas() > 0) return false;
    say("a comma and units in double quotes");
    help("write rescale(expression, \"Kbyte / sec\")");
    return true;
  }

  void explain_open() {
    if (before_is(TokenKind::name) && text(*before()) == "matchinst") {
      message_ = "matchinst( needs a pattern";
      help("write matchinst(/pattern/, expression) or matchinst(!/pattern/, expression)");
    } else if (before_is(TokenKind::name)) {
      const std::string_view name = text(*before());
      message_ = fmt::format("there is no function {}", name.size() <= 60 ? name : "of this name");
      labels_.push_back({before()->span, "not a function"});
      help(function_meant(name));
    } else {
      say("an operator");
      help("write * to multiply");
    }
  }

  [[nodiscard]] std::string function_meant(std::string_view name) const {
    const auto* other = std::ranges::find(kOtherFunctions, name, &OtherFunction::name);
    if (other != std::end(kOtherFunctions)) return std::string(other->instead);
    if (name.ends_with(kOverTime) || name.ends_with(kOverSamples)) {
      return "a function is of one time; `pmjit eval -t 5min` has a value every 5 minutes";
    }
    if (name.ends_with(kOverInstances)) {
      const std::string stem(name.substr(0, name.size() - kOverInstances.size()));
      if (std::ranges::find(functions_, stem) != functions_.end()) return near_names_text({stem});
    }
    const auto near = near_names(name, functions_);
    return near.empty() ? fmt::format("functions are {}", fmt::join(functions_, ", "))
                        : near_names_text(near);
  }

  void explain_comma() {
    say(closer());
    const bool larger = inside() == "max", least = inside() == "min";
    if (larger || least)
      help(fmt::format("{}() takes one expression; of two it is a {} b ? a : b", inside(),
                       larger ? '>' : '<'));
    else if (inside() == "rate" || inside() == "delta")
      help(
          fmt::format("{}() takes one expression, and is of one step: `pmjit eval -t 5min` makes "
                      "that 5 minutes",
                      inside()));
    else if (!inside().empty())
      help(fmt::format("{}() takes one expression", inside()));
    else if (const std::string number = decimal_comma(); !number.empty())
      help(fmt::format("the decimal sign is a point: write {}", number));
    else
      help("a comma only separates the arguments of a function: write expressions one by one");
  }

  // 1,5
  std::string decimal_comma() const {
    const Token& next = tokens_[at_ + 1];  // the end is one
    const bool joined =
        before()->span.end == here().span.begin && here().span.end == next.span.begin;
    if (!joined || !before_is(TokenKind::number) || next.kind != TokenKind::number) return {};
    return fmt::format("{}.{}", text(*before()), text(next));
  }

  // web1:disk.dev.read, as PCP's tools have it, and disk.dev.read:sda
  void explain_colon() {
    const Token& next = tokens_[at_ + 1];  // the end is one
    const bool joined = before_is(TokenKind::name) && before()->span.end == here().span.begin &&
                        next.kind == TokenKind::name && next.span.begin == here().span.end;
    if (!joined)
      help("a : comes only after a ?: guard ? value : other");
    else if (text(*before()).contains('.'))
      help(fmt::format("write an instance in brackets: {}[{}]", text(*before()), text(next)));
    else
      help(fmt::format("-h {} or -a ARCHIVE chooses a host; write {} here", text(*before()),
                       text(next)));
  }

  void explain_two_values() {
    if (!is_value(here().kind) || here().kind == TokenKind::close) return;
    const std::string_view word = text(here());
    if (word == "and" || word == "AND")
      help("write && for \"and\"");
    else if (word == "or" || word == "OR")
      help("write || for \"or\"");
    else if (word == "unless")
      help("write A && !(B) for A unless B");
    else if (word == "offset")
      help("delta() and rate() look one value back; -S and -T choose other times");
    else if (before_is(TokenKind::name) && text(*before()) == "bool")
      help("leave out bool: a comparison is true or false");
    else if (before_is(TokenKind::name) && (text(*before()) == "not" || text(*before()) == "NOT"))
      help("write ! for \"not\"");
    else if (before_is(TokenKind::close) && (word == "by" || word == "without"))
      help("sum(x) is over all instances of x, sum_host(x) over hosts; so avg, min, max, count");
    else if (before_is_function() && (word == "by" || word == "without"))
      help(fmt::format("{0}(x) is over all instances of x, {0}_host(x) over hosts",
                       text(*before())));
    else if (before_is(TokenKind::name) && text(*before()) == "if")
      help("write CONDITION ? VALUE : OTHER");
    else if (before_is(TokenKind::name) && is_quantifier(text(*before())))
      help(fmt::format("{} is a word of rules; eval shows each instance, so leave it out",
                       text(*before())));
    else if (before_is_function() && is_function(word) && next_is_name())
      help(two_functions(word));
    else if (before_is_function())
      help(fmt::format("write {0}({1}) for the function {0}", text(*before()), word));
    else if (before_is(TokenKind::name) && word.front() == '.')
      help("there are no blanks in a metric's name; a name that has some is quoted with '");
    else if (before_is(TokenKind::number) && here().kind == TokenKind::name)
      explain_unit(word);
    else if (before_is(TokenKind::name) && (word == "in" || word == "as" || word == "to"))
      help(fmt::format("write rescale({}, \"{}\") for another scale", text(*before()),
                       at_ + 1 < tokens_.size() && tokens_[at_ + 1].kind == TokenKind::name
                           ? text(tokens_[at_ + 1])
                           : "Kbyte"));
    else if (before_is(TokenKind::name) && here().kind == TokenKind::number)
      help(fmt::format("write an operator between them, or an instance in brackets: {}[{}]",
                       text(*before()), words_from_here()));
    else if (before_is(TokenKind::name) && word.starts_with('\''))
      help(fmt::format("write an instance in brackets: {}[{}]", text(*before()),
                       word.substr(1, word.find('\'', 1) - 1)));
    else
      help("two values need an operator between them");
  }

  [[nodiscard]] bool is_function(std::string_view word) const {
    return std::ranges::find(functions_, word) != functions_.end();
  }
  [[nodiscard]] bool next_is_name() const {
    return at_ + 1 < tokens_.size() && tokens_[at_ + 1].kind == TokenKind::name;
  }
  // rate rate x, avg rate x
  [[nodiscard]] std::string two_functions(std::string_view word) const {
    const std::string_view first = text(*before()), operand = text(tokens_[at_ + 1]);
    return first == word ? fmt::format("write {}({})", word, operand)
                         : fmt::format("write {}({}({}))", first, word, operand);
  }

  // "1 minute", up to a sign.
  [[nodiscard]] std::string_view words_from_here() const {
    size_t last = at_;
    while (last + 1 < tokens_.size() && tokens_[last + 1].kind == TokenKind::name) ++last;
    return text_.of({here().span.begin, tokens_[last].span.end});
  }

  // disk.*.read, .disk
  bool explain_dot() {
    if (text(*before()) != ".") return false;
    const bool pattern = at_ >= 2 && tokens_[at_ - 2].kind == TokenKind::product;
    if (pattern)
      help("there are no patterns of names: name each metric");
    else
      help(fmt::format("no name begins with a dot: write {}", text(here())));
    return true;
  }

  void explain_unit(std::string_view word) {
    if (explain_dot()) return;
    if (word == "e" || word == "E")
      help("an exponent needs digits: 1e3");
    else if (word.front() == 'x' || word.front() == 'X')
      help("there are no hexadecimal numbers");
    else if (word.find_first_of("0123456789") != word.npos)  // no unit has digits
      help("two values need an operator between them");
    else if (is_percent_word(word))
      help(percent_help(text_.text.substr(0, before()->span.begin - text_.base), text(*before())));
    else
      help(fmt::format("a number with units is written mkconst({}, units=\"{}\")", text(*before()),
                       whole_unit()));
  }

  // From here on, with what it is divided by: count/sec.
  std::string_view whole_unit() const {
    size_t end = at_;
    const auto is = [&](size_t i, TokenKind kind) {
      return i < tokens_.size() && tokens_[i].kind == kind;
    };
    while (is(end + 1, TokenKind::product) && text(tokens_[end + 1]) == "/" &&
           is(end + 2, TokenKind::name) && !is(end + 3, TokenKind::open)) {
      end += 2;
    }
    return text_.of({tokens_[at_].span.begin, tokens_[end].span.end});
  }

  void label_open() {
    if (open_.empty() || here().kind != TokenKind::end) return;
    labels_.push_back({open_.back().token.span, "opened here"});
  }
  void label_open_at_end() {
    if (!open_.empty() && open_.back().token.kind == TokenKind::question)
      labels_.push_back({open_.back().token.span, "this ?"});
    else
      label_open();
  }

  const ExpressionText& text_;
  const std::vector<Token>& tokens_;
  size_t at_;
  const std::vector<std::string>& functions_;
  std::vector<OpenBracket> open_;
  std::string message_;
  std::vector<DiagLabel> labels_;
  std::vector<std::string> helps_;
};

}  // namespace

void report_unexpected(const ExpressionText& text, const std::vector<Token>& tokens, size_t at,
                       const std::vector<std::string>& functions, Diags& diags) {
  UnexpectedReport(text, tokens, at, functions).add_to(diags);
}

}  // namespace pmjit::parse
