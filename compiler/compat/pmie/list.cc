#include "compiler/compat/pmie/list.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

namespace pmjit::pmie {

namespace {

class Lister {
 public:
  Lister(const RuleProgram& program, const RuleMetrics& metrics)
      : program_(program), metrics_(metrics) {}

  void add(uint32_t id) {
    const PmieNode& node = program_.nodes[id];
    switch (node.op) {
      case PmieOp::constant: return add_constant(node);
      case PmieOp::variable: text += "?"; return;
      case PmieOp::fetch: return add_fetch(node, node.shape.samples);
      case PmieOp::delay: return add_delay(node);
      case PmieOp::print:
      case PmieOp::shell:
      case PmieOp::alarm:
      case PmieOp::stomp:
      case PmieOp::syslog: return add_action(node);
      case PmieOp::ruleset: return add_ruleset(node);
      case PmieOp::unknown_clause:
      case PmieOp::otherwise_clause: return add_binary(node, symbol_of(PmieOp::rule));
      default: return node.right == kNone ? add_unary(node) : add_binary(node, symbol_of(node.op));
    }
  }

  std::string text;

 private:
  void add_constant(const PmieNode& node) {
    for (int32_t i = 0; i < node.held; ++i) {
      if (i > 0) text += ' ';
      if (node.sem == Sem::text)
        text += '"' + node.text + '"';
      else if (node.sem == Sem::truth)
        text += node.held > 1 ? "unknown" : node.number == 1 ? "true" : "false";
      else
        text += node.held > 1 ? "?" : number_text(node.number);
    }
  }

  void add_fetch(const PmieNode& node, int32_t samples) {
    add_metric(node);
    if (samples > 1) text += fmt::format(" @0..{}", samples - 1);
  }

  // Samples of a delay are listed shifted, as one where there are as many as it is long: spec Q15.
  void add_delay(const PmieNode& node) {
    add_metric(node);
    const int32_t samples = node.shape.samples;
    text += fmt::format(" @{}", samples);
    if (samples != node.delay) text += fmt::format("..{}", samples + node.delay);
  }

  void add_metric(const PmieNode& node) {
    const Fetch& fetch = program_.fetches[node.fetch];
    text += fetch.name;
    for (const HostMetric& metric : fetch.hosts) text += " :" + metrics_.host(metric.source);
    for (const HostMetric::Instance& instance : fetch.hosts.front().instances())
      text += " #" + instance.name;
  }

  // Of a syslog's arguments the first alone, if it is not empty, and where there is a hold-off
  // before its name.
  void add_action(const PmieNode& node) {
    std::string arguments;
    for (const std::string& argument : node.arguments) {
      arguments += argument.empty() ? " " : " \"" + argument + '"';
    }
    const std::string hold_off = node.has_hold_off ? ' ' + number_text(node.number) : "";
    if (node.op != PmieOp::syslog) {
      text += fmt::format("{}{}{}", symbol_of(node.op), hold_off, arguments);
      return;
    }
    const bool is_empty = node.arguments.empty() || node.arguments.front().empty();
    const std::string message =
        fmt::format("[level={} tag=\"{}\"] {}", node.syslog_priority, node.syslog_tag,
                    is_empty ? "" : '"' + node.arguments.front() + '"');
    text +=
        hold_off.empty() ? "syslog " + message : fmt::format("({}) syslog{}", message, hold_off);
  }

  void add_unary(const PmieNode& node) {
    text += symbol_of(node.op);
    static constexpr std::string_view kDims[] = {"", "_host", "_inst", "_sample"};
    text += kDims[static_cast<size_t>(node.dim)];
    if (node.op == PmieOp::percent) {
      text += fmt::format(" {:.0f}% ", std::floor(node.number + 0.5));
      return add_side(node.left, false);
    }
    if (node.op == PmieOp::match_inst || node.op == PmieOp::nomatch_inst) text += " /<regex>/";
    text += " (";
    add(node.left);
    text += ')';
  }

  [[nodiscard]] bool is_bare(const PmieNode& node) const {
    if (kind_of(node.op) == OpKind::leaf || kind_of(node.op) == OpKind::aggregate) return true;
    return node.op == PmieOp::rate || node.op == PmieOp::instant;
  }

  void add_side(uint32_t id, bool bare) {
    bare = bare || is_bare(program_.nodes[id]);
    if (!bare) text += '(';
    add(id);
    if (!bare) text += ')';
  }

  void add_binary(const PmieNode& node, std::string_view symbol) {
    const bool bare = symbol == symbol_of(PmieOp::rule);
    add_side(node.left, bare);
    text += fmt::format(" {} ", symbol);
    add_side(node.right, bare);
  }

  void add_ruleset(const PmieNode& node) {
    if (node.right == kNone) return add_unary(node);
    add_side(node.left, false);
    text += " ruleset (";
    const PmieOp clauses = program_.nodes[node.right].op;
    if (clauses == PmieOp::otherwise_clause) text += "false other ";
    add_side(node.right, clauses == PmieOp::others);
    if (clauses == PmieOp::unknown_clause) text += " other false";
    text += ')';
  }

  const RuleProgram& program_;
  const RuleMetrics& metrics_;
};

}  // namespace

std::string list(const RuleProgram& program, uint32_t node, const RuleMetrics& metrics) {
  Lister lister(program, metrics);
  lister.add(node);
  return std::move(lister.text);
}

std::string number_text(double number) {
  if (std::isnan(number)) return "?";
  const bool is_int = number >= std::numeric_limits<int>::min() &&
                      number <= std::numeric_limits<int>::max() && number == std::trunc(number);
  const double size = std::fabs(number);
  // As printf() has it, in a fifth of its time: %d, %g, %.2f, %.1f, %.0f.
  constexpr size_t kRoom = 512, kShown = 23;  // characters: what is longer is cut (spec Q20)
  char text[kRoom];
  std::to_chars_result end{};
  if (is_int) {
    end = std::to_chars(text, text + kRoom, static_cast<int>(number));
  } else if (size < 0.5) {
    end = std::to_chars(text, text + kRoom, number, std::chars_format::general, 6);
  } else {
    const int digits = size < 5 ? 2 : size < 50 ? 1 : 0;
    end = std::to_chars(text, text + kRoom, number, std::chars_format::fixed, digits);
  }
  return {text, std::min(static_cast<size_t>(end.ptr - text), kShown)};
}

}  // namespace pmjit::pmie
