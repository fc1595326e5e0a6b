// LeftOutRules: rules that need a metric that the archives, or live hosts, do not have. The others
// run. One warning names all that are left out. Over live hosts they join when the metric comes.
//
//   reader.watch(&left_out);                   and Messages::absent() to absent()
//   if (!left_out.empty()) complain(left_out.text(verbose));
//   for (const std::string& rule : left_out.take_joined(program)) …   after bind_waiting()
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "compiler/compat/pmie/rule_reader.h"

namespace pmjit {

class LeftOutRules final : public pmie::RuleReader::Watcher {
 public:
  // Of the statement that is read now.
  void absent(const pmie::AbsentMetric& metric) { absent_.push_back({metric.name, metric.host}); }
  void absent(const pmie::AbsentInstance& instance);
  void told(Severity, Span, std::string_view) override {}
  void read(const pmie::RuleProgram& program, const pmie::ReadStatement& statement) override;
  void discarded(uint32_t) override {}

  [[nodiscard]] bool empty() const { return rules_.empty(); }
  // Did all of them need something that is not there?
  [[nodiscard]] bool all() const { return rules_.size() == read_; }
  // One line; with `each` a line more for each rule.
  [[nodiscard]] std::string text(bool each) const;
  // Those that are not there.
  [[nodiscard]] std::vector<std::string> metrics() const;
  // Live: those whose metrics have come. They are not left out any more.
  [[nodiscard]] std::vector<std::string> take_joined(const pmie::RuleProgram& program);
  // Is there a rule of that name, with a mistake that keeps it from running?
  [[nodiscard]] bool mistaken(const std::string& rule) const { return mistaken_.contains(rule); }
  // Why that one is; empty: it is not left out.
  [[nodiscard]] std::string why(const std::string& rule) const;

 private:
  struct Absent {
    std::string metric, host;  // of an instance: disk.dev.write[sda]
    std::string there{};       // of an instance: "; it has vda"
  };
  struct Rule {
    std::string name;
    std::vector<Absent> absent;
    std::optional<uint32_t> statement{};  // live: of the program, where it waits
  };
  std::vector<Absent> absent_;
  std::vector<Rule> rules_;
  std::set<std::string> mistaken_;
  size_t read_ = 0;
};

}  // namespace pmjit
