// Registry: the derived metrics that are registered in a process: names, identifiers, expressions,
// texts. Nothing is bound here. Source: spec derived-metrics.md §1, §7.1, §8.1.
//
//   if (auto wrong = registry.add("my.metric", "a + b")) show(wrong->offset, wrong->message);
#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "compiler/ast/ast.h"
#include "compiler/ast/dialect.h"
#include "compiler/compat/definitions/parse.h"
#include "compiler/compat/registry/strict.h"
#include "runtime/model/catalog.h"
#include "runtime/model/desc.h"

namespace pmjit {

struct DerivedMetric {
  std::string name;
  PmId pmid = kNullId;
  Dialect dialect = Dialect::pcp6;
  std::shared_ptr<const Ast> expression;  // null: never has values; strict: StrictFiles has it
  std::string place{};                    // FILE:LINE of its definition; empty: of none
  std::optional<std::string> one_line, help;
  bool removed = false, always_there = false;
};

// PM_ERR_TEXT: it has one.
[[nodiscard]] OrPmError<void> add_text(DerivedMetric& metric, TextKind kind, std::string_view text);

class Registry {
 public:
  // With the two metrics that are always there: what an event record's flags and its missed records
  // appear as. `late`: they come with add_always_there().
  explicit Registry(Dialect dialect, bool late = false);
  void add_always_there();

  [[nodiscard]] Dialect dialect() const { return dialect_; }
  // What the scanner will be in when the next text begins.
  [[nodiscard]] bool in_pattern() const { return in_pattern_; }
  // In the order of registration, with those that were removed; addresses stay.
  [[nodiscard]] const std::deque<DerivedMetric>& metrics() const { return metrics_; }
  // Grows with every metric that is added or removed.
  [[nodiscard]] size_t changes() const { return metrics_.size() + removed_; }
  [[nodiscard]] const DerivedMetric* find(std::string_view name) const;
  [[nodiscard]] const DerivedMetric* find(PmId pmid) const;
  // Which of metrics() an identifier of theirs is.
  [[nodiscard]] static size_t number(PmId pmid);
  [[nodiscard]] DerivedMetric* find_to_change(std::string_view name);

  // Of the last add() that failed; empty: it did not.
  [[nodiscard]] const std::string& last_message() const { return last_message_; }
  // Nothing: it is registered. Else why it is not, with an offset of `expression`.
  [[nodiscard]] std::optional<pcp::SyntaxError> add(std::string_view name,
                                                    std::string_view expression);

  // False: there is none. Those that are always there stay.
  bool remove(std::string_view name);

  // A metric of a file in the strict dialect, for which there is room.
  void add_strict(const StrictDefinition& definition, const std::string& file);
  // Why there can be no metric of that name, besides `others` that are to come before it; nothing:
  // there can.
  [[nodiscard]] std::optional<pcp::SyntaxError> no_room_for(std::string_view name,
                                                            size_t others) const;

  int limit = -1;  // PCP_DERIVED_GLOBAL_LIMIT
  // How many metrics of single contexts have an identifier. It starts anew with the first one of a
  // context. Source: spec derived-metrics.md §8.1.
  mutable std::atomic<uint32_t> own_numbers = 0;
  bool missing_are_novalue = false;  // PCP_DERIVED_OPTION_NOVALUE
  EquivalentDomains equivalent_domains;

 private:
  DerivedMetric& append(std::string_view name);
  [[nodiscard]] std::optional<pcp::SyntaxError> try_to_add(std::string_view name,
                                                           std::string_view expression);

  Dialect dialect_;
  std::string last_message_;
  bool in_pattern_ = false;  // of the scanner
  std::deque<DerivedMetric> metrics_;
  size_t removed_ = 0, always_there_ = 0;
  std::unordered_map<std::string_view, size_t> by_name_;  // views into metrics_
};

}  // namespace pmjit
