#include "compiler/differences/rules/rule_differences.h"

#include <fmt/format.h>

#include <algorithm>

#include "compiler/compat/pmie/mistakes/meant_words.h"
#include "compiler/compat/pmie/mistakes/usual_mistakes.h"
#include "compiler/compat/pmie/words.h"
#include "compiler/differences/levels.h"
#include "compiler/differences/rules/rule_rows.h"
#include "runtime/base/blanks.h"

namespace pmjit::pmie {

namespace {

// With what is said beside it.
Diag& with_way_out(Diag& diag) {
  if (const auto way = way_out_of(diag.code); !way.empty()) diag.help(std::string(way));
  return diag;
}

void add_row(const RuleRow& row, const RuleView& at, Diags& diags) {
  const Span where = row.where(at);
  Diag& diag = row.what != nullptr ? diags.add_here(row.code, where, row.what(at))
                                   : diags.add_here(row.code, where);
  set_level(at, diag);
  if (diag.severity != Severity::warning) with_way_out(diag);
}

// What is about a statement as a whole, or about a file.
Diag& add_plain(DiagCode code, Span where, Diags& diags) {
  Diag& diag = with_way_out(diags.add_here(code, where));
  diag.severity = level_of(code, true);
  return diag;
}

// Which node each is an operand of.
std::vector<uint32_t> users_of(const RuleProgram& program, uint32_t first) {
  std::vector<uint32_t> out(program.nodes.size() - first, kNone);
  for (uint32_t i = first; i < program.nodes.size(); ++i) {
    for (const uint32_t operand : {program.nodes[i].left, program.nodes[i].right}) {
      if (operand != kNone && operand >= first) out[operand - first] = i;
    }
  }
  return out;
}

bool acts(const RuleProgram& program, uint32_t first) {
  return std::any_of(program.nodes.begin() + first, program.nodes.end(),
                     [](const PmieNode& node) { return kind_of(node.op) == OpKind::action; });
}

// The name that a statement is given, else its first word.
Span name_span(const ReadStatement& statement) { return statement.tokens.front().span; }

Span whole(const ReadStatement& statement) {
  return join(statement.tokens.front().span, statement.tokens.back().span);
}

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

// An operand has wrong units, and another warning says so. Then the units here differ, too.
bool follows_from_operand(const Diag& diag, const Diags& all) {
  if (diag.code != DiagCode::D_CompareDimensions && diag.code != DiagCode::D_AddDimensions) {
    return false;
  }
  return std::ranges::any_of(all.all(), [&](const Diag& other) {
    const bool of_units =
        other.code == DiagCode::D_SecondDerivative || other.code == DiagCode::D_AddDimensions;
    if (!of_units || other.severity != Severity::warning) return false;
    return std::ranges::any_of(diag.labels, [&](const DiagLabel& operand) {
      return other.span.begin >= operand.span.begin && other.span.end <= operand.span.end;
    });
  });
}

// A unit that is given twice in a number whose units are wrong. The warning about the units says so
// too.
bool is_said_of_number(const Diag& diag, const Diags& all) {
  if (diag.code != DiagCode::D_GivenTwice) return false;
  return std::ranges::any_of(all.all(), [&](const Diag& other) {
    const bool of_units =
        other.code == DiagCode::D_CompareDimensions || other.code == DiagCode::D_AddDimensions;
    if (!of_units || other.severity != Severity::warning) return false;
    return std::ranges::any_of(other.labels, [&](const DiagLabel& operand) {
      return diag.span.begin >= operand.span.begin && diag.span.end <= operand.span.end;
    });
  });
}

// The sign before the name of an instance or a host; "": something else is there.
std::string_view sign_before(std::string_view text, uint32_t begin) {
  const std::string_view sign = text.substr(begin > 0 ? begin - 1 : begin, 1);
  return sign == "#" || sign == ":" ? sign : "";
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

void RuleDifferences::begin(Diags& diags, std::string_view text) {
  diags_ = &diags;
  text_ = text;
  statements_.clear();
  any_mistaken_ = false;
  messages_.clear();
}

void RuleDifferences::told(Severity severity, Span where, std::string_view text) {
  // A place, and then what is wrong there: one message.
  const bool adds = !messages_.empty() && messages_.back().text.empty();
  if (adds) messages_.pop_back();
  messages_.push_back({severity, where, std::string(text)});
}

void RuleDifferences::discarded(uint32_t from) {
  add_plain(DiagCode::D_RestIgnored, Span{from, from + 1}, found_).message =
      "pmie ignores the rest of the file after this .";
  pass_on();
}

void RuleDifferences::read(const RuleProgram& program, const ReadStatement& statement) {
  CheckedStatement& checked = statements_.emplace_back();
  checked.name = statement.installed ? program.statements.back().name : statement.name;
  checked.span = whole(statement);
  checked.defines = statement.defines;
  checked.mistaken = statement.mistaken;
  tell_mistakes(statement);
  for (size_t i = 0; i < statement.tokens.size(); ++i) {
    for (const TokenRow& row : rule_token_rows()) {
      if (!row.holds(statement.tokens, i)) continue;
      const ScannedToken& token = statement.tokens[i];
      Diag& diag = row.what != nullptr ? found_.add_here(row.code, token.span, row.what(token))
                                       : found_.add_here(row.code, token.span);
      set_level(token, text_, diag);
      if (diag.severity != Severity::warning) with_way_out(diag);
    }
  }
  for (const ScannedToken& token : statement.tokens) {
    checked.used.insert(token.used.begin(), token.used.end());
  }
  tell_macros(statement);
  warn_of_hold_off_unit(statement);
  // What is open behind a mistake is open because of it.
  any_mistaken_ |= checked.mistaken;
  if (!any_mistaken_) tell_open_quotes(statement);
  std::vector<RuleFacts> facts;
  if (statement.installed) facts = find_rule_facts(program, statement);
  const auto users = users_of(program, statement.first_node);
  const auto tell = [&](std::span<const RuleRow> rows) {
    for (uint32_t i = statement.first_node; i < program.nodes.size(); ++i) {
      const RuleView at{program, statement, facts, users, options_.metrics, text_, i};
      for (const RuleRow& row : rows) {
        if (row.holds(at)) add_row(row, at, found_);
      }
    }
  };
  if (statement.installed) {
    for (auto* rows : {rule_text_rows, rule_number_rows, rule_unit_rows, rule_instance_rows,
                       rule_absence_rows, rule_time_rows, rule_action_rows}) {
      tell(rows());
    }
    const PmieNode& root = program.nodes[program.statements.back().root];
    checked.is_rule = root.sem == Sem::truth || kind_of(root.op) == OpKind::rule;
    checked.acts = acts(program, statement.first_node);
    if (kind_of(root.op) == OpKind::action) {
      found_.add(DiagCode::P_RuleWarning, name_span(statement), "this action has no condition")
          .help("pmie performs it at every evaluation; a ; ends the rule before it");
    }
    checked.number = static_cast<uint32_t>(program.statements.size()) - 1;
    for (uint32_t i = statement.first_node; i < program.nodes.size(); ++i) {
      const RuleView at{program, statement, facts, users, options_.metrics, text_, i};
      add_edits(at, checked.edits);
      add_c_reading(at, checked.as_in_c);
    }
    add_edits(statement.tokens, checked.edits);
    tell_tasks(program, statement, name_span(statement));
  } else {
    tell(refused_rule_rows());
  }
  for (const Diag& diag : found_.all()) {
    if (diag.severity != Severity::error) checked.codes.push_back(diag.code);
  }
  if (options_.progress) options_.progress(checked.span.end);
  pass_on();
}

void RuleDifferences::pass_on() {
  for (Diag diag : found_.all()) {
    if (follows_from_operand(diag, found_) || is_said_of_number(diag, found_)) {
      diag.severity = Severity::note;
    }
    if (options_.differences || diag.severity != Severity::note) diags_->append(diag);
  }
  found_ = {};
}

// A statement that does not parse: that a word in it is no metric follows from that.
bool RuleDifferences::breaks_grammar(const Message& message) {
  if (message.severity != Severity::error) return false;
  return message.text.empty() || message.text.find(" expected to ") != std::string::npos;
}

// No metric of that name: one without a dot, as the words of sentences are.
bool RuleDifferences::is_bare_word(const Message& message) {
  constexpr std::string_view kMetric = "metric ";
  if (message.text.find("not in namespace") == std::string::npos) return false;
  const size_t at = message.text.find(kMetric);
  if (at == std::string::npos) return false;
  const size_t begin = at + kMetric.size();
  const std::string_view rest = std::string_view(message.text).substr(begin);
  return !rest.substr(0, rest.find_first_of(" \n")).contains('.');
}

void RuleDifferences::tell_mistakes(const ReadStatement& statement) {
  // That an operand is missing follows from a macro that is not there.
  constexpr std::string_view kNoMacro = "undefined macro";
  const auto lacks_macro = [&](const Message& message) {
    return message.text.find(kNoMacro) != std::string::npos ||
           message.text.find("macro name must begin") != std::string::npos;
  };
  const bool follow = std::ranges::any_of(messages_, lacks_macro);
  const bool breaks = std::ranges::any_of(messages_, breaks_grammar);
  for (const Message& message : messages_) {
    const bool of_operand = message.text.find(" expected to ") != std::string::npos;
    if ((follow && of_operand) || (breaks && is_bare_word(message))) continue;
    tell(statement, message);
    if (message.text.find("not in namespace") != std::string::npos) {
      found_.add_here(DiagCode::D_UnknownDisables, message.where, "statement").severity =
          Severity::note;
    }
  }
  tell_other_metrics(statement);
  messages_.clear();
  if (!statement.taken_by.empty()) {
    found_.add_here(DiagCode::S_Duplicate, name_span(statement)).severity = Severity::note;
  }
}

// The first messages offer what is near.
void RuleDifferences::tell(const ReadStatement& statement, const Message& message) {
  const bool offers = offers_left_ > 0;
  add_message(message.severity, message.where, message.text,
              {.statement = statement,
               .metrics = options_.metrics,
               .catalog = offers ? options_.catalog : nullptr,
               .macros = defined_,
               .offers = offers},
              found_);
  if (offers) --offers_left_;
}

// pmie asks for the metrics of a condition up to the first that is not there. The others behind it
// may be mistyped, too.
void RuleDifferences::tell_other_metrics(const ReadStatement& statement) {
  const auto lacks = std::ranges::find_if(messages_, [](const Message& message) {
    return message.text.find("not in namespace") != std::string::npos && !is_bare_word(message);
  });
  if (lacks == messages_.end() || options_.catalog == nullptr || options_.metrics == nullptr)
    return;
  constexpr std::string_view kMetric = "metric ";
  const size_t begin = lacks->text.find(kMetric) + kMetric.size();
  const size_t size = lacks->text.find_first_of(" \n", begin) - begin;
  std::set<std::string> told{lacks->text.substr(begin, size)};
  for (const ScannedToken& token : statement.tokens) {
    const bool is_behind = token.kind == RuleToken::NAME && token.text.contains('.') &&
                           token.span.begin > lacks->where.begin;
    const size_t before = text_.find_last_not_of(" \t\n'", token.span.begin - 1);
    const bool is_part = before != text_.npos && (text_[before] == '#' || text_[before] == ':');
    if (!is_behind || is_part || options_.metrics->look_up(0, token.text)) continue;
    if (!told.insert(token.text).second) continue;
    Message other = *lacks;
    other.where = token.span;
    other.text.replace(begin, size, token.text);
    tell(statement, other);
  }
}

// pmie takes the bare number: 10 Kbyte are 10,240 seconds.
void RuleDifferences::warn_of_delta_unit(const ReadStatement& statement) {
  for (const ScannedToken& token : statement.tokens) {
    const bool is_unit = token.kind == RuleToken::UNIT || token.kind == RuleToken::UNIT_SLASH;
    const UnitWord* const unit = is_unit ? find_unit(token.text) : nullptr;
    if (unit == nullptr || unit->kind == UnitWord::Kind::time) continue;
    found_
        .add(DiagCode::P_RuleWarning, token.span,
             fmt::format("delta is a time, and {} is no unit of time", token.text))
        .help("pmie takes the bare number as seconds; write for instance delta = 2 min;");
    return;
  }
}

// print 5 Kbyte "x": likewise 5,120 seconds.
void RuleDifferences::warn_of_hold_off_unit(const ReadStatement& statement) {
  for (size_t i = 2; i < statement.tokens.size(); ++i) {
    const ScannedToken& token = statement.tokens[i];
    if (statement.tokens[i - 2].kind != RuleToken::VERB) continue;
    const bool is_unit = token.kind == RuleToken::UNIT || token.kind == RuleToken::UNIT_SLASH;
    const UnitWord* const unit = is_unit ? find_unit(token.text) : nullptr;
    if (unit == nullptr || unit->kind == UnitWord::Kind::time) continue;
    found_
        .add(DiagCode::P_RuleWarning, token.span,
             fmt::format("a hold-off is a time, and {} is no unit of time", token.text))
        .help("pmie takes the bare number as seconds; write for instance print 5 min \"…\"");
  }
}

// pmie reads a name or a text up to the next quote, or the end of the file. With metadata D79 knows
// which instance is meant.
void RuleDifferences::tell_open_quotes(const ReadStatement& statement) {
  for (const ScannedToken& token : statement.tokens) {
    const std::string_view written =
        text_.substr(token.span.begin, token.span.end - token.span.begin);
    const bool name = token.kind == RuleToken::NAME && options_.metrics == nullptr;
    const bool text = token.kind == RuleToken::TEXT && !written.ends_with('"');
    const size_t line = written.find('\n');
    if ((!name && !text) || line == written.npos) continue;
    const std::string_view meant =
        without_blanks(written.substr(0, std::min(line, written.find_first_of("<>=!&|;"))));
    found_
        .add(DiagCode::P_RuleWarning,
             {token.span.begin, token.span.begin + static_cast<uint32_t>(line)},
             fmt::format("this {} has no closing quote", name ? "name" : "text"))
        .help(fmt::format("pmie reads it up to the next quote, or the end of the file: "
                          "write {}{}{}",
                          sign_before(text_, token.span.begin), meant, name ? "'" : "\""));
  }
}

// A macro that rules before have used is defined once more.
void RuleDifferences::tell_macros(const ReadStatement& statement) {
  for (const ScannedToken& token : statement.tokens)
    used_.insert(token.used.begin(), token.used.end());
  if (!statement.defines) return;
  if (statement.name == name_of(Variable::delta)) return warn_of_delta_unit(statement);
  defined_.insert(statement.name);
  if (used_.contains(statement.name)) {
    with_way_out(found_.add_here(DiagCode::D_MacroRedefined, name_span(statement), statement.name))
        .severity = level_of(DiagCode::D_MacroRedefined, true);
  }
  used_.erase(statement.name);
}

void RuleDifferences::tell_tasks(const RuleProgram& program, const ReadStatement& statement,
                                 Span name) {
  if (!acts(program, statement.first_node)) return;
  const bool is_new = intervals_.insert(program.statements.back().delta).second;
  if (is_new && intervals_.size() > 1) add_plain(DiagCode::D_LatestFirst, name, found_);
}

// A delta before the next one, and no rule between them.
void RuleDifferences::tell_replaced(const CheckedStatement& statement,
                                    std::span<const CheckedStatement> rest) {
  const auto next = std::ranges::find_if(rest, [&](const CheckedStatement& other) {
    return !other.defines || other.name == statement.name;
  });
  if (next == rest.end() || !next->defines || next->mistaken) return;
  warn_of_replaced_delta(statement.span, found_);
}

// A delta without a rule behind it, and a macro that nothing uses and that is written like delta.
void RuleDifferences::tell_deltas() {
  const std::string_view delta = name_of(Variable::delta);
  for (size_t i = 0; i < statements_.size(); ++i) {
    const CheckedStatement& statement = statements_[i];
    if (!statement.defines || statement.mistaken) continue;
    const auto rest = std::span(statements_).subspan(i + 1);
    if (statement.name == delta) {
      // A file of definitions alone is for others that are read behind it.
      const bool has_rules = !std::ranges::all_of(statements_, &CheckedStatement::defines);
      if (has_rules) tell_replaced(statement, rest);
      if (!has_rules || !std::ranges::all_of(rest, &CheckedStatement::defines)) continue;
      warn_of_late_delta(statement.span, found_);
      continue;
    }
    const std::string meant = variable_meant(statement.name);
    if (meant.empty() || used_.contains(statement.name)) continue;
    warn_of_unused_macro(statement.span, statement.name, meant, found_);
  }
}

// A file in which no statement compares or acts: pmie computes values and does nothing with them.
void RuleDifferences::tell_numbers() {
  const auto value = std::ranges::find_if(statements_, [](const CheckedStatement& one) {
    return !one.name.empty() && !one.is_rule && !one.acts && !one.defines && !one.mistaken;
  });
  const bool does_more = std::ranges::any_of(statements_, [](const CheckedStatement& one) {
    return one.is_rule || one.acts || one.mistaken;
  });
  if (value == statements_.end() || does_more) return;
  // An open quote before the name of an instance takes the comparison with it: D79 says so.
  if (std::ranges::find(value->codes, DiagCode::D_FirstWord) != value->codes.end()) return;
  if (const auto semicolon = semicolon_of_definitions(text_)) {
    *diags_ = {};  // what they are as rules is of no use
    warn_of_semicolon(*semicolon, found_);
    return;
  }
  found_
      .add(DiagCode::P_RuleWarning, value->span,
           "this is a number: it compares nothing and has no action")
      .help("a rule is NAME = CONDITION -> ACTION; files that define metrics are given with -c");
}

void RuleDifferences::end(bool last_failed) {
  tell_deltas();
  tell_numbers();
  const auto mistaken = [](const CheckedStatement& statement) { return statement.mistaken; };
  const bool some_run = std::ranges::any_of(statements_, &CheckedStatement::is_rule);
  for (CheckedStatement& statement : statements_) {
    if (!statement.mistaken || !some_run) continue;
    add_plain(DiagCode::D_OthersRun, statement.span, found_);
  }
  if (!last_failed && std::ranges::any_of(statements_, mistaken)) {
    add_plain(DiagCode::D_LastStatusOnly, statements_.back().span, found_);
  }
  pass_on();
  diags_ = nullptr;
}

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

// B && C of (A || B) && C, with all that && joins to it.
void add_c_reading(const RuleView& at, std::vector<Edit>& edits) {
  if (!is_mixed_logic(at) || !at.is(PmieOp::both)) return;
  const PmieNode& first = at.program.nodes[at.left_node().right];
  uint32_t last = at.index;
  for (;;) {
    const uint32_t user = at.users[last - at.statement.first_node];
    const bool grouped = at.program.nodes[last].place.grouped;
    if (grouped || user == kNone) break;
    if (at.program.nodes[user].op != PmieOp::both || at.program.nodes[user].left != last) break;
    last = user;
  }
  const PmieNode& end = at.program.nodes[at.program.nodes[last].right];
  edits.push_back({Span{first.place.span.begin, end.place.span.end}, "(", ")"});
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
