#include "rules/pmie/actions.h"

#include <fmt/core.h>

namespace pmjit::pmie {

std::optional<bool> PrintedActions::perform(uint32_t action, uint32_t rule,
                                            const Expansion& expansion, double when,
                                            std::string_view ctime) {
  const Node& node = program_.nodes[action];
  const auto [last, is_first] = last_.try_emplace(action, when);
  if (!is_first) {
    if (when < last->second + node.number) return std::nullopt;
    last->second = when;
  }
  const auto text = expansion.expand(node.arguments, rule);
  put_(fmt::format("{} {}: {}\n", symbol_of(node.op), ctime, text.value_or("(null)")));
  return true;
}

}  // namespace pmjit::pmie
