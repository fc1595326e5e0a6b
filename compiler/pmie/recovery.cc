#include "compiler/pmie/recovery.h"

namespace pmjit::pmie {
namespace {

// Spec §3, the table of precedence.
int precedence(const ScannedToken& token, bool is_sign) {
  switch (token.kind) {
    case Token::ARROW: return 1;
    case Token::BOTH:
    case Token::EITHER:
    case Token::IN_TURN:
    case Token::UNTIL_TRUE: return 2;
    case Token::RELATION: return 6;
    case Token::PLUS: return 7;
    case Token::MINUS: return is_sign ? 9 : 7;
    case Token::TIMES:
    case Token::DIVIDED: return 8;
    case Token::RATE:
    case Token::INSTANT: return 9;
    case Token::AGGREGATE:
    case Token::COUNT: return 10;
    default: return 3;  // before a truth
  }
}

}  // namespace

Types made_by(const ScannedToken& token, bool is_sign) {
  switch (token.kind) {
    case Token::VERB: return type::action;
    case Token::COLON:
    case Token::HASH:
    case Token::AT:
    case Token::RATE:
    case Token::INSTANT:
    case Token::AGGREGATE:
    case Token::COUNT: return type::number;
    case Token::MINUS: return type::number;
    default: break;
  }
  const Signature* signature = is_sign ? nullptr : signature_of(token);
  return signature != nullptr ? signature->value : Types{type::truth};
}

// What waits for an operand without one of its own passes tokens over until an
// operator comes that misses its left side.
bool Recovery::run(uint32_t offending) {
  at_ = offending;
  const Frame open = frames_.back();
  types_.resize(open.values);
  for (;; ++at_) {
    const ScannedToken& token = tokens_[at_];
    if (const std::string text = missing_before(token, open.wanted); !text.empty()) {
      put_(text + "\n");
      const Signature* signature = signature_of(token);
      types_.push_back(signature != nullptr ? signature->value : Types{type::truth});
      go_on(nullptr);
      return true;
    }
    if (!open.waits()) {
      give_up_operand();
      go_on(token.kind == Token::END ? nullptr : &token);
      return true;
    }
    if (token.kind == Token::END) return false;
    for (const ScanNote& note : tokens_[at_ + 1].notes) put_(note.text);
  }
}

// The innermost operator has no operand: that is said, and it is taken for complete.
void Recovery::give_up_operand() {
  const Frame open = frames_.back();
  const ScannedToken& token = tokens_[open.token];
  put_(missing_behind(token, open.is_sign) + "\n");
  frames_.pop_back();
  types_.resize(open.values);
  const bool infix = open.place == Frame::Place::operand && !open.is_sign;
  if (infix) types_.pop_back();  // its left operand
  types_.push_back(open.place == Frame::Place::pattern ? Types{type::truth}
                                                       : made_by(token, open.is_sign));
}

// An operand is there. `next`: the token behind it; null: the end of the statement.
void Recovery::go_on(const ScannedToken* next) {
  for (;;) {
    reduce(next);
    if (next != nullptr && shift(*next)) {
      next = nullptr;
      give_up_operand();
      continue;
    }
    if (frames_.back().waits()) return;
    next = nullptr;  // it does not fit, and is passed over
    give_up_operand();
  }
}

bool Recovery::complete() const {
  const Frame& open = frames_.back();
  return open.place == Frame::Place::operand && !operand_next() &&
         (types_.back() & open.wanted) != 0;
}

void Recovery::reduce(const ScannedToken* next) {
  const Signature* sign = next != nullptr ? signature_of(*next) : nullptr;
  while (complete()) {
    const Frame open = frames_.back();
    const bool fits = sign != nullptr && (types_.back() & sign->left) != 0;
    if (fits && precedence(tokens_[open.token], open.is_sign) < precedence(*next, false)) return;
    frames_.pop_back();
    types_.resize(open.is_sign ? open.values : open.values - 1);
    types_.push_back(made_by(tokens_[open.token], open.is_sign));
  }
}

bool Recovery::shift(const ScannedToken& sign) {
  const Signature* signature = signature_of(sign);
  if (signature == nullptr || (types_.back() & signature->left) == 0 ||
      (signature->value & may_begin(frames_.back().wanted)) == 0)
    return false;
  frames_.push_back({Frame::Place::operand, static_cast<uint32_t>(&sign - tokens_.data()),
                     signature->right, types_.size()});
  return true;
}

}  // namespace pmjit::pmie
