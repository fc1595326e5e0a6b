#include "rules/compat/bindings.h"

#include "rules/compat/evaluator.h"
#include "rules/compat/value_report.h"

namespace pmjit::pmie {

namespace {

bool is_boolean(const PmieNode& node) {
  return node.sem == Sem::truth || kind_of(node.op) == OpKind::rule;
}

// Through && alone, left before right.
uint32_t first_with_metrics(const RuleProgram& program, uint32_t index) {
  const PmieNode& node = program.nodes[index];
  if (node.metrics != kNone) return index;
  if (node.op != PmieOp::both) return kNone;
  const uint32_t left = first_with_metrics(program, node.left);
  return left != kNone ? left : first_with_metrics(program, node.right);
}

// The operand that a node has its metrics from.
uint32_t towards_metrics(const RuleProgram& program, const PmieNode& node) {
  if (node.left == kNone) return kNone;
  return program.nodes[node.left].metrics == node.metrics ? node.left : node.right;
}

uint32_t value_below(const RuleProgram& program, uint32_t index) {
  for (;;) {
    const PmieNode& node = program.nodes[index];
    if (!is_boolean(node) || node.metrics == kNone) return index;
    const uint32_t next = towards_metrics(program, node);
    if (next == kNone) return index;
    index = next;
  }
}

// Of max and min: the element of the operand that it was taken from.
size_t element_of_best(const PmieEvaluator& at, uint32_t index, size_t element) {
  const PmieNode& node = at.program().nodes[index];
  const NodeState& of = at.state(node.left);
  const double best = at.state(index).sample(0)[element];
  if (node.dim == Dim::sample) return element;
  size_t first = 0, last = of.span();
  if (node.dim == Dim::host)
    last = std::min(last, static_cast<size_t>(std::max(0, of.shape.hosts)));
  if (node.dim == Dim::inst && of.shape.hosts > 1) {
    const auto counts = at.counts(index);
    for (size_t h = 0; h < std::min(element, counts.size()); ++h) {
      first += static_cast<size_t>(counts[h]);
    }
    if (element < counts.size())
      last = std::min(last, first + static_cast<size_t>(counts[element]));
  }
  for (size_t i = first; i < last; ++i) {
    if (of.sample(0)[i] == best) return i;
  }
  return first;
}

bool is_best(const PmieNode& node) { return node.op == PmieOp::max || node.op == PmieOp::min; }

}  // namespace

BindingNodes binding_of(const PmieEvaluator& at, uint32_t start) {
  const RuleProgram& program = at.program();
  uint32_t b = start;
  if (program.nodes[b].metrics == kNone) {
    const bool is_rule = kind_of(program.nodes[b].op) == OpKind::rule;
    const uint32_t found = first_with_metrics(program, is_rule ? program.nodes[b].left : b);
    if (found != kNone) b = found;
  }
  for (;;) {
    const PmieNode& node = program.nodes[b];
    const PmieShape& shape = at.state(b).shape;
    if (node.metrics == kNone || (shape.insts > 0 && shape.hosts > 0)) break;
    if (kind_of(node.op) == OpKind::aggregate) break;
    const uint32_t next = towards_metrics(program, node);
    if (next == kNone) break;
    b = next;
  }
  return {.node = b, .value = value_below(program, b)};
}

std::vector<size_t> satisfying(const PmieEvaluator& at, const BindingNodes& binding) {
  const PmieNode& node = at.program().nodes[binding.node];
  const NodeState& state = at.state(binding.node);
  const bool boolean = is_boolean(node);
  std::vector<size_t> out;
  for (size_t i = 0; i < state.span(); ++i) {
    if (boolean ? state.sample(0)[i] == kTrue : node.sem != Sem::unknown) out.push_back(i);
  }
  return out;
}

ElementNames names_of(const PmieEvaluator& at, uint32_t index, size_t element,
                      const std::vector<std::string>& hosts,
                      const std::vector<std::string>& connections) {
  const PmieNode* node = &at.program().nodes[index];
  if (node->metrics == kNone) return {};
  const bool best = is_best(*node);
  const uint32_t of = best ? node->left : index;
  if (best) element = element_of_best(at, index, element);
  const PmieShape& shape = at.state(of).shape;
  const auto& metrics = at.program().fetches[node->metrics].hosts;
  // Of the best over hosts the element is taken for the host, and has no instance.
  const bool is_host = best && node->dim == Dim::host && element < metrics.size();
  const std::optional<ElementPlace> place =
      is_host ? ElementPlace{static_cast<uint32_t>(element), nullptr}
              : place_of(at, node->metrics, element);
  if (!place || shape.hosts < 0) return {};
  const uint32_t source = metrics[place->host].source;
  ElementNames out{.host = hosts[source], .connection = connections[source], .instance = {}};
  if (shape.insts > 0 && place->instance) out.instance = *place->instance;
  return out;
}

std::string Expansion::selected(char selector, const ElementNames& names, uint32_t value,
                                size_t element) const {
  const std::optional<std::string>& name = selector == 'h'   ? names.host
                                           : selector == 'c' ? names.connection
                                                             : names.instance;
  if (selector != 'v') return name ? *name : std::string("<%") + selector + " undefined>";
  std::string out;
  put_samples(out, at_, value, element);
  return out;
}

void Expansion::put(std::string& out, const std::string& argument, const BindingNodes& binding,
                    size_t element, Clean clean) const {
  const ElementNames names = names_of(at_, binding.node, element, hosts_, connections_);
  for (size_t i = 0; i < argument.size(); ++i) {
    const char next = argument[i] == '%' && i + 1 < argument.size() ? argument[i + 1] : '\0';
    if (!std::string_view("hciv").contains(next)) {
      out += argument[i];
      continue;
    }
    const std::string text = selected(next, names, binding.value, element);
    out += clean == nullptr ? text : clean(text);
    ++i;
  }
}

namespace {
bool has_selector(const std::string& argument) {
  for (size_t at = argument.find('%'); at != std::string::npos; at = argument.find('%', at + 1)) {
    if (at + 1 < argument.size() && std::string_view("hciv").contains(argument[at + 1]))
      return true;
  }
  return false;
}
}  // namespace

std::string Expansion::expand(const std::vector<std::string>& arguments, uint32_t rule,
                              Clean clean) const {
  std::string out;
  for (const std::string& argument : arguments) {
    const bool expands = rule != kNone && has_selector(argument);
    const BindingNodes binding = expands ? binding_of(at_, rule) : BindingNodes{};
    if (!expands || at_.state(binding.node).valid == 0) {
      out += argument;
      continue;
    }
    for (const size_t element : satisfying(at_, binding)) {
      put(out, argument, binding, element, clean);
    }
  }
  return out;
}

}  // namespace pmjit::pmie
