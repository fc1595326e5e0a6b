// RuleParts: the rules of a group, in parts that were opened together, and which of them each part
// tells of. A rule goes on through reloads in its part while it is the same; those that are new or
// others are opened as a part more. Source: spec alerting.md §2.6.
//
//   RuleParts parts(block);                            // one part, which tells of all
//   if (auto rules = parts.missing(next)) parts.add(*rules);      // it tells of nothing yet
//   parts.tell(next, parts.staying(next));             // no part tells of a changed rule,
//   parts.tell(next, next.names);                      // and then its new part does
//   for (size_t part : parts.drop_silent()) …          // the engine drops them, too
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "rules/daemon/rule_blocks.h"

namespace pmjit {

class RulePart {
 public:
  explicit RulePart(RuleBlock rules);

  // All that it evaluates.
  [[nodiscard]] const RuleBlock& rules() const { return rules_; }
  [[nodiscard]] bool evaluates(const BlockRule& rule) const;
  [[nodiscard]] bool tells(std::string_view rule) const { return told_.contains(rule); }
  [[nodiscard]] bool tells_alert(std::string_view alert) const {
    return is_whole_ || told_alerts_.contains(alert);
  }
  [[nodiscard]] bool is_silent() const { return told_.empty(); }
  void tell(RuleNames rules);

 private:
  RuleBlock rules_;
  std::map<std::string, std::string, std::less<>> keys_{};  // of rules_, by name: RuleKeys::whole
  RuleNames told_{}, told_alerts_{};
  bool is_whole_ = false;  // it tells of all rules
};

class RuleParts {
 public:
  // Parts evaluate rules that nobody wants any more, too. All rules begin anew in one part where
  // there would be more parts than this, where half of what is evaluated is not wanted, or where
  // something that is not wanted is due more often than all that is.
  static constexpr size_t kMost = 3;

  explicit RuleParts(RuleBlock first);
  // What is to be opened: rules of the block that no part evaluates, or all of them; none: nothing.
  [[nodiscard]] std::optional<RuleBlock> missing(const RuleBlock& next) const;
  // The last one. Until tell() it tells of nothing.
  RulePart& add(RuleBlock rules);
  void drop_last() { parts_.pop_back(); }
  // Of the rules of `next` those that go on in the part that tells of them now.
  [[nodiscard]] RuleNames staying(const RuleBlock& next) const;
  // From now on parts tell of these rules of `next`: each of what it evaluates.
  void tell(const RuleBlock& next, const RuleNames& rules);
  // Parts that tell of nothing end, but for one where all are such. Which: the last one first.
  std::vector<size_t> drop_silent();
  // All at once are as these.
  void replace(RuleBlock rules);

  [[nodiscard]] RulePart& first() { return *parts_.front(); }
  [[nodiscard]] size_t size() const { return parts_.size(); }

 private:
  [[nodiscard]] bool may_go_on(const RuleBlock& next, size_t missing) const;
  // Null: nobody evaluates it. Of several the newest.
  [[nodiscard]] RulePart* part_of(const BlockRule& rule) const;

  std::vector<std::unique_ptr<RulePart>> parts_;
};

}  // namespace pmjit
