// AgentValues: the column of one metric that an agent fills in a fetch: which instance has which
// value. The memory stays from fetch to fetch.
//
//   AgentValues& out = …;                  // of kernel.all.load, a float by instance
//   out.add_number(1, 0.25);
//   out.add_number(5, 0.5);
//   out.fail(pm_err::E_APPVERSION);        // or: why there are none
//
// Numbers are given as whatever the agent has and become what the descriptor says: a counter that
// the kernel prints with 64 bits wraps in a metric of 32.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/model/desc.h"
#include "runtime/model/value.h"

namespace pmjit {

class AgentValues {
 public:
  // Of this metric, with no values.
  void start(const Desc& desc);

  void add_whole(int32_t instance, uint64_t value);  // of every type of number
  void add_number(int32_t instance, double value);   // the same; whole ones are cut, not rounded
  void add_text(int32_t instance, std::string_view text);
  void fail(int status) { status_ = status; }  // a PM_ERR_*; 0: there are no values

  [[nodiscard]] const Desc& desc() const { return desc_; }
  [[nodiscard]] size_t size() const { return cells_.size(); }
  [[nodiscard]] int status() const { return status_; }

  // As a result has them. `keeps` says which instances the client wants; the one value of a
  // singular metric is always kept. Blocks of `set` live until the next start().
  void give(FetchedSet& set, const std::function<bool(int32_t)>& keeps) const;

 private:
  struct ValueCell {
    int32_t instance;
    uint64_t bits;       // of a number in its own type; of a text where it begins
    uint32_t bytes = 0;  // of a text, with its NUL
  };
  [[nodiscard]] Value value_of(const ValueCell& cell) const;

  Desc desc_{};
  int status_ = 0;
  std::vector<ValueCell> cells_;
  std::string texts_;
};

}  // namespace pmjit
