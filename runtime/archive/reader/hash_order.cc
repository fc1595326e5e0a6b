#include "runtime/archive/reader/hash_order.h"

#include <cstddef>

namespace pmjit {

namespace {

constexpr uint32_t kEnd = UINT32_MAX;

// Chains of the table as lists through `next`; a node's number is its key's position.
class Chains {
 public:
  explicit Chains(std::span<const uint32_t> keys) : keys_(keys), next_(keys.size(), kEnd) {}

  void add(uint32_t node) {
    const size_t count = size_t{node} + 1;
    if (heads_.empty()) {
      heads_.assign(1, kEnd);
    } else if (count / 4 > heads_.size()) {
      grow();
    }
    push(node);
  }
  [[nodiscard]] std::vector<uint32_t> listed() const {
    std::vector<uint32_t> out;
    out.reserve(keys_.size());
    for (const uint32_t head : heads_) {
      for (uint32_t node = head; node != kEnd; node = next_[node]) out.push_back(keys_[node]);
    }
    return out;
  }

 private:
  void push(uint32_t node) {
    uint32_t& head = heads_[keys_[node] % heads_.size()];
    next_[node] = head;
    head = node;
  }
  // The sizes, and the chains from last to first, are the reference's: both show in the order.
  void grow() {
    const std::vector<uint32_t> old = std::move(heads_);
    size_t size = old.size() * 2;
    if (size % 2 != 0) size += 1;
    if (size % 3 != 0) size += 2;
    if (size % 5 != 0) size += 2;
    heads_.assign(size, kEnd);
    for (size_t chain = old.size(); chain-- > 0;) {
      for (uint32_t node = old[chain]; node != kEnd;) {
        const uint32_t next = next_[node];
        push(node);
        node = next;
      }
    }
  }

  std::span<const uint32_t> keys_;
  std::vector<uint32_t> heads_, next_;
};

}  // namespace

std::vector<uint32_t> hash_order(std::span<const uint32_t> keys) {
  Chains chains(keys);
  for (uint32_t node = 0; node < keys.size(); ++node) chains.add(node);
  return chains.listed();
}

}  // namespace pmjit
