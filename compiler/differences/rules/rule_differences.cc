#include "compiler/differences/rules/rule_differences.h"

#include <fmt/format.h>

#include <algorithm>

#include "compiler/differences/rules/rule_messages.h"
#include "compiler/differences/rules/rule_rows.h"

namespace pmjit::pmie {

namespace {

Diag& add_row(const RuleRow& row, const RuleView& at, Diags& diags) {
  const Span where = row.where(at);
  return row.what != nullptr ? diags.add_here(row.code, where, row.what(at))
                             : diags.add_here(row.code, where);
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

}  // namespace

void RuleDifferences::begin(Diags& diags) {
  diags_ = &diags;
  statements_.clear();
  messages_.clear();
}

void RuleDifferences::told(Severity severity, Span where, std::string_view text) {
  // A place, and then what is wrong there: one message.
  const bool adds = !messages_.empty() && messages_.back().text.empty();
  if (adds) messages_.pop_back();
  messages_.push_back({severity, where, std::string(text)});
}

void RuleDifferences::discarded(uint32_t from) {
  found_.add_here(DiagCode::D_RestIgnored, Span{from, from + 1});
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
      row.what != nullptr ? found_.add_here(row.code, token.span, row.what(token))
                          : found_.add_here(row.code, token.span);
    }
  }
  tell_macros(statement);
  std::vector<RuleFacts> facts;
  if (statement.installed) facts = find_rule_facts(program, statement);
  const auto users = users_of(program, statement.first_node);
  const auto tell = [&](std::span<const RuleRow> rows) {
    for (uint32_t i = statement.first_node; i < program.nodes.size(); ++i) {
      const RuleView at{program, statement, facts, users, options_.metrics, i};
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
    checked.number = static_cast<uint32_t>(program.statements.size()) - 1;
    for (uint32_t i = statement.first_node; i < program.nodes.size(); ++i) {
      add_edits({program, statement, facts, users, options_.metrics, i}, checked.edits);
    }
    add_edits(statement.tokens, checked.edits);
    tell_tasks(program, statement, name_span(statement));
  } else {
    tell(refused_rule_rows());
  }
  for (const Diag& diag : found_.all()) {
    if (diag.severity == Severity::warning) checked.codes.push_back(diag.code);
  }
  pass_on();
}

// With what is said beside each.
void RuleDifferences::pass_on() {
  for (Diag diag : found_.all()) {
    if (const auto way = way_out_of(diag.code); !way.empty()) diag.help(std::string(way));
    diags_->append(diag);
  }
  found_ = {};
}

void RuleDifferences::tell_mistakes(const ReadStatement& statement) {
  for (const Message& message : messages_) {
    add_message(message.severity, message.where, message.text, found_);
    if (message.text.find("not in namespace") != std::string::npos) {
      found_.add_here(DiagCode::D_UnknownDisables, message.where, "statement");
    }
  }
  messages_.clear();
  if (statement.duplicate) found_.add_here(DiagCode::S_Duplicate, name_span(statement));
}

// A macro that rules before have used is defined once more.
void RuleDifferences::tell_macros(const ReadStatement& statement) {
  for (const ScannedToken& token : statement.tokens)
    used_.insert(token.used.begin(), token.used.end());
  if (!statement.defines || statement.name == name_of(Variable::delta)) return;
  if (used_.contains(statement.name)) {
    found_.add_here(DiagCode::D_MacroRedefined, name_span(statement), statement.name);
  }
  used_.erase(statement.name);
}

void RuleDifferences::tell_tasks(const RuleProgram& program, const ReadStatement& statement,
                                 Span name) {
  if (!acts(program, statement.first_node)) return;
  const bool is_new = intervals_.insert(program.statements.back().delta).second;
  if (is_new && intervals_.size() > 1) found_.add_here(DiagCode::D_LatestFirst, name);
}

void RuleDifferences::end(bool last_failed) {
  const auto mistaken = [](const CheckedStatement& statement) { return statement.mistaken; };
  const bool some_run = std::ranges::any_of(statements_, &CheckedStatement::is_rule);
  for (CheckedStatement& statement : statements_) {
    if (!statement.mistaken || !some_run) continue;
    found_.add_here(DiagCode::D_OthersRun, statement.span);
  }
  if (!last_failed && std::ranges::any_of(statements_, mistaken)) {
    found_.add_here(DiagCode::D_LastStatusOnly, statements_.back().span);
  }
  pass_on();
  diags_ = nullptr;
}

}  // namespace pmjit::pmie
