#include "rules/compat/actions.h"

namespace pmjit::pmie {

std::optional<std::string> Actions::perform(uint32_t action, uint32_t rule,
                                            const Expansion& expansion, double when) {
  const PmieNode& node = program_.nodes[action];
  // 0: it was never done, or at the beginning of 1970, which the reference takes for that.
  double& last = last_[action];
  // Without a hold-off also where time went back (-d).
  const bool is_held = node.number != 0 && last != 0 && when < last + node.number;
  if (is_held) return std::nullopt;
  last = when;
  std::string text = expansion.expand(node.arguments, rule);
  return text.empty() ? "(null)" : text;  // Q19
}

}  // namespace pmjit::pmie
