#include "rules/pmie/actions.h"

namespace pmjit::pmie {

std::optional<std::string> Actions::perform(uint32_t action, uint32_t rule,
                                            const Expansion& expansion, double when) {
  const Node& node = program_.nodes[action];
  const auto [last, is_first] = last_.try_emplace(action, when);
  if (!is_first) {
    if (when < last->second + node.number) return std::nullopt;
    last->second = when;
  }
  std::string text = expansion.expand(node.arguments, rule);
  return text.empty() ? "(null)" : text;  // Q19
}

}  // namespace pmjit::pmie
