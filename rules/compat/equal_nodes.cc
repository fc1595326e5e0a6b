#include "rules/compat/equal_nodes.h"

#include <fmt/core.h>

#include <bit>
#include <numeric>
#include <unordered_map>

namespace pmjit::pmie {

namespace {

class SharingFinder {
 public:
  explicit SharingFinder(const RuleProgram& program) : program_(program) {
    out_.nodes.resize(program.nodes.size());
    std::iota(out_.nodes.begin(), out_.nodes.end(), 0U);
    out_.fetches.resize(program.fetches.size());
    std::iota(out_.fetches.begin(), out_.fetches.end(), 0U);
    out_.always.resize(program.nodes.size());
  }

  Sharing take() { return std::move(out_); }

  // Operands before their users.
  void visit(uint32_t task, uint32_t index) {
    const PmieNode& node = program_.nodes[index];
    switch (kind_of(node.op)) {
      case OpKind::action: return;
      case OpKind::rule:
        // Of a ruleset the first condition alone is always evaluated.
        if (node.op != PmieOp::others) visit(task, node.left);
        return;
      default: break;
    }
    if (node.left != kNone) visit(task, node.left);
    if (node.right != kNone) visit(task, node.right);
    const auto [found, is_new] = known_.try_emplace(key(task, node), index);
    if (is_new) {
      out_.always[index] = true;
      return;
    }
    out_.nodes[index] = found->second;
    if (node.op == PmieOp::fetch) out_.fetches[node.fetch] = program_.nodes[found->second].fetch;
  }

 private:
  [[nodiscard]] uint32_t rep(uint32_t operand) const {
    return operand == kNone ? kNone : out_.nodes[operand];
  }

  // All that its values and its storage depend on.
  [[nodiscard]] std::string key(uint32_t task, const PmieNode& node) const {
    std::string out = fmt::format(
        "{} {} {} {} {} {} {} {} {} {} {} {} {} {:x} {} {}", task, static_cast<int>(node.op),
        static_cast<int>(node.dim), rep(node.left), rep(node.right), node.held, node.delay,
        node.shape.hosts, node.shape.insts, node.shape.samples, node.left_is_set, node.right_is_set,
        static_cast<int>(node.sem), std::bit_cast<uint64_t>(node.number),
        static_cast<int>(node.variable), node.text);
    if (node.op == PmieOp::fetch) add_fetch(program_.fetches[node.fetch], out);
    return out;
  }

  static void add_fetch(const Fetch& fetch, std::string& out) {
    out += fmt::format(" {} {} {}", fetch.raw, fetch.held, fetch.instances_listed);
    for (const HostMetric& host : fetch.hosts) {
      out += fmt::format(" {}:{:x}", host.source, host.pmid);
      if (!fetch.instances_listed) continue;
      for (const HostMetric::Instance& instance : host.instances()) {
        out += fmt::format(",{}={}", instance.id, instance.name);
      }
    }
  }

  const RuleProgram& program_;
  Sharing out_;
  std::unordered_map<std::string, uint32_t> known_;
};

}  // namespace

Sharing find_shared(const RuleProgram& program, const std::vector<uint32_t>& tasks) {
  SharingFinder finder(program);
  for (size_t i = 0; i < program.statements.size(); ++i) {
    finder.visit(tasks[i], program.statements[i].root);
  }
  return finder.take();
}

}  // namespace pmjit::pmie
