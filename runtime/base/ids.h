// Typed ids and the stores they index. What the compiler makes is a set of stores; an id is an
// index into one of them and into no other: `NodeId` and `OperandId` do not convert into each
// other.
//
//   struct NodeId : Id<NodeId> {};
//   Store<NodeId, Node> nodes;
//   NodeId id = nodes.add(node);   nodes[id].op
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

namespace pmjit {

inline constexpr uint32_t kNoIndex = UINT32_MAX;

template <class Self>
struct Id {
  uint32_t index = kNoIndex;  // kNoIndex: names nothing

  [[nodiscard]] constexpr bool known() const { return index != kNoIndex; }
  friend constexpr auto operator<=>(const Id&, const Id&) = default;
};

template <class IdType, class T>
class Store {
 public:
  IdType add(T value) {
    items_.push_back(std::move(value));
    return IdType{{static_cast<uint32_t>(items_.size() - 1)}};
  }
  [[nodiscard]] T& operator[](IdType id) { return items_[id.index]; }
  [[nodiscard]] const T& operator[](IdType id) const { return items_[id.index]; }
  [[nodiscard]] uint32_t size() const { return static_cast<uint32_t>(items_.size()); }
  [[nodiscard]] bool empty() const { return items_.empty(); }
  [[nodiscard]] bool holds(IdType id) const { return id.index < items_.size(); }
  [[nodiscard]] auto begin() const { return items_.begin(); }
  [[nodiscard]] auto end() const { return items_.end(); }
  [[nodiscard]] auto begin() { return items_.begin(); }
  [[nodiscard]] auto end() { return items_.end(); }

 private:
  std::vector<T> items_;
};

struct IdHash {
  template <class Self>
  size_t operator()(const Id<Self>& id) const noexcept {
    return std::hash<uint32_t>{}(id.index);
  }
};

}  // namespace pmjit
