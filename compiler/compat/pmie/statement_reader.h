// One statement: the steps of its parse, given types in the order of the tokens, as pmie's own
// parser shifts and reduces. Where the types do not fit, or the parse broke off, it is told which
// message pmie has and where its reader goes on. Source: spec rules-language.md §3, §24.
#pragma once

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "compiler/compat/pmie/expr.h"
#include "compiler/compat/pmie/nodes.h"
#include "compiler/compat/pmie/rule_reader.h"

namespace pmjit::pmie {

// A fetch as it is written, bound to the metrics of its hosts. Source: spec rules-language.md §6,
// §16, §24.
struct WrittenFetch {
  std::string name;
  std::vector<std::string> hosts, instances;
  std::vector<double> samples;  // none, one or two
  Span span{};
};

struct BoundFetch {
  Fetch fetch;
  PmieShape shape;  // but for the samples
};

// All instances of the domains that were met.
using DomainLists = std::map<std::pair<uint32_t, InDomId>, std::shared_ptr<const InstanceList>>;

// What is behind `@`.
void set_samples(const WrittenFetch& written, Fetch& fetch);
// None: a message has said why. A failure ends the program.
[[nodiscard]] Result<std::optional<BoundFetch>> look_up(const WrittenFetch& written,
                                                        RuleMetrics& metrics, DomainLists& lists,
                                                        RuleReader::Messages& messages,
                                                        const std::string& program);
// Those of its hosts whose metric waits, where it is there now. True: some were.
[[nodiscard]] bool look_up_again(Fetch& fetch, RuleMetrics& metrics, DomainLists& lists);
// Elements of a sample that are known; kNoAxis: none are.
[[nodiscard]] int32_t known_elements(const Fetch& fetch);

class PmieStatementReader {
 public:
  struct World {
    Nodes& nodes;
    PmieScanner& scanner;
    RuleReader::Messages& messages;
    // What messages get, with the place that it is about.
    std::function<void(Span, const std::string&)> tell;
    // Binds a fetch and makes its node; none: it could not be.
    std::function<Result<std::optional<uint32_t>>(const WrittenFetch&)> fetch;
    // Says an error at the place that has been reached, "" without a second line.
    std::function<void(const Inputs&, const std::string&)> complain;
    std::function<void(const std::string&)> warn;
    // The statement is complete up to here; what follows may still spoil it.
    std::function<void(uint32_t, const Inputs&)> complete;
  };

  PmieStatementReader(const World& world, const std::vector<ScannedToken>& tokens)
      : world_(world), tokens_(tokens) {}

  // Reads it, and moves the scanner on where there was an error. A failure ends the program.
  [[nodiscard]] Result<void> read();
  // An error of meaning at the place that has been reached.
  void complain(const std::string& text);

  // The scanner: it has read what is complete, and mostly a token more.
  [[nodiscard]] const Inputs& reached() const {
    return has_error ? world_.scanner.inputs() : tokens_[ahead_ - 1].after;
  }

  // Of the action that is read.
  [[nodiscard]] Span verb_span() const { return verb_span_; }

  std::string name;        // "" if it has none
  uint32_t rules = 0;      // `->` and clauses
  bool has_stomp = false;  // an action that needs a message server
  bool failed = false;     // an error was said: it is not installed
  bool has_error = false;  // a place of one was said, at least
  bool dropped = false;    // or something that is none, and it is not installed either

 private:
  enum class Where : uint8_t {
    start,
    group,      // ( … )
    rules,      // an alternative of a ruleset
    clause,     // `unknown ->`
    operand,    // what is behind an operator
    pattern,    // of match_inst
    verb,       // arguments
    qualifier,  // : # @
  };
  // Something that is open: it waits for its operand, or has it.
  struct Frame {
    Where place;
    uint32_t token;  // that opened it
    Types wanted;
    size_t values;  // that were there before
    bool is_sign = false;

    // Has it no message for what is missing behind it?
    [[nodiscard]] bool waits() const { return place <= Where::clause; }
  };
  struct Value {
    Types type;
    uint32_t node;
    Span span{};
    bool grouped = false;  // in parentheses
  };

  bool take(uint32_t token);
  bool take_operand(uint32_t token);
  bool take_operator(uint32_t token, const Signature& signature);
  bool take_close();
  bool take_part(uint32_t token);
  bool take_clause(uint32_t token);
  bool take_clause_arrow(uint32_t token);
  bool take_in_verb(const ScannedToken& token);
  bool finish(parse::ParseStep::Kind kind);
  bool finish_fetch();
  void begin_number(const ScannedToken& token);
  void finish_number();
  void finish_operator();  // the innermost, which has_operand()
  bool finish_binary();
  bool finish_prefix();
  void finish_action();
  bool finish_ruleset();
  bool close_part();
  // statement_recovery.cc
  void recover(uint32_t offending);
  void reduce_complete();
  void reopen_unknown();
  void report(uint32_t offending);
  void say(const std::string& text, Span about);
  void go_on(uint32_t next);
  void reduce_before(uint32_t next);
  bool shift(uint32_t sign);
  void give_up_operand();
  void end_recovery();
  [[nodiscard]] bool decides_late(const Frame& open) const;
  void take_end();
  void complete(uint32_t behind);
  void put_notes(uint32_t token);
  void read_ahead();
  void reduce_unseen();
  [[nodiscard]] bool needs_ahead(parse::ParseStep::Kind kind) const;

  [[nodiscard]] const ScannedToken& at(uint32_t token) const { return tokens_[token]; }
  [[nodiscard]] bool operand_next() const { return values_.size() == frames_.back().values; }
  [[nodiscard]] Frame& frame() { return frames_.back(); }
  [[nodiscard]] bool has_operand() const {
    return !operand_next() && (values_.back().type & frames_.back().wanted) != 0;
  }
  void push_value(Types type, uint32_t node, const SourcePlace& place = {}) {
    world_.nodes.set_place(node, place);
    values_.push_back({type, node, place.span});
  }
  void push_leaf(Types type, uint32_t node, Span span) { push_value(type, node, {span, span}); }
  Value pop_value();
  void open(Where place, uint32_t token, Types wanted, bool is_sign = false);

  const World& world_;
  const std::vector<ScannedToken>& tokens_;
  std::vector<Frame> frames_;
  std::vector<Value> values_;
  uint32_t next_ = 0;   // one past the last token that was taken
  uint32_t ahead_ = 0;  // one past the last that was read
  std::optional<Error> end_of_program_;

  // As in a parser that yacc has made: a token that does not fit directly behind an error is passed
  // over; the end of the statement then ends it.
  bool directly_behind_error_ = true;
  bool end_taken_ = false;
  RuleToken given_up_ = RuleToken::END;  // what was last said to miss its operand

  WrittenFetch fetch_;
  Span name_span_;  // of the fetch
  double number_ = 0;
  Span number_span_;
  Units units_;
  bool unit_slash_ = false;
  std::string unit_;
  PmieNode verb_;
  Span verb_span_;
  Span making_;  // the operator whose node is made; empty: none is
};

// Options among the arguments of a syslog action. Source: spec rules-language.md §12.

// Takes them out of the arguments.
void read_syslog_options(PmieNode& action, const std::function<void(const std::string&)>& warn);

}  // namespace pmjit::pmie
