#include "rules/model/action_plan.h"

namespace pmjit {

std::string shell_safe(std::string_view text) {
  constexpr std::string_view kKept =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789 _./:@%+=,-";
  std::string out(text);
  for (char& c : out) {
    if (!kKept.contains(c)) c = '_';
  }
  return out;
}

}  // namespace pmjit
