// Selections: instances by name, one or several, and by a pattern.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "compiler/diag/no_match.h"
#include "compiler/sema/checker.h"
#include "compiler/sema/names.h"
#include "runtime/base/chars.h"
#include "runtime/base/near.h"

namespace pmjit {

namespace {

// What matches these names and no others.
std::string pattern_of(const std::vector<std::string>& names) {
  std::string out;
  for (const std::string& name : names) {
    out += out.empty() ? "^(" : "|";
    for (const char c : name) {
      if (std::string_view(".[]{}()\\*+?^$|").contains(c)) out += '\\';
      out += c;
    }
  }
  return out + ")$";
}

// Of what is no name of an instance: [5m], [*], [/^sd/]. Empty: it may be one.
std::string instance_help(std::string_view written) {
  if (written == "*") return "leave out [*]: without it a metric has all instances";
  if (written.starts_with('"') || written.starts_with('\'')) {
    return "names of instances in brackets need no quotes";
  }
  const bool pattern = written.size() > 1 && written.starts_with('/') && written.ends_with('/');
  if (pattern) return fmt::format("instances by pattern are: matchinst({}, METRIC)", written);
  const bool range =
      written.size() > 1 && is_digit(written.front()) && std::ranges::all_of(written, [](char c) {
        return is_digit(c) || std::string_view("smhdw").contains(c);
      });
  if (!range || is_digit(written.back())) return {};
  return "there are no ranges of time: rate() is over two values; -t says how far they are apart";
}

}  // namespace

// x[inst] is one value, without instance axis (row 73). Of several, as rules have them, the axis
// stays; others are vacant.
Checked Checker::check_instance(const Expr& expr) {
  Checked out = arg(expr, 0);
  if (out.type.axes.domain == kNullId) {
    diags_.add(DiagCode::S_NoInstances, arg_expr(expr, 0).span, print_text(expr, 0))
        .help("it has one value: leave [" + expr.text + "] away");
    return failed();
  }
  auto name = full_name(expr, expr.text, expr.op_span);
  if (!name) return failed();
  std::vector<std::string> names{*std::move(name)};
  for (const Spec& more : ast_.specs_of(expr)) {
    auto other = full_name(expr, more.value, more.value_span);
    if (!other) return failed();
    if (std::ranges::find(names, *other) != names.end()) {
      diags_.add(DiagCode::D_NamedTwice, more.value_span, *other).help("leave it away");
      return failed();
    }
    names.push_back(*std::move(other));
  }
  out.refers = Checked::Refers::nothing;
  out.instance = names.size() == 1 ? names.front() : pattern_of(names);
  if (names.size() > 1) return out;
  out.type.axes.domain = kNullId;
  out.met.clear();
  return out;
}

std::optional<std::string> Checker::full_name(const Expr& expr, const std::string& written,
                                              Span where) {
  const Checked& operand = arg(expr, 0);
  const InDomId domain = operand.type.axes.domain;
  std::vector<InDomId> domains = operand.met;
  domains.insert(domains.begin(), domain);
  const InstanceMatch match = match_instance(sema_.catalog(), domains, written);
  if (match.how == InstanceMatch::How::found) return match.name;
  if (match.how == InstanceMatch::How::none) {
    Diag& diag = diags_.add(DiagCode::S_NoSuchInstance, where, written, indom_text(domain));
    const std::vector<std::string> names = instance_names(domain);
    const std::string near = near_names_text(near_names(written, names));
    diag.message = print_text(expr, 0) + " has no instance " + written;
    if (!near.empty()) diag.label(where, near);
    if (const std::string help = instance_help(written); !help.empty()) diag.help(help);
    if (!names.empty()) diag.message += "; it has " + first_names_text(names);
    return std::nullopt;
  }
  Diag& diag = diags_.add(DiagCode::D_FirstWord, where, "");
  diag.label(where, fmt::format("did you mean [{}]?", match.name));
  if (match.how == InstanceMatch::How::several) {
    diag.message = fmt::format("\"{}\" is the first word of several instances of {}", written,
                               print_text(expr, 0));
    diag.help("write the whole name of one of them");
  } else {
    diag.message = fmt::format("{} has no instance \"{}\"", print_text(expr, 0), written);
    diag.help(
        fmt::format("PCP looks at the first word only and takes this for \"{}\"", match.name));
  }
  return std::nullopt;
}

// Instances that do not match are vacant (row 84).
Checked Checker::check_matchinst(const Expr& expr) {
  Checked out = arg(expr, 0);
  if (out.type.axes.domain == kNullId) {
    diags_.add(DiagCode::S_NoInstances, arg_expr(expr, 0).span, print_text(expr, 0))
        .help("matchinst() looks at names of instances: leave it out");
    return failed();
  }
  out.refers = Checked::Refers::nothing;
  // Where domains have met there may be others.
  const NoMatch none{
      .pattern = expr.text, .negated = expr.negated, .of = first_name(ast_, ast_.args_of(expr)[0])};
  const auto names = instance_names(out.type.axes.domain);
  if (out.met.empty() && none.holds(names)) none.add_to(diags_, expr.text_span, names);
  return out;
}

std::vector<std::string> Checker::instance_names(InDomId domain) const {
  std::vector<std::string> out;
  for (const auto& instance : sema_.catalog().instances(domain)) out.push_back(instance.name);
  return out;
}

}  // namespace pmjit
