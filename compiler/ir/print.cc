#include "compiler/ir/print.h"

#include <fmt/core.h>

#include <algorithm>

#include "compiler/ir/numbers.h"
#include "runtime/text/parse_units.h"

namespace pmjit {

namespace {

constexpr uint32_t kFlagBit = 1u << 31;  // of derived metrics' ids: not part of the dotted text

bool plain_name(std::string_view name) {
  return !name.empty() && std::all_of(name.begin(), name.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '.';
  });
}

std::string in_quotes(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || c == '"' || c == '\\') {
      out += fmt::format("\\x{:02x}", byte);
    } else {
      out += c;
    }
  }
  return out + "\"";
}

std::string exact_units(Units units) {
  if (units == Units{}) return "";
  const std::string text = units_text(units);
  const auto back = parse_units(text, ExtraUnits::known);
  // A scale without its dimension is not in the text, and not every text that pmUnitsStr gives
  // parses.
  if (!text.empty() && back && back->units == units && back->multiplier == 1) return " " + text;
  return fmt::format(" #{:x}", units_to_word(units));
}

std::string exact_id(uint32_t id, std::string (*text)(uint32_t)) {
  return (id & kFlagBit) == 0 ? text(id) : fmt::format("#{:x}", id);
}

std::string axes_text(const Axes& axes) {
  std::string out;
  if (axes.domain != kNullId) out += " over " + exact_id(axes.domain, indom_text);
  if (axes.host_set != kNullId) out += fmt::format(" hosts {}", axes.host_set);
  if (axes.window != kNullId) out += fmt::format(" window {}", axes.window);
  return out;
}

std::string operand_line(const Operand& operand) {
  const Desc& desc = operand.desc;
  return fmt::format("operand {} : {} type {} {}{}{}\n", operand_text(operand),
                     exact_id(desc.pmid, pmid_text), desc.pm_type, semantics_text(desc.semantics),
                     exact_units(desc.units), axes_text({.domain = desc.indom}));
}

std::string derived_line(const Ir& ir, const DerivedExpression& derived) {
  std::string line = fmt::format("derived {} {} {}", in_quotes(derived.name), derived.dialect,
                                 in_quotes(derived.text));
  for (const OperandId operand : derived.operands) line += " " + operand_text(ir.operands[operand]);
  return line + "\n";
}

// The payload where it stands before the operands, and where after them.
std::string payload_before(const Ir& ir, const Node& node) {
  switch (payload_of(node.op)) {
    case Payload::number: return " " + number_text(ir.types[node.type_id].elem, node.payload);
    case Payload::operand:
      return " " + operand_text(ir.operands[OperandId{{static_cast<uint32_t>(node.payload)}}]);
    case Payload::derived: return " " + in_quotes(ir.derived[node.payload].name);
    case Payload::text: return " " + in_quotes(ir.texts[node.payload]);
    case Payload::arity: return fmt::format(" {}", node.payload);
    default: return "";
  }
}

std::string payload_after(const Ir& ir, const Node& node) {
  switch (payload_of(node.op)) {
    case Payload::factor: return " by " + number_text(ir.types[node.type_id].elem, node.payload);
    case Payload::divisor: return " by " + number_text(Elem::f64, node.payload);
    case Payload::wrap: return node.payload != 0 ? " wrap" : "";
    case Payload::share: return fmt::format(" by {}%", node.payload);
    default: return "";
  }
}

}  // namespace

std::string operand_text(const Operand& operand) {
  const std::string name = plain_name(operand.metric) ? operand.metric : in_quotes(operand.metric);
  return operand.between == Between::as_pcp ? "pcp:" + name : name;
}

std::string type_text(const Type& type) {
  return fmt::format("{} {}{}{}", elem_text(type.elem), semantics_text(type.semantics),
                     exact_units(type.units), axes_text(type.axes));
}

std::string node_text(const Ir& ir, NodeId id) {
  const Node& node = ir.nodes[id];
  std::string line =
      fmt::format("%{} = {}{}", id.index, info(node.op).name, payload_before(ir, node));
  for (const NodeId arg : ir.args_of(id)) line += fmt::format(" %{}", arg.index);
  return line + payload_after(ir, node) + " : " + type_text(ir.type_of(id));
}

std::string print(const Ir& ir) {
  std::string out;
  for (const Operand& operand : ir.operands) out += operand_line(operand);
  for (const DerivedExpression& derived : ir.derived) out += derived_line(ir, derived);
  for (uint32_t i = 0; i < ir.nodes.size(); ++i) out += node_text(ir, NodeId{{i}}) + "\n";
  for (const NodeId root : ir.roots) out += fmt::format("root %{}\n", root.index);
  return out;
}

}  // namespace pmjit
