// DerivedNames: what derived metrics add to a name space: the next level below a name. Source: spec
// derived-metrics.md §8.2, §8.3.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace pmjit {

class DerivedNames {
 public:
  // In the order of registration. Below a metric nothing is listed; nor is a name of more than
  // limits::kNestingMax parts.
  void add(std::string_view name);
  // None: there is nothing at or below the name. Empty: it is a metric.
  [[nodiscard]] std::optional<std::span<const std::string>> children(std::string_view name) const;

 private:
  struct Node {
    bool metric = false;
    std::vector<std::string> children;
  };
  struct Hash {
    using is_transparent = void;
    size_t operator()(std::string_view text) const { return std::hash<std::string_view>{}(text); }
  };
  std::unordered_map<std::string, Node, Hash, std::equal_to<>> nodes_;
};

}  // namespace pmjit
