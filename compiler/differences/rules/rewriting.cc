#include "compiler/differences/rules/rewriting.h"

#include <fmt/format.h>

#include <algorithm>

#include "compiler/differences/rules/rule_rows.h"

namespace pmjit::pmie {

namespace {

// As a rule has it behind a number, in bytes, seconds and counts; "" for none.
std::string canonical_units_text(const Units& units) {
  struct Part {
    int power;
    std::string_view word;
  };
  const Part parts[] = {
      {units.dim_space, "byte"}, {units.dim_time, "sec"}, {units.dim_count, "count"}};
  std::string out;
  for (const bool below : {false, true}) {
    for (const Part& part : parts) {
      const int power = below ? -part.power : part.power;
      if (power <= 0) continue;
      out += fmt::format("{}{}", below ? "/" : " ", part.word);
      if (power > 1) out += fmt::format("^{}", power);
    }
  }
  return out;
}

bool is_rated_counter(const RuleView& at) {
  if (at.is(PmieOp::delay)) return at.left().counter && at.left().rated;
  const bool delayed = at.user() != kNone && at.program.nodes[at.user()].op == PmieOp::delay;
  return at.is_fetch() && !delayed && at.own().counter && at.own().rated;
}

void add_unit_of(const RuleFacts& other, const PmieNode& number, std::vector<Edit>& edits) {
  if (other.units) edits.push_back({number.place.span, "", canonical_units_text(*other.units)});
}

// The % signs of a text, twice where one alone would be a selector.
std::string with_double_percent(std::string_view text) {
  std::string out;
  for (size_t i = 0; i < text.size(); ++i) {
    out += text[i];
    if (text[i] == '%' && is_other_selector(text, i)) out += '%';
  }
  return out;
}

}  // namespace

void add_edits(const RuleView& at, std::vector<Edit>& edits) {
  const PmieNode& node = at.node();
  if (is_rated_counter(at)) edits.push_back({node.place.span, "(rate ", ")"});
  if (is_mixed_logic(at) || covers_relation(at)) {
    edits.push_back({at.left_node().place.span, "(", ")"});
  }
  if (at.is(PmieOp::variable) && node.variable == Variable::month) {
    edits.push_back({node.place.span, "", "", "($month_of_year - 1)"});
  }
  if (left_is_bare(at)) add_unit_of(at.right(), at.left_node(), edits);
  if (right_is_bare(at)) add_unit_of(at.left(), at.right_node(), edits);
  const bool set = at.is(PmieOp::rule) && node.left != kNone && at.left().set;
  if (set) edits.push_back({at.left_node().place.span, "some_inst (", ")"});
}

void add_edits(const std::vector<ScannedToken>& tokens, std::vector<Edit>& edits) {
  for (const ScannedToken& token : tokens) {
    if ((token.traps & (trap::minus_swallowed | trap::exponent_lost)) != 0) {
      edits.push_back({token.span, "", "", fmt::format("{} ", token.number)});
    }
    if (token.kind != RuleToken::TEXT || !token.used.empty()) continue;
    const std::string doubled = with_double_percent(token.text);
    if (doubled == token.text || token.text.find_first_of("\"\\\n\t") != std::string::npos)
      continue;
    edits.push_back({token.span, "", "", fmt::format("\"{}\"", doubled)});
  }
}

std::string rewritten(std::string_view text, Span part, const std::vector<Edit>& edits) {
  std::vector<const Edit*> opening, closing;
  for (const Edit& edit : edits) opening.push_back(&edit);
  const auto size = [](const Edit* edit) { return edit->span.end - edit->span.begin; };
  std::ranges::stable_sort(opening, std::greater(), size);
  closing.assign(opening.rbegin(), opening.rend());
  std::ranges::stable_sort(opening, {}, [](const Edit* edit) { return edit->span.begin; });
  std::ranges::stable_sort(closing, {}, [](const Edit* edit) { return edit->span.end; });
  std::string out;
  auto next = opening.begin();
  auto last = closing.begin();
  for (uint32_t at = part.begin; at <= part.end; ++at) {
    for (; last != closing.end() && (*last)->span.end <= at; ++last) out += (*last)->behind;
    if (at == part.end) break;
    const Edit* instead = nullptr;
    for (; next != opening.end() && (*next)->span.begin <= at; ++next) {
      out += (*next)->before;
      if ((*next)->instead) instead = *next;
    }
    if (instead == nullptr) {
      out += text[at];
      continue;
    }
    out += *instead->instead;
    at = instead->span.end - 1;
  }
  return out;
}

}  // namespace pmjit::pmie
