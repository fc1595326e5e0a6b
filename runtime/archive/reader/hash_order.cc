#include "runtime/archive/reader/hash_order.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <tuple>
#include <unordered_map>

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

constexpr LabelType kTypeOrder[] = {LabelType::context, LabelType::domain, LabelType::cluster,
                                    LabelType::item,    LabelType::indom,  LabelType::instances};

size_t rank(LabelType type) {
  return static_cast<size_t>(std::ranges::find(kTypeOrder, type) - std::begin(kTypeOrder));
}

// What is left of a history, newest record first.
void reduce(const ArchiveLabels& labels, LabelType type, uint32_t ident,
            std::vector<DumpedLabels>& out) {
  const auto history = labels.history(type, ident);
  for (size_t i = history.size(); i-- > 0;) {
    const LabelRecord& record = labels.records()[history[i]];
    DumpedLabels kept{
        .stamp = record.stamp, .type = type, .ident = ident, .sets = labels.left_of(history, i)};
    if (!kept.sets.empty()) out.push_back(std::move(kept));
  }
}

// Every record that is left, in the order in which the reference goes through its tables: types
// newest first, identifiers in hash order, records newest first.
std::vector<DumpedLabels> in_table_order(const ArchiveLabels& labels) {
  std::vector<LabelType> types;
  std::unordered_map<uint32_t, std::vector<uint32_t>> idents;  // by type
  for (const ArchiveLabels::Owner& owner : labels.owners()) {
    if (rank(owner.type) == std::size(kTypeOrder)) continue;
    auto& known = idents[static_cast<uint32_t>(owner.type)];
    if (known.empty()) types.push_back(owner.type);
    known.push_back(owner.ident);
  }
  std::vector<DumpedLabels> out;
  for (auto type = types.rbegin(); type != types.rend(); ++type) {
    for (const uint32_t ident : hash_order(idents[static_cast<uint32_t>(*type)])) {
      reduce(labels, *type, ident, out);
    }
  }
  return out;
}

}  // namespace

std::vector<uint32_t> hash_order(std::span<const uint32_t> keys) {
  Chains chains(keys);
  for (uint32_t node = 0; node < keys.size(); ++node) chains.add(node);
  return chains.listed();
}

// The reference looks for the next stamp by the smallest difference to the last one, the first to
// zero, as a double. Of stamps whose differences are equal as doubles it takes the one it meets
// first, and never comes back to those before that one.
std::vector<DumpedLabels> label_dump(const ArchiveLabels& labels) {
  const std::vector<DumpedLabels> met = in_table_order(labels);
  std::vector<uint32_t> by_time(met.size());
  for (uint32_t i = 0; i < met.size(); ++i) by_time[i] = i;
  const auto stamp_of = [&met](uint32_t i) { return met[i].stamp; };
  std::ranges::stable_sort(by_time, {}, stamp_of);
  std::vector<DumpedLabels> out;
  Stamp last{};
  for (auto at = by_time.begin(); at != by_time.end();) {
    const double step = seconds_between(met[*at].stamp, last);
    auto next = *at;
    for (; at != by_time.end() && seconds_between(met[*at].stamp, last) == step; ++at) {
      next = std::min(next, *at);
    }
    last = met[next].stamp;
    const auto [from, to] = std::ranges::equal_range(by_time, last, {}, stamp_of);
    const size_t first = out.size();
    for (auto i = from; i != to; ++i) out.push_back(met[*i]);
    at = to;
    std::ranges::stable_sort(
        out.begin() + static_cast<ptrdiff_t>(first), out.end(), {},
        [](const DumpedLabels& one) { return std::tuple(rank(one.type), one.ident); });
    out[first].new_stamp = true;
  }
  return out;
}

}  // namespace pmjit
