// Metrics that are defined in a compatible dialect: to strict expressions metrics like any, as long
// as they can be used.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
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
  std::string way_out{};                        // what to write instead, where that is known
  std::string missing{};                        // the metric that it lacks
  bool elsewhere = false;                       // where other metrics are recorded it may be used
  bool told = false;                            // why not, where its text was read
};

// Each is bound to metrics when somebody asks for it: the files of an installation define many, of
// which a rule uses few, and a catalog of a thousand hosts has much to do for each name.
class CompatibleMetrics {
 public:
  using Bind = std::function<CompatibleMetric()>;
  // The first of a name stays. All are added before one is asked for.
  void add(const std::string& name, Bind bind) {
    if (!by_name_.emplace(name, all_.size()).second) return;
    all_.emplace_back();
    binds_.push_back(std::move(bind));
  }
  [[nodiscard]] const CompatibleMetric& at(size_t number) const {
    if (binds_[number]) all_[number] = std::exchange(binds_[number], nullptr)();
    return all_[number];
  }
  [[nodiscard]] const std::vector<CompatibleMetric>& all() const {
    for (size_t i = 0; i < all_.size(); ++i) (void)at(i);
    return all_;
  }
  // Null: there is none of that name.
  [[nodiscard]] const CompatibleMetric* find(const std::string& name) const {
    const auto found = by_name_.find(name);
    return found == by_name_.end() ? nullptr : &at(found->second);
  }
  // In no order.
  [[nodiscard]] std::vector<std::string> names() const {
    std::vector<std::string> out;
    for (const auto& [name, number] : by_name_) out.push_back(name);
    return out;
  }
  [[nodiscard]] uint32_t number(const CompatibleMetric& metric) const {
    return static_cast<uint32_t>(&metric - all_.data());
  }
  // By number. Null: nobody has asked for it, or it cannot be used.
  [[nodiscard]] std::vector<std::shared_ptr<const SetExpression>> bodies() const {
    std::vector<std::shared_ptr<const SetExpression>> out;
    for (const CompatibleMetric& metric : all_) out.push_back(metric.body);
    return out;
  }

 private:
  mutable std::vector<CompatibleMetric> all_;
  mutable std::vector<Bind> binds_;  // null: bound
  std::unordered_map<std::string, size_t> by_name_;
};

}  // namespace pmjit
