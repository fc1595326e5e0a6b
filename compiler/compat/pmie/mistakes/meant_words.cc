#include "compiler/compat/pmie/mistakes/meant_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "compiler/compat/pmie/words.h"
#include "runtime/base/chars.h"
#include "runtime/base/near.h"

namespace pmjit::pmie {

namespace {

constexpr std::string_view kActions[] = {"print", "syslog", "alarm", "shell", "stomp"};

// What other languages have, and what it is here.
struct OtherWord {
  std::string_view written, meant;
};

constexpr std::string_view kAlertWords[] = {"for",      "until",   "keep",      "stale", "gone",
                                            "label",    "note",    "resolves",  "info",  "warning",
                                            "critical", "unknown", "otherwise", "else"};
constexpr OtherWord kOtherAlertWords[] = {{"unless", "until"},
                                          {"while", "for"},
                                          {"during", "for"},
                                          {"crit", "critical"},
                                          {"warn", "warning"},
                                          {"summary", "note summary"},
                                          {"description", "note description"}};
constexpr OtherWord kNamedTexts[] = {
    {"label", "label"},     {"labels", "label"},     {"note", "note"},    {"notes", "note"},
    {"annotation", "note"}, {"annotations", "note"}, {"annotate", "note"}};

constexpr OtherWord kOtherWords[] = {{"and", "&&"},     {"AND", "&&"},
                                     {"or", "||"},      {"OR", "||"},
                                     {"not", "!"},      {"NOT", "!"},
                                     {"=>", "->"},      {"=<", "<="},
                                     {"<>", "!="},      {"elif", "else"},
                                     {"elsif", "else"}, {"elseif", "else"},
                                     {":=", "="},       {">>", ">"},
                                     {"<<", "<"},       {"!>", "<="},
                                     {"!<", ">="},      {"then", "->"},
                                     {"THEN", "->"},    {"is", "=="},
                                     {"per", "/"},      {"default", "otherwise"}};
constexpr OtherWord kOtherRelations[] = {
    {"greater", ">"}, {"above", ">"}, {"exceeds", ">"}, {"less", "<"}, {"below", "<"},
    {"equals", "=="}, {"gt", ">"},    {"lt", "<"},      {"ge", ">="},  {"gte", ">="},
    {"le", "<="},     {"lte", "<="},  {"eq", "=="},     {"ne", "!="}};
constexpr OtherWord kOtherOperators[] = {
    {"any", "some_inst"}, {"any_inst", "some_inst"}, {"every_inst", "all_inst"},
    {"mean", "avg_inst"}, {"mean_inst", "avg_inst"}, {"average", "avg_inst"},
    {"avg", "avg_inst"},  {"sum", "sum_inst"},       {"min", "min_inst"},
    {"max", "max_inst"},  {"count", "count_inst"},   {"some", "some_inst"},
    {"all", "all_inst"},  {"delta", "rate"},         {"increase", "rate"},
    {"irate", "rate"},    {"deriv", "rate"},         {"increasing", "rising"}};
constexpr OtherWord kOtherFunctions[] = {
    {"absent", "in the strict dialect it is ! known METRIC"},
    {"topk", "max_inst METRIC is the largest value"},
    {"bottomk", "min_inst METRIC is the least value"},
    {"quantile", "90 %_inst (METRIC > 5) is true where 90 % of the instances are above 5"},
    {"histogram_quantile",
     "90 %_inst (METRIC > 5) is true where 90 % of the instances are above 5"},
    {"changes", "METRIC != METRIC @1 is true where it has changed"},
    {"abs", "write both sides: METRIC > 5 || METRIC < -5"},
    {"clamp_max", "compare without it: a value above the limit stays above"},
    {"clamp_min", "compare without it: a value below the limit stays below"},
    {"time", "$hour, $minute, $day and $day_of_week are the time"},
    {"hour", "$hour is the hour"},
    {"minute", "$minute is the minute"},
    {"day_of_week", "$day_of_week is the day, from 0 for Sunday"},
    {"predict_linear", "rules do not look ahead: compare rate METRIC, or the value of now"},
    {"label_replace", "instances keep their names: match_inst \"PATTERN\" chooses some"},
    {"on", "two metrics are matched by instance: leave out on ( )"},
    {"ignoring", "two metrics are matched by instance: leave out ignoring ( )"}};
constexpr OtherWord kOtherActions[] = {
    {"exec", "shell"},  {"run", "shell"},      {"system", "shell"},   {"command", "shell"},
    {"mail", "shell"},  {"mailto", "shell"},   {"sendmail", "shell"}, {"curl", "shell"},
    {"email", "shell"}, {"script", "shell"},   {"log", "syslog"},     {"logger", "syslog"},
    {"echo", "print"},  {"printf", "print"},   {"say", "print"},      {"message", "print"},
    {"alert", "alarm"}, {"notify", "alarm"},   {"slack", "shell"},    {"webhook", "shell"},
    {"page", "alarm"},  {"pagerduty", "shell"}};
constexpr OtherWord kOtherUnits[] = {
    {"B", "byte"},         {"K", "Kbyte"},        {"k", "Kbyte"},        {"M", "Mbyte"},
    {"G", "Gbyte"},        {"T", "Tbyte"},        {"kb", "Kbyte"},       {"mb", "Mbyte"},
    {"gb", "Gbyte"},       {"KB", "Kbyte"},       {"kB", "Kbyte"},       {"MB", "Mbyte"},
    {"GB", "Gbyte"},       {"TB", "Tbyte"},       {"KiB", "Kbyte"},      {"MiB", "Mbyte"},
    {"GiB", "Gbyte"},      {"Ki", "Kbyte"},       {"Mi", "Mbyte"},       {"Gi", "Gbyte"},
    {"Ti", "Tbyte"},       {"s", "sec"},          {"ms", "msec"},        {"us", "usec"},
    {"iops", "count/sec"}, {"IOPS", "count/sec"}, {"requests", "count"}, {"events", "count"},
    {"IO", "count"},       {"io", "count"},       {"ops", "count"},      {"packets", "count"},
    {"ns", "nsec"},        {"m", "min"},          {"h", "hour"},         {"hr", "hour"}};

// Empty: the table does not have it.
std::string_view meant(std::span<const OtherWord> table, std::string_view written) {
  const auto of = std::ranges::find(table, written, &OtherWord::written);
  return of == table.end() ? std::string_view() : of->meant;
}

}  // namespace

std::span<const std::string_view> action_words() { return kActions; }

bool is_action(std::string_view word) {
  return std::ranges::find(kActions, word) != std::end(kActions);
}

std::vector<std::string> actions_meant(std::string_view written) {
  const std::string_view other = meant(kOtherActions, written);
  if (!other.empty()) return {std::string(other)};
  return near_names(written, {std::begin(kActions), std::end(kActions)});
}

std::vector<std::string> words_before_operands() {
  std::vector<std::string> out = {"rate",         "instant", "rising", "falling", "match_inst",
                                  "nomatch_inst", "ruleset", "else",   "unknown", "otherwise"};
  for (const char* of : {"sum", "avg", "max", "min", "count", "all", "some"}) {
    for (const char* over : {"host", "inst", "sample"})
      out.push_back(fmt::format("{}_{}", of, over));
  }
  return out;
}

bool is_alert_word(std::string_view word) {
  return std::ranges::find(kAlertWords, word) != std::end(kAlertWords);
}

std::vector<std::string> operators_meant(std::string_view written) {
  const std::string_view other = meant(kOtherOperators, written);
  if (!other.empty()) return {std::string(other)};
  return near_names(written, words_before_operands());
}

std::string_view function_meant(std::string_view written) {
  return meant(kOtherFunctions, written);
}

bool is_grouping(std::string_view word) { return word == "by" || word == "without"; }

std::vector<std::string> alert_words_meant(std::string_view written) {
  for (const std::span<const OtherWord> table :
       {std::span<const OtherWord>(kOtherAlertWords), std::span<const OtherWord>(kNamedTexts)}) {
    const std::string_view other = meant(table, written);
    if (!other.empty()) return {std::string(other)};
  }
  return near_names(written, {std::begin(kAlertWords), std::end(kAlertWords)});
}

std::string variable_meant(std::string_view macro) {
  constexpr std::string_view kIntervals[] = {"interval", "period", "every", "frequency", "step"};
  const std::string delta(name_of(Variable::delta));
  if (std::ranges::find(kIntervals, macro) != std::end(kIntervals)) return delta;
  auto near = near_names(macro, {delta});
  keep_slips(macro, near);
  return near.empty() ? "" : delta;
}

std::string_view relation_meant(std::string_view written) {
  return meant(kOtherRelations, written);
}

std::string_view named_text_meant(std::string_view written) { return meant(kNamedTexts, written); }

void warn_of_replaced_delta(Span where, Diags& diags) {
  diags.add(DiagCode::P_RuleWarning, where, "no rule uses this delta")
      .help("another delta follows before the first rule: leave one of them out");
}

void warn_of_semicolon(uint32_t at, Diags& diags) {
  diags.add(DiagCode::P_RuleWarning, {at, at + 1}, "a definition of a metric has no ; at its end")
      .help("leave it out in each line; give the file with -c to what uses the metrics");
}

void warn_of_late_delta(Span where, Diags& diags) {
  diags.add(DiagCode::P_RuleWarning, where, "no rule follows this delta")
      .help("delta is of the rules behind it: put it before them");
}

void warn_of_unused_macro(Span where, std::string_view name, const std::string& meant,
                          Diags& diags) {
  diags.add(DiagCode::P_RuleWarning, where, fmt::format("nothing uses the macro {}", name))
      .help(near_names_text({meant}));
}

std::string_view other_word_meant(std::string_view written) { return meant(kOtherWords, written); }

std::optional<double> seconds_meant(std::string_view written) {
  double out = 0;
  while (!written.empty()) {
    double number = 0;
    const auto read = std::from_chars(written.data(), written.data() + written.size(), number);
    if (read.ec != std::errc()) return std::nullopt;
    written.remove_prefix(static_cast<size_t>(read.ptr - written.data()));
    const std::string_view word(written.begin(), std::ranges::find_if_not(written, is_letter));
    const std::string_view other = meant(kOtherUnits, word);
    const UnitWord* const unit = find_unit(other.empty() ? word : other);
    if (unit == nullptr || unit->kind != UnitWord::Kind::time) return std::nullopt;
    Units units;
    add_unit(units, unit->text, 1);
    out += number * canonical_factor(units);
    written.remove_prefix(word.size());
  }
  return out;
}

std::string unit_meant(std::string_view written) {
  const std::string_view other = meant(kOtherUnits, written);
  if (!other.empty()) return near_names_text({std::string(other)});
  const std::string one(written.substr(0, written.size() - (written.ends_with('s') ? 1 : 0)));
  auto near = near_names(one, unit_words());
  near.resize(std::min<size_t>(near.size(), 1));
  return near_names_text(near);
}

}  // namespace pmjit::pmie
