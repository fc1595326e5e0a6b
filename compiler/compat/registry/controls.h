// The settings of the facility: $PCP_DERIVED_CONTROL and `#control` lines (pcp7). Source: spec
// derived-metrics.md §7.4.
#pragma once

#include <functional>
#include <set>
#include <string>
#include <string_view>

#include "compiler/compat/registry/registry.h"

namespace pmjit {

class Controls {
 public:
  using Sink = std::function<void(std::string_view)>;
  Controls(Registry& registry, const Sink& say) : registry_(registry), say_(say) {}

  // What $PCP_DERIVED_CONTROL says holds against every later setting.
  void read_environment(std::string_view settings);
  // A line that starts with #; anything but #control is a comment. `place` is "[FILE:LINE] ".
  void read_comment(std::string_view line, const std::string& place);

 private:
  struct Where {
    std::string warning, error;  // what messages start with
    bool fixed = false;          // from the environment
  };
  void read(std::string_view settings, const Where& where);
  // Why not; empty: done.
  [[nodiscard]] std::string set(size_t control, int value, bool fixed);

  Registry& registry_;
  const Sink& say_;
  std::set<size_t> fixed_;
  bool debug_[3] = {};
  int context_limit_ = -1;
};

}  // namespace pmjit
