#include "rules/compat/value_report.h"

#include <fmt/core.h>

#include "compiler/compat/pmie/list.h"

namespace pmjit::pmie {

namespace {

bool is_truth(const PmieNode& node) {
  return node.sem == Sem::truth || kind_of(node.op) == OpKind::rule ||
         kind_of(node.op) == OpKind::action;
}

std::string_view truth_text(double code) {
  if (code == kUnknown) return "unknown";
  return code == kTrue ? "true" : "false";
}

}  // namespace

void ValueReport::put(std::string& out, const PmieEvaluator& at, uint32_t root) const {
  const PmieNode& node = at.program().nodes[root];
  switch (verbose_) {
    case Verbose::annotated: return put_annotated(out, at, root);
    case Verbose::satisfying: {
      const bool truth = node.sem == Sem::truth || kind_of(node.op) == OpKind::rule;
      return truth ? put_satisfying(out, at, root) : put_annotated(out, at, root);
    }
    default: return put_plain(out, at, root);
  }
}

// A new line for the element, with its host and instance.
void ValueReport::put_place(std::string& out, const PmieEvaluator& at, uint32_t node,
                            size_t element) const {
  const ElementNames names = names_of(at, node, element, hosts_, hosts_);
  out += "\n    ";
  out += names.host.value_or("");
  out += ": ";
  if (names.instance) out += "[" + *names.instance + "] ";
}

void ValueReport::put_annotated(std::string& out, const PmieEvaluator& at, uint32_t index) const {
  const PmieNode& node = at.program().nodes[index];
  const NodeState& state = at.state(index);
  const bool has_axis = state.shape.insts > 0 || state.shape.hosts > 0;
  if (!has_axis || node.metrics == kNone || state.valid == 0) return put_plain(out, at, index);
  for (size_t i = 0; i < state.span(); ++i) {
    put_place(out, at, index, i);
    put_samples(out, at, index, i);
  }
}

void ValueReport::put_satisfying(std::string& out, const PmieEvaluator& at, uint32_t root) const {
  const PmieNode& node = at.program().nodes[root];
  if (node.metrics == kNone || at.state(root).valid == 0) return put_plain(out, at, root);
  const BindingNodes binding = binding_of(at, root);
  if (at.state(binding.node).valid == 0) {
    out += " <no bindings available>";
    return;
  }
  for (const size_t element : satisfying(at, binding)) {
    put_place(out, at, binding.node, element);
    put_samples(out, at, binding.value, element);
  }
}

std::string time_text(const std::tm& local) {
  static constexpr const char* kDays[] = {"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};
  static constexpr const char* kMonths[] = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                            "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
  std::string out = kDays[local.tm_wday];
  const auto put_two = [&out](char before, int number, char filler) {
    out += before;
    out += number < 10 ? filler : static_cast<char>('0' + number / 10);
    out += static_cast<char>('0' + number % 10);
  };
  out += ' ';
  out += kMonths[local.tm_mon];
  put_two(' ', local.tm_mday, ' ');
  put_two(' ', local.tm_hour, '0');
  put_two(':', local.tm_min, '0');
  put_two(':', local.tm_sec, '0');
  return out + ' ' + std::to_string(local.tm_year + 1900);
}

void put_value(std::string& out, const PmieEvaluator& at, uint32_t index, size_t element,
               int32_t k) {
  const PmieNode& node = at.program().nodes[index];
  const NodeState& state = at.state(index);
  if (is_truth(node)) {
    // What older samples have is shown as it is stored (Q21).
    out += state.valid > 0 ? truth_text(state.sample(k)[element]) : "unknown";
  } else if (node.sem == Sem::text) {
    // A text that was there is still shown.
    const MaybeText& text = state.text(k)[element];
    out += text ? fmt::format("\"{}\"", *text) : "?";
  } else if (state.valid <= k) {
    out += '?';
  } else {
    out += number_text(state.sample(k)[element]);
  }
}

void put_samples(std::string& out, const PmieEvaluator& at, uint32_t node, size_t element) {
  for (int32_t k = 0; k < at.state(node).shape.held(); ++k) {
    if (k > 0) out += ' ';
    put_value(out, at, node, element, k);
  }
}

void put_plain(std::string& out, const PmieEvaluator& at, uint32_t index) {
  const NodeState& state = at.state(index);
  if (state.span() == 0) {
    out += '?';
    return;
  }
  for (size_t i = 0; i < state.span(); ++i) {
    if (i > 0) out += ' ';
    put_samples(out, at, index, i);
  }
}

}  // namespace pmjit::pmie
