// Ir: typed operators over columns. Nodes are appended after their operands, so the store is
// already in evaluation order and a pass is one loop. The closed set of operators stands in
// ops.def.
//
//   operand disk.dev.read : 60.0.4 type 3 counter count over 60.1
//   %0 = fetch disk.dev.read : u64 counter count over 60.1
//   %1 = rate %0 : f64 instant count / sec over 60.1
//   %2 = constant 0.5 : f64 discrete
//   %3 = gt %1 %2 : truth instant over 60.1
//   root %3
//
// types.h has the rules of types, print.h and read.h the text form; verify.h holds it to ops.def
// after every pass.
#pragma once

#include <bit>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <vector>

#include "compiler/diag/diag.h"
#include "runtime/base/ids.h"
#include "runtime/model/desc.h"

namespace pmjit {

struct NodeId : Id<NodeId> {};
struct TypeId : Id<TypeId> {};
struct OperandId : Id<OperandId> {};

enum class Op : uint8_t {
#define OP(name, ...) name,
#include "compiler/ir/ops.def"
#undef OP
};

enum class Shape : uint8_t { leaf, lanes, reduce, past, roster, filter, cast, texts, meet, hosts };
enum class TypeRule : uint8_t {
  own,
  to_i64,
  to_f64,
  to_code,
  to_text,
  to_truth,
  arith,
  minus,
  real,
  mean,
  negate,
  relation,
  logic,
  pick,
  change,
  rate,
  same,
  count
};
enum class UnitsRule : uint8_t {
  own,
  same,
  first,
  multiply,
  divide,
  none,
  arms,
  per_time,
  rescale,
  count
};
enum class Absence : uint8_t { none, any, kleene, picked, past, all, judged, dropped };

inline constexpr uint8_t kAnyArity = UINT8_MAX;

struct OpInfo {
  std::string_view name;  // as in the text form: without the trailing _ of and_, or_, not_
  uint8_t arity;          // kAnyArity: the payload says
  Shape shape;
  TypeRule type;
  UnitsRule units;
  Absence absence;
  uint8_t memory;
  uint8_t cost;
};
const OpInfo& info(Op op);
// Lane by lane or over the lanes of a row: what interpreter and kernels work out.
constexpr bool in_kernels(Shape shape) {
  return shape == Shape::lanes || shape == Shape::reduce || shape == Shape::past ||
         shape == Shape::cast;
}
// Known although operands are not: worked out at every group, not only where operands change.
constexpr bool is_selective(Absence absence) {
  return absence == Absence::kleene || absence == Absence::picked || absence == Absence::dropped;
}
std::span<const OpInfo> all_ops();  // in the order of Op

// What Node::payload means to an operator; see there.
enum class Payload : uint8_t {
  none,
  number,
  factor,
  divisor,
  operand,
  derived,
  text,
  wrap,
  share,
  arity
};
Payload payload_of(Op op);

inline constexpr uint32_t kAllHosts = 0;  // a host set: those of the run

// Which host set, instance domain and window a value has: identity, never a size. kNullId: not
// there.
struct Axes {
  uint32_t host_set = kNullId;
  InDomId domain = kNullId;
  uint32_t window = kNullId;
  friend constexpr auto operator<=>(const Axes&, const Axes&) = default;
};

struct Type {
  Elem elem = Elem::f64;
  Semantics semantics = Semantics::instant;
  Units units{};  // six bytes: kept here and not behind an id
  Axes axes{};
  friend constexpr auto operator<=>(const Type&, const Type&) = default;
};

// What a fetch node reads: a metric of the source. One metric may be two operands, where strict
// and PCP's dialects see other values between its observations.
struct Operand {
  std::string metric{};
  Desc desc{};
  Between between = Between::exact;
};

// What a derived node evaluates: a metric of a compatible dialect, over operands that need no fetch
// node. It is not merged with others and never compiled: history is its own.
struct DerivedExpression {
  std::string name{}, dialect{}, text{};
  std::vector<OperandId> operands{};
  uint32_t body = kNoIndex;  // of those that go with the Ir (plan.h); none: read from text
};

// Payload by operator: constant, spread, scale_up, scale_down: bits of the number (of the node's
// own elem; for scale_down always a double) · fetch: OperandId · derived, proven: index into
// Ir::derived · equals, select, matching, mismatching: index into Ir::texts · delta, rate: 1 if
// counters may wrap (PCP_COUNTER_WRAP), else 0 · at_least: the percentage · hosts: the number of
// operands, one a host · others: 0.
struct Node {
  Op op = Op::constant;
  TypeId type_id{};
  uint32_t first_arg = 0;  // in Ir::args; arity_of(node) of them
  uint64_t payload = 0;
  Span where{};
};

inline size_t arity_of(const Node& node) {
  const uint8_t arity = info(node.op).arity;
  return arity == kAnyArity ? static_cast<size_t>(node.payload) : arity;
}

struct Ir {
  Store<NodeId, Node> nodes;
  Store<TypeId, Type> types;
  Store<OperandId, Operand> operands;
  std::vector<std::string> texts;  // instance names, patterns, texts to compare with
  std::vector<DerivedExpression> derived;
  std::vector<NodeId> args, roots;

  [[nodiscard]] const Type& type_of(NodeId id) const { return types[nodes[id].type_id]; }
  [[nodiscard]] std::span<const NodeId> args_of(NodeId id) const {
    return std::span(args).subspan(nodes[id].first_arg, arity_of(nodes[id]));
  }
  // What nodes refer to, and none of them: where a pass starts that makes them anew.
  [[nodiscard]] Ir without_nodes() const;
  TypeId intern(const Type& type);
  // `node.first_arg` is set here; everything else is the caller's.
  NodeId add(Node node, std::span<const NodeId> operands_of_node);
  NodeId add(Node node, std::initializer_list<NodeId> list) {
    return add(node, std::span<const NodeId>(list.begin(), list.size()));
  }
};

inline uint64_t bits_of(double v) { return std::bit_cast<uint64_t>(v); }
inline uint64_t bits_of(int64_t v) { return std::bit_cast<uint64_t>(v); }

}  // namespace pmjit
