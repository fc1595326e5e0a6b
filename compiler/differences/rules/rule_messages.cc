#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <string>

#include "compiler/ast/words.h"
#include "compiler/differences/rules/rule_rows.h"
#include "runtime/base/near.h"
#include "runtime/model/catalog.h"
#include "runtime/model/exporter_names.h"
#include "runtime/model/name_parts.h"

namespace pmjit::pmie {

namespace {

constexpr std::string_view kBadPattern = "illegal regular expression";
constexpr std::string_view kNoMetric = "not in namespace",
                           kNoInstance = "does not (currently) have instance",
                           kNoMacro = "undefined macro", kTaken = "multiply defined",
                           kNoTruth = "logical expression expected",
                           kNoNumber = "arithmetic expression expected",
                           kOneTruth = "single boolean value",
                           kNoDesc = "not currently available from",
                           kMixed = "mixed string and arithmetic",
                           kNoNames = "instance domain not available in archive",
                           kNoNamesLive = "not (currently) available",
                           kLeftOut = "pmjit and pmie leave this rule out and run the others";

struct WayOut {
  std::string_view of, help;
  bool of_metric = false;
};
// The first row whose words a message has.
constexpr WayOut kWaysOut[] = {
    {"action expected", "an action is print, syslog, alarm or shell and a text in double quotes"},
    {"string expected to follow", "for instance: print 10 min \"%i is at %v\""},
    {"regular expression expected", "the pattern needs double quotes: match_inst \"^sd\""},
    {"percentage quantifier", "for instance: 50 %_inst"},
    {"host name expected", "for instance: mem.free :'web1'"},
    {"instance name expected", "for instance: disk.dev.read #'sda'"},
    {"sample number", "for instance: mem.free @0..3"},
    {kNoTruth, "write a condition here: a comparison, or several with && and ||"},
    {kNoNumber, "write a number here: a metric, a constant, or a calculation with + - * /"},
    {"arithmetic or string", "write a number or a text in double quotes here"},
    {kTaken, "give each rule its own name"},
    {kOneTruth,
     "a set needs some_inst, all_inst or 50 %_inst before it; one of hosts "
     "some_host, one of samples some_sample"},
    {"domains have different size", "bring both to one size: one instance with #, or sum_inst"},
    {"no host domain", "hosts follow the metric: mem.free :'web1' :'web2'"},
    {"no time domain", "samples follow the metric: mem.free @0..3"},
    {kMixed, "a text is only compared with a metric that has texts"},
    {"operand required for aggregate", "texts are compared with == and != only"},
    {"requires numeric", "rate needs a number; a condition has rising and falling"},
    {"requires boolean", "compare it with something first"},
    {"botch", "a macro that is true or false cannot be compared"},
    {"not string valued", "only a macro that is a text can be used in a name or a text"},
    {kNoMacro, "macros are defined before they are used: limit = 5 count;"},
    {"macro name must begin", "a $ without a macro is written \\$ in a text"},
    {"in macro name", "end the statement with ;"},
    {kBadPattern, "patterns are POSIX extended ones, as of grep -E"},
    {"delta must be", "the interval of the rules below it"},
    {kNoMetric, kLeftOut, true},
    {"inappropriate type", "events and aggregates have no numbers", true},
    {"has no instances", "leave out # and the name after it", true},
    {kNoInstance, kLeftOut, true},
    {kNoNames, kLeftOut, true},
    {kNoNamesLive, kLeftOut, true},
    {kNoDesc, kLeftOut, true},
};

// Without `PROGRAM: ` in front; lines one behind the other.
std::string in_one_line(std::string_view text) {
  const size_t colon = text.find(": metric ");
  if (colon != text.npos) text.remove_prefix(colon + 2);
  while (text.ends_with('\n')) text.remove_suffix(1);
  // Which call of PCP's library failed, and how, is for programmers.
  const size_t call = text.rfind("\npm");
  if (call != text.npos && text.find(" failed: ", call) != text.npos) text = text.substr(0, call);
  std::string out;
  for (const char c : text) {
    if (c == '\n')
      out += "; ";
    else
      out += c;
  }
  return out;
}

// The word behind another.
std::string word_behind(std::string_view text, std::string_view before) {
  const size_t at = text.find(before);
  if (at == text.npos) return {};
  text.remove_prefix(at + before.size());
  return std::string(text.substr(0, text.find_first_of(" \n")));
}

// What messages call a source, `archive PATH (host H)` or `pmcd CONN (host H)`, shortly.
std::string source_of(std::string_view text) {
  std::string path = word_behind(text, " archive ");
  if (!path.empty()) return path.substr(path.rfind('/') + 1);
  std::string host = word_behind(text, "(host ");
  if (host.ends_with(')')) host.pop_back();
  return host.empty() ? "the source" : host;
}

// Of a metric that is just not recorded no name is near; of one that is mistyped there is. Of
// `load` it is kernel.all.load.
std::vector<std::string> slips_of(const std::string& metric, const Catalog& catalog) {
  std::vector<std::string> out = near_names(catalog, metric), ends;
  if (!metric.contains('.')) {
    std::ranges::copy_if(out, std::back_inserter(ends),
                         [&](const std::string& name) { return name.ends_with("." + metric); });
  }
  if (name_in_pcp(metric).empty()) keep_slips(metric, out);
  return out.empty() ? ends : out;
}

// kernel.uname.sysname == Linux
bool is_compared_text(std::string_view name, Span where, const ReadStatement& statement) {
  if (name.contains('.')) return false;
  const auto& tokens = statement.tokens;
  for (size_t i = 1; i < tokens.size(); ++i) {
    if (tokens[i].span.begin != where.begin || tokens[i - 1].kind != RuleToken::RELATION) continue;
    return tokens[i - 1].op == PmieOp::equal || tokens[i - 1].op == PmieOp::unequal;
  }
  return false;
}

// disk.dev.read.sda. "": it is another name.
std::string instance_in_name(const std::string& name, const Catalog& catalog) {
  const size_t dot = name.rfind('.');
  if (dot == name.npos) return {};
  const std::string metric = name.substr(0, dot), last = name.substr(dot + 1);
  const auto desc = catalog.describe(metric);
  if (!desc || desc->indom == kNullId) return {};
  const auto all = catalog.instances(desc->indom);
  if (std::ranges::find(all, last, &Catalog::Instance::name) == all.end()) return {};
  return fmt::format("write {} #{}: {} is an instance", metric, last, last);
}

void explain_metric(std::string_view text, const MessageContext& in, Diag& diag) {
  const std::string metric = word_behind(text, "metric ");
  diag.message = fmt::format("{} has no metric {}", source_of(text), metric);
  // The name alone.
  diag.span.end = std::min(diag.span.end, diag.span.begin + static_cast<uint32_t>(metric.size()));
  if (in.catalog == nullptr) return;
  if (const auto below = in.catalog->leaves(metric); !below.empty()) {
    diag.message = fmt::format("{} is not a metric but the beginning of several names", metric);
    diag.help("name one of " + first_few_text(below));
    return;
  }
  if (in.macros.contains(metric)) {
    diag.label(diag.span, near_names_text({"$" + metric}));
    return;
  }
  if (is_null_word(metric)) {
    diag.message = fmt::format("{} is read as a metric, and there is none", metric);
    diag.helps = {
        "pmie has no word for a missing value; in the strict dialect ! known METRIC is true "
        "where it has none"};
    return;
  }
  if (is_compared_text(metric, diag.span, in.statement)) {
    diag.message = fmt::format("{} is read as a metric, and there is none", metric);
    diag.label(diag.span, fmt::format("did you mean \"{}\"?", metric));
    return;
  }
  if (const std::string meant = instance_in_name(metric, *in.catalog); !meant.empty()) {
    diag.help(meant);
    return;
  }
  const std::string near = near_names_text(slips_of(metric, *in.catalog));
  const auto within = metric.contains('.') || !near.empty() ? std::vector<std::string>()
                                                            : names_with_part(*in.catalog, metric);
  if (!near.empty()) {
    diag.label(diag.span, near);
  } else if (!within.empty()) {
    diag.help(fmt::format("{} is a part of names, and a rule needs a whole one, below {}", metric,
                          fmt::join(within, ", ")));
  } else if (near_names(*in.catalog, metric).empty()) {
    diag.help("`pmjit info ARCHIVE` or `pmjit info -h HOST` shows what there is");
  }
}

// Of what is recorded of the metric a part is not there.
void explain_gap(std::string_view text, std::string_view what, Span span, Diag& diag) {
  const std::string metric = word_behind(text, text.contains("Metric ") ? "Metric " : "metric ");
  diag.message = fmt::format("{} has no {} {}", source_of(text), what, metric);
  diag.span.end = std::min(span.end, span.begin + static_cast<uint32_t>(metric.size()));
}

// Instances of a metric, all that were ever there.
std::vector<std::string> instances_of(const std::string& metric, RuleMetrics& metrics) {
  std::vector<std::string> out;
  const auto pmid = metrics.look_up(0, metric);
  if (!pmid) return out;
  const auto desc = metrics.describe(0, *pmid);
  if (!desc || desc->indom == kNullId) return out;
  const auto all = metrics.instances(0, desc->indom);
  if (!all) return out;
  for (const auto& one : *all) out.push_back(one.name);
  return out;
}

void explain_instance(std::string_view text, const MessageContext& in, Diag& diag) {
  constexpr size_t kListedMax = 6;
  const std::string metric = word_behind(text, "metric ");
  const size_t quote = text.find('"'), end = text.rfind('"');
  const std::string instance(text.substr(quote + 1, end - quote - 1));
  for (const ScannedToken& token : in.statement.tokens) {
    const bool within = token.span.begin >= diag.span.begin;
    if (within && token.kind == RuleToken::NAME && token.text == instance) {
      diag.span = token.span;
      break;
    }
  }
  diag.message = fmt::format("{} has no instance {}", metric, instance);
  auto all = in.metrics == nullptr ? std::vector<std::string>{} : instances_of(metric, *in.metrics);
  const std::string near = near_names_text(near_names(instance, all));
  if (!near.empty()) diag.label(diag.span, near);
  if (all.empty() || (all.size() == 1 && !near.empty())) return;  // the label names it
  const bool more = all.size() > kListedMax;
  if (more) all.resize(kListedMax);
  diag.message += fmt::format("; it has {}{}", fmt::join(all, ", "), more ? ", …" : "");
}

// A metric where a condition belongs: behind an operator, or before it.
void explain_truth(std::string_view text, Span where, const MessageContext& in, Diag& diag) {
  const bool behind = text.contains("to follow");
  const ScannedToken* number = nullptr;
  for (const ScannedToken& token : in.statement.tokens) {
    const bool metric = token.kind == RuleToken::NAME && token.text.contains('.');
    if (behind && metric && token.span.begin >= where.end && number == nullptr) number = &token;
    if (!behind && metric && token.span.end <= where.begin) number = &token;
  }
  // Between it and the place a comparison: then something else is wrong.
  const bool compared = std::ranges::any_of(in.statement.tokens, [&](const ScannedToken& token) {
    return number != nullptr && token.kind == RuleToken::RELATION &&
           (behind ? token.span.end <= number->span.begin && token.span.begin >= where.end
                   : token.span.begin >= number->span.end && token.span.end <= where.begin);
  });
  if (number == nullptr || compared) return;
  diag.helps.front() = fmt::format("a condition compares: {} is a number, {} > 5 is a condition",
                                   number->text, number->text);
}

// Is it known to have texts?
bool has_texts(const ScannedToken& token, RuleMetrics& metrics) {
  if (token.kind != RuleToken::NAME || !token.text.contains('.')) return false;
  const auto pmid = metrics.look_up(0, token.text);
  if (!pmid) return false;
  const auto desc = metrics.describe(0, *pmid);
  return desc && desc->pm_type == pm_type::string;
}

// some_inst "disk.dev.write" > 5
void explain_quoted_metric(Span where, const MessageContext& in, Diag& diag) {
  for (const ScannedToken& token : in.statement.tokens) {
    const bool is_before = token.kind == RuleToken::TEXT && token.span.end <= where.begin;
    const bool is_name =
        token.text.contains('.') && token.text.find_first_of(" %/") == std::string::npos;
    if (!is_before || !is_name) continue;
    diag.message = fmt::format("\"{}\" is a text, for it has quotes", token.text);
    diag.helps = {fmt::format("a metric has no quotes: write {}", token.text)};
    diag.span = token.span;
  }
}

bool has_instances(const ScannedToken& token, RuleMetrics& metrics) {
  const auto pmid = metrics.look_up(0, token.text);
  if (!pmid) return false;
  const auto desc = metrics.describe(0, *pmid);
  return desc && desc->indom != kNullId;
}

// Which quantifier a condition lacks, where one alone is missing. `@` and `#` stand behind the
// metric.
void explain_one_truth(const MessageContext& in, Diag& diag) {
  if (in.metrics == nullptr) return;
  const auto& tokens = in.statement.tokens;
  size_t sets = 0, ranges = 0;
  bool counts = true;
  std::string_view name;
  for (size_t i = 0; i < tokens.size() && tokens[i].kind != RuleToken::ARROW; ++i) {
    const auto is = [&](RuleToken kind) { return tokens[i].kind == kind; };
    if (is(RuleToken::RANGE)) ++ranges;
    if (is(RuleToken::QUANTIFIER) || is(RuleToken::PERCENT) || is(RuleToken::AGGREGATE) ||
        is(RuleToken::COUNT) || is(RuleToken::COLON) || is(RuleToken::MACRO)) {
      counts = false;
    }
    const bool is_metric = is(RuleToken::NAME) && tokens[i].text.contains('.');
    if (!is_metric || !has_instances(tokens[i], *in.metrics)) continue;
    if (i + 1 < tokens.size() && tokens[i + 1].kind == RuleToken::HASH) continue;
    ++sets;
    name = tokens[i].text;
  }
  if (!counts || (sets > 0) == (ranges > 0)) return;
  if (sets > 0) {
    diag.message = fmt::format("{} has instances, and a rule needs one truth", name);
    diag.helps = {
        "write some_inst or all_inst before the condition, or 50 %_inst for half of them"};
  } else {
    diag.message = "@ takes several samples, and a rule needs one truth";
    diag.helps = {"write some_sample or all_sample before the condition"};
  }
}

// kernel.uname.sysname == 5
void explain_mixed_text(const MessageContext& in, Diag& diag) {
  if (in.metrics == nullptr) return;
  const auto& tokens = in.statement.tokens;
  const auto of = std::ranges::find_if(
      tokens, [&](const ScannedToken& token) { return has_texts(token, *in.metrics); });
  if (of == tokens.end()) return;
  diag.message = fmt::format("{} is a text, and here it is compared with a number", of->text);
  const auto number = std::ranges::find_if(
      of, tokens.end(), [](const ScannedToken& token) { return token.kind == RuleToken::NUMBER; });
  const bool behind = tokens.end() - of > 2 && number == of + 2;
  diag.helps = {behind ? fmt::format("write it in double quotes: \"{:g}\"", number->number)
                       : fmt::format("a text is compared with a text: {} == \"TEXT\"", of->text)};
}

// "$limit": macros that `name` may be a slip for.
std::vector<std::string> near_macros(std::string_view name, const MessageContext& in) {
  if (!in.offers) return {};
  std::vector<std::string> macros(in.macros.begin(), in.macros.end());
  for (const std::string_view variable : variable_names()) macros.emplace_back(variable);
  std::vector<std::string> near = near_names(name, macros);
  for (std::string& one : near) one.insert(0, "$");
  return near;
}

}  // namespace

void add_message(Severity severity, Span where, std::string_view text, const MessageContext& in,
                 Diags& diags) {
  const auto* way = std::ranges::find_if(
      kWaysOut, [&](const WayOut& row) { return text.find(row.of) != text.npos; });
  const bool known = way != std::end(kWaysOut);
  if (severity == Severity::warning) {
    diags.add(DiagCode::P_RuleWarning, where, in_one_line(text));
    return;
  }
  const DiagCode code = known && way->of_metric ? DiagCode::S_RuleMetric : DiagCode::P_RuleText;
  Diag& diag = diags.add(code, where, text.empty() ? "this does not fit here" : in_one_line(text));
  if (!known) return;
  if (way->of == kOneTruth) {
    diag.message = "this condition has a truth for each instance, host or sample; a rule needs one";
  }
  if (way->of == kNoMacro) {
    const std::vector<std::string> near = near_macros(word_behind(text, "$"), in);
    if (!near.empty()) {
      diag.label(where, near_names_text(near));
      return;
    }
    const std::string name = word_behind(text, "$");
    const bool of_shell =
        std::ranges::all_of(name, [](char c) { return c == '_' || (c >= 'A' && c <= 'Z'); });
    if (of_shell) {
      diag.help(fmt::format("a $ that the shell is to read is written \\${}", name));
      return;
    }
  }
  diag.help(std::string(way->help));
  if (way->of == kNoTruth) explain_truth(text, where, in, diag);
  if (way->of == kNoNumber && text.contains("to precede")) explain_quoted_metric(where, in, diag);
  if (way->of == kOneTruth) explain_one_truth(in, diag);
  if (way->of == kMixed) explain_mixed_text(in, diag);
  if (way->of == kTaken) {
    const std::string& first = in.statement.taken_by;
    diag.helps.front() = fmt::format("the first one is in {}; {}", first, way->help);
    if (in.statement.taken_elsewhere) {
      diag.help("to compare two versions of a file: pmjit run --diff OLD NEW -a ARCHIVE");
    }
  }
  if (way->of == kBadPattern) {
    const size_t open = text.find('"'), end = text.rfind('"');
    const std::string fault =
        end == open ? "" : pattern_fault(text.substr(open + 1, end - open - 1));
    if (!fault.empty()) diag.helps.insert(diag.helps.begin(), fault);
  }
  if (way->of == kNoMetric) explain_metric(text, in, diag);
  if (way->of == kNoInstance) explain_instance(text, in, diag);
  if (way->of == kNoDesc) explain_gap(text, "description of", where, diag);
  if (way->of == kNoNames || way->of == kNoNamesLive) {
    explain_gap(text, "instances of", where, diag);
  }
}

bool says_left_out(const Diag& diag) {
  return diag.code == DiagCode::S_RuleMetric &&
         std::ranges::find(diag.helps, kLeftOut) != diag.helps.end();
}

}  // namespace pmjit::pmie
