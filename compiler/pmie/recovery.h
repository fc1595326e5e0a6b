// What pmie says of a token that does not fit, and of what it reads next until the statement is
// over: its parser goes on with operators whose operands are missing, so that one mistake may have
// several messages. Source: spec rules-language.md §3, §24.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "compiler/pmie/types.h"

namespace pmjit::pmie {

// Something that is open: it waits for its operand, or has it.
struct Frame {
  enum class Place : uint8_t {
    start,
    group,      // ( … )
    rules,      // an alternative of a ruleset
    clause,     // `unknown ->`
    operand,    // what is behind an operator
    pattern,    // of match_inst
    verb,       // arguments
    qualifier,  // : # @
  };
  Place place;
  uint32_t token;  // that opened it
  Types wanted;
  size_t values;  // that were there before
  bool is_sign = false;

  // Has it no message for what is missing behind it?
  [[nodiscard]] bool waits() const { return place <= Place::clause; }
};

class Recovery {
 public:
  // `types`: of the values that are there.
  Recovery(const std::vector<ScannedToken>& tokens, std::vector<Frame> frames,
           std::vector<Types> types, std::function<void(const std::string&)> put)
      : tokens_(tokens),
        frames_(std::move(frames)),
        types_(std::move(types)),
        put_(std::move(put)) {}

  // True when something was said; the rest of the statement is to be skipped then, from behind
  // tokens[stopped_at()].
  bool run(uint32_t offending);
  [[nodiscard]] uint32_t stopped_at() const { return at_; }

 private:
  [[nodiscard]] bool operand_next() const { return types_.size() == frames_.back().values; }
  [[nodiscard]] bool complete() const;
  void go_on(const ScannedToken* next);
  void reduce(const ScannedToken* next);
  bool shift(const ScannedToken& sign);
  void give_up_operand();

  const std::vector<ScannedToken>& tokens_;
  std::vector<Frame> frames_;
  std::vector<Types> types_;
  std::function<void(const std::string&)> put_;
  uint32_t at_ = 0;
};

// What the operator makes that a frame is open for.
[[nodiscard]] Types made_by(const ScannedToken& token, bool is_sign);

}  // namespace pmjit::pmie
