// Metrics that are defined in a compatible dialect: to strict expressions metrics like any, as long
// as they can be used.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "compiler/ir/ir.h"
#include "runtime/program/program.h"

namespace pmjit {

struct CompatibleMetric {
  std::string name, dialect, text;
  Desc desc{};
  std::vector<Operand> operands{};
  std::shared_ptr<const SetExpression> body{};  // none: it cannot be used
  std::string place{};                          // of its definition
  std::string why_not{};                        // it cannot be used, or never has values
  bool elsewhere = false;                       // where other metrics are recorded it may be used
};

class CompatibleMetrics {
 public:
  // The first of a name stays.
  void add(CompatibleMetric metric) {
    if (by_name_.emplace(metric.name, all_.size()).second) all_.push_back(std::move(metric));
  }
  [[nodiscard]] const std::vector<CompatibleMetric>& all() const { return all_; }
  // Null: there is none of that name.
  [[nodiscard]] const CompatibleMetric* find(const std::string& name) const {
    const auto found = by_name_.find(name);
    return found == by_name_.end() ? nullptr : &all_[found->second];
  }
  [[nodiscard]] uint32_t number(const CompatibleMetric& metric) const {
    return static_cast<uint32_t>(&metric - all_.data());
  }

 private:
  std::vector<CompatibleMetric> all_;
  std::unordered_map<std::string, size_t> by_name_;
};

}  // namespace pmjit
