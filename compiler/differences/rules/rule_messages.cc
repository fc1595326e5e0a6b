#include "compiler/differences/rules/rule_rows.h"

#include <algorithm>
#include <string>

namespace pmjit::pmie {

namespace {

struct WayOut {
  std::string_view of, help;
  bool of_metric = false;
};
// The first row whose words a message has.
constexpr WayOut kWaysOut[] = {
    {"action expected", "an action is print, syslog, alarm or shell and a text in double quotes"},
    {"string expected to follow", "for instance: print 10 min \"%i is at %v\""},
    {"regular expression expected", "the pattern stands in double quotes: match_inst \"^sd\""},
    {"percentage quantifier", "for instance: 50 %_inst"},
    {"host name expected", "for instance: mem.free :'web1'"},
    {"instance name expected", "for instance: disk.dev.read #'sda'"},
    {"sample number", "for instance: mem.free @0..3"},
    {"logical expression expected", "a truth is wanted: a comparison, or several with && and ||"},
    {"arithmetic expression expected",
     "a number is wanted: a metric, a number, or both in + - * /"},
    {"arithmetic or string", "a number or a text in double quotes is wanted"},
    {"multiply defined", "a rule needs a name of its own"},
    {"single boolean value",
     "a set needs some_inst, all_inst or 50 %_inst before it; one of hosts "
     "some_host, one of samples some_sample"},
    {"domains have different size", "bring both to one size: one instance with #, or sum_inst"},
    {"no host domain", "hosts stand behind the metric: mem.free :'web1' :'web2'"},
    {"no time domain", "samples stand behind the metric: mem.free @0..3"},
    {"mixed string and arithmetic", "a text goes with a metric of texts only"},
    {"operand required for aggregate", "of texts there are == and != alone"},
    {"requires numeric", "rate is of numbers; of a truth there are rising and falling"},
    {"requires boolean", "compare it with something first"},
    {"botch", "a macro that is true or false cannot be compared"},
    {"not string valued", "only the macro of a text can stand within a name or a text"},
    {"undefined macro", "macros are defined before they are used: limit = 5 count;"},
    {"macro name must begin", "a $ that begins no macro is written \\$ in a text"},
    {"in macro name", "end the statement with ;"},
    {"illegal regular expression", "it is a POSIX extended one, as of grep -E"},
    {"delta must be", "the interval of the rules below it"},
    {"not in namespace", "`pminfo -a ARCHIVE` and `pminfo -h HOST` list metrics", true},
    {"inappropriate type", "events and aggregates have no numbers", true},
    {"has no instances", "leave # and what follows it away", true},
    {"have instance", "`pminfo -f -a ARCHIVE METRIC` lists the instances of a metric", true},
    {"not available in archive", "the archive is of a host, or of a time, without it", true},
    {"not currently available", "the archive has its name and nothing else", true},
};

// Without `PROGRAM: ` in front; lines one behind the other.
std::string in_one_line(std::string_view text) {
  const size_t colon = text.find(": metric ");
  if (colon != text.npos) text.remove_prefix(colon + 2);
  while (text.ends_with('\n')) text.remove_suffix(1);
  std::string out;
  for (const char c : text) {
    if (c == '\n')
      out += "; ";
    else
      out += c;
  }
  return out;
}

}  // namespace

void add_message(Severity severity, Span where, std::string_view text, Diags& diags) {
  const auto* way = std::ranges::find_if(
      kWaysOut, [&](const WayOut& row) { return text.find(row.of) != text.npos; });
  const bool known = way != std::end(kWaysOut);
  if (severity == Severity::warning) {
    diags.add(DiagCode::P_RuleWarning, where, in_one_line(text));
    return;
  }
  const DiagCode code = known && way->of_metric ? DiagCode::S_RuleMetric : DiagCode::P_RuleText;
  Diag& diag = diags.add(code, where, text.empty() ? "this does not fit here" : in_one_line(text));
  if (known) diag.help(std::string(way->help));
}

}  // namespace pmjit::pmie
