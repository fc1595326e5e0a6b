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
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/base/byte_writer.h"
#include "runtime/model/desc.h"
#include "runtime/model/value.h"

namespace pmjit {

class AgentValues {
 public:
  // Of this metric, with no values.
  void start(const Desc& desc);

  // Of every type of number. A metric may have thousands of values, mostly of 32 bits.
  void add_whole(int32_t instance, uint64_t value) {
    if (!is_whole_32_) return add_other(instance, value);
    pairs_.u64(pair_of(instance, static_cast<uint32_t>(value)));
  }
  void add_number(int32_t instance, double value);  // the same; whole ones are cut, not rounded
  void add_text(int32_t instance, std::string_view text);
  void fail(int status) { status_ = status; }  // a PM_ERR_*; 0: there are no values

  [[nodiscard]] const Desc& desc() const { return desc_; }
  [[nodiscard]] size_t size() const { return pairs_.size() / sizeof(uint64_t) + cells_.size(); }
  [[nodiscard]] int status() const { return status_; }

  // As a result has them. `keeps` says which instances the client wants, null: all of them; the one
  // value of a singular metric is always kept. Blocks of `set` live until the next start().
  using Keeps = std::function<bool(int32_t)>;
  void give(FetchedSet& set, const Keeps& keeps) const;
  // The same of numbers that stand in place, as they are sent: how many give_words() writes, each
  // an instance and the bits of its value.
  [[nodiscard]] size_t count(const Keeps& keeps) const;
  void give_words(std::span<std::byte> to, const Keeps& keeps) const;

 private:
  struct ValueCell {
    int32_t instance;
    uint32_t bytes = 0;  // of a text, with its NUL
    uint64_t bits;       // of a number in its own type; of a text where it begins
  };

  static uint64_t pair_of(int32_t instance, uint32_t word) {
    return uint64_t{static_cast<uint32_t>(instance)} << 32 | word;
  }
  void add_other(int32_t instance, uint64_t value);

  Desc desc_{};
  bool is_whole_32_ = false;
  int status_ = 0;
  ByteWriter pairs_;              // of values that stand in place: an instance and a word
  std::vector<ValueCell> cells_;  // of all others
  std::string texts_;
};

}  // namespace pmjit
