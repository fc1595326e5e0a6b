#include "rules/compat/node_state.h"

namespace pmjit::pmie {

void NodeState::reshape(int32_t insts, bool of_texts) {
  shape.insts = insts;
  const size_t values = span() * static_cast<size_t>(held);
  numbers.assign(values, 0);
  if (of_texts) texts.assign(values, std::nullopt);
  newest = 0;
  valid = 0;
}

}  // namespace pmjit::pmie
