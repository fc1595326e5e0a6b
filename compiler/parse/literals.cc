// Numbers, patterns and tags are checked once the tree stands, so that all mistakes of a text are
// listed.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>

#include "compiler/ast/words.h"
#include "compiler/parse/stages.h"
#include "runtime/base/near.h"

namespace pmjit::parse {
namespace {

void check_pattern(const Expr& e, Diags& diags) {
  const std::string error = pattern_error(e.text);
  if (error.empty()) return;
  const std::string fault = pattern_fault(e.text);
  diags.add(DiagCode::P_BadRegex, e.text_span, fault.empty() ? error : fault)
      .help(
          "patterns are POSIX extended regular expressions; \\\\ stands for one backslash, \\/ for "
          "a slash");
}

bool same_word(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](char x, char y) {
    return std::tolower(static_cast<unsigned char>(x)) ==
           std::tolower(static_cast<unsigned char>(y));
  });
}

bool is_one_of(std::string_view value, std::initializer_list<std::string_view> words) {
  return std::any_of(words.begin(), words.end(),
                     [&](std::string_view w) { return same_word(w, value); });
}

// null, or DOMAIN.SERIAL as pmDesc has them.
bool is_indom(std::string_view value) {
  if (same_word(value, "null")) return true;
  const size_t dot = value.find('.');
  if (dot == value.npos) return false;
  const auto number_upto = [](std::string_view digits, uint32_t limit) {
    uint32_t n = 0;
    const auto [end, ec] = std::from_chars(digits.data(), digits.data() + digits.size(), n);
    return ec == std::errc() && end == digits.data() + digits.size() && n <= limit;
  };
  return number_upto(value.substr(0, dot), 510) &&
         number_upto(value.substr(dot + 1), (1u << 22) - 1);
}

void check_tag(const Spec& spec, Diags& diags) {
  if (!is_reserved_word(spec.tag)) {
    const std::vector<std::string> tags{"type", "semantics", "units", "indom", "meta"};
    const auto near = near_names(spec.tag, tags);
    diags.add(DiagCode::P_BadTag, spec.tag_span, fmt::format("unknown tag {}", spec.tag))
        .help(near.empty() ? "tags are type, semantics, units, indom and meta"
                           : near_names_text(near));
    return;
  }
  std::string_view allowed;
  if (spec.tag == "type" && !is_one_of(spec.value, {"32", "U32", "64", "U64", "FLOAT", "DOUBLE"}))
    allowed = "32, U32, 64, U64, FLOAT, DOUBLE";
  else if (spec.tag == "semantics" && !is_one_of(spec.value, {"counter", "instant", "discrete"}))
    allowed = "counter, instant, discrete";
  else if (spec.tag == "indom" && !is_indom(spec.value))
    allowed = "null, or DOMAIN.SERIAL with DOMAIN up to 510 and SERIAL up to 4194303";
  else if (spec.tag == "meta" && (spec.quoted || spec.value.empty()))
    allowed = "the name of a metric, without double quotes";
  if (allowed.empty()) return;
  diags
      .add(DiagCode::P_BadTag, spec.value_span,
           fmt::format("unknown value of {}: {}", spec.tag, spec.value))
      .help(fmt::format("it may be {}", allowed));
}

void check_constant(const Ast& ast, const Expr& e, Diags& diags) {
  const auto specs = ast.specs_of(e);
  for (const Spec& spec : specs) check_tag(spec, diags);
  if (e.kind != ExprKind::mkconst) return;
  const Expr& number = ast.exprs[ast.args_of(e)[0]];
  if (number.kind != ExprKind::real) return;
  for (const Spec& spec : specs)
    if (spec.tag == "type" && is_one_of(spec.value, {"32", "U32", "64", "U64"}))
      diags
          .add(DiagCode::P_BadTag, number.span,
               fmt::format("{} is not a number of type {}", number.text, spec.value))
          .label(spec.value_span, "an integer type")
          .help("write type=double, or a number without fraction and exponent");
}

}  // namespace

void check_number(const Expr& e, Diags& diags) {
  const char *begin = e.text.data(), *end = begin + e.text.size();
  if (e.kind == ExprKind::integer) {
    uint64_t value = 0;
    if (std::from_chars(begin, end, value).ec == std::errc()) return;
    diags.add(DiagCode::P_BadNumber, e.text_span, e.text)
        .help(
            fmt::format("integers end at 18446744073709551615; write a real number: {}.0", e.text));
    return;
  }
  double value = 0;
  if (std::from_chars(begin, end, value).ec != std::errc::result_out_of_range) return;
  diags.add(DiagCode::P_BadNumber, e.text_span, e.text)
      .help("a real number is 0 or between 5e-324 and 1.797e308");
}

void check_literals(const Ast& ast, Diags& diags) {
  for (const Expr& e : ast.exprs) {
    switch (e.kind) {
      case ExprKind::integer:
      case ExprKind::real: check_number(e, diags); break;
      case ExprKind::matchinst: check_pattern(e, diags); break;
      case ExprKind::mkconst:
      case ExprKind::novalue: check_constant(ast, e, diags); break;
      case ExprKind::name:
        if (e.text.empty()) diags.add(DiagCode::P_Syntax, e.text_span, "a name is empty");
        break;
      default: break;
    }
  }
}

}  // namespace pmjit::parse
