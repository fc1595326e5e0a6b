#include "rules/compat/core_proofs.h"

#include <fmt/core.h>

#include <algorithm>
#include <bit>
#include <iterator>
#include <numeric>
#include <unordered_map>

namespace pmjit::pmie {

namespace {

constexpr std::string_view kTexts[] = {
#define PROOF(name, text) text,
#include "rules/compat/proofs.def"
#undef PROOF
};

class Prover {
 public:
  Prover(const RuleProgram& program, const Sharing& sharing)
      : program_(program), sharing_(sharing), out_(program.nodes.size(), Proof::leaf) {}

  Proofs run(ProvenOver over) {
    for (uint32_t i = 0; i < out_.size(); ++i) {
      if (stands(i)) out_[i] = of(i);
    }
    withdraw_unasked();
    if (over == ProvenOver::archives) add_columns();
    for (uint32_t i = 0; i < out_.size(); ++i) out_[i] = out_[sharing_.nodes[i]];
    return std::move(out_);
  }

 private:
  void add_columns() {
    const NodeRange all{0, static_cast<uint32_t>(out_.size())};
    const std::vector<bool> columns = find_columns(program_, sharing_, all);
    for (uint32_t i = 0; i < out_.size(); ++i) {
      const bool is_interpreted = !is_core(out_[i]) && out_[i] != Proof::leaf;
      if (columns[i] && is_interpreted && out_[i] != Proof::rule) out_[i] = Proof::column;
    }
  }

  [[nodiscard]] bool stands(uint32_t index) const { return sharing_.nodes[index] == index; }
  [[nodiscard]] Proof known(uint32_t operand) const { return out_[sharing_.nodes[operand]]; }

  [[nodiscard]] Proof of(uint32_t index) const {
    const PmieNode& node = program_.nodes[index];
    switch (kind_of(node.op)) {
      case OpKind::leaf: return Proof::leaf;
      case OpKind::rule:
      case OpKind::action: return Proof::rule;
      case OpKind::quantifier: return quantifier(node);
      case OpKind::aggregate: return node.op == PmieOp::count ? quantifier(node) : Proof::elements;
      case OpKind::arithmetic: return node.op == PmieOp::rate ? Proof::history : Proof::elements;
      case OpKind::relation: return relation(index);
      case OpKind::logic: return logic(index);
    }
    return Proof::leaf;
  }

  [[nodiscard]] Proof quantifier(const PmieNode& node) const {
    if (node.dim != Dim::inst) return Proof::other_axis;
    if (program_.nodes[node.left].shape.hosts > 1) return Proof::several_hosts;
    return is_judged(known(node.left)) ? Proof::decided : Proof::operand;
  }

  // What both of a comparison and of a connective must hold; leaf: it does.
  [[nodiscard]] Proof common(uint32_t index) const {
    const PmieNode& node = program_.nodes[index];
    if (!node.left_is_set && !node.right_is_set) return Proof::one_number;
    if (node.held > 1 || node.shape.held() > 1) return Proof::history;
    return node.shape.hosts > 1 ? Proof::several_hosts : Proof::leaf;
  }

  [[nodiscard]] Proof relation(uint32_t index) const {
    const PmieNode& node = program_.nodes[index];
    if (node.op == PmieOp::text_equal || node.op == PmieOp::text_unequal) return Proof::texts;
    if (const Proof why = common(index); why != Proof::leaf) return why;
    if (node.left_is_set && node.right_is_set) return Proof::two_sets;
    return Proof::comparison;
  }

  [[nodiscard]] Proof logic(uint32_t index) const {
    const PmieNode& node = program_.nodes[index];
    if (node.op == PmieOp::rising || node.op == PmieOp::falling) return Proof::history;
    if (const Proof why = common(index); why != Proof::leaf) return why;
    if (!node.left_is_set || (node.right != kNone && !node.right_is_set)) return Proof::storage;
    const bool fit =
        is_judged(known(node.left)) && (node.right == kNone || is_judged(known(node.right)));
    return fit ? Proof::connective : Proof::operand;
  }

  // From above: what no quantifier is decided by is evaluated as it stands.
  void withdraw_unasked() {
    std::vector<bool> asked(out_.size());
    for (uint32_t i = static_cast<uint32_t>(out_.size()); i-- > 0;) {
      if (!stands(i)) continue;
      if (is_judged(out_[i]) && !asked[i]) out_[i] = Proof::unasked;
      if (!is_core(out_[i]) || out_[i] == Proof::comparison) continue;
      const PmieNode& node = program_.nodes[i];
      for (const uint32_t operand : {node.left, node.right}) {
        if (operand != kNone) asked[sharing_.nodes[operand]] = true;
      }
    }
  }

  const RuleProgram& program_;
  const Sharing& sharing_;
  Proofs out_;
};

// By the operator alone.
bool can_be_column(const RuleProgram& program, const PmieNode& node) {
  if (node.sem == Sem::text) return false;
  switch (node.op) {
    case PmieOp::fetch: return !program.fetches[node.fetch].waits();
    // A ring of a rule does not move where its condition has no value.
    case PmieOp::rule: return node.held <= 1 && node.shape.held() <= 1;
    case PmieOp::constant: return true;
    case PmieOp::text_equal:
    case PmieOp::text_unequal:
    case PmieOp::variable: return false;
    default: break;
  }
  const OpKind kind = kind_of(node.op);
  return kind != OpKind::rule && kind != OpKind::action;
}

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

Proofs prove(const RuleProgram& program, const Sharing& sharing, ProvenOver over) {
  return Prover(program, sharing).run(over);
}

std::vector<bool> find_columns(const RuleProgram& program, const Sharing& sharing,
                               NodeRange range) {
  std::vector<bool> out(range.end - range.begin);
  const auto may = [&](uint32_t operand) {
    return operand == kNone || out[sharing.nodes[operand] - range.begin];
  };
  // Roots are in the order of the statements.
  auto next_root =
      std::ranges::lower_bound(program.statements, range.begin, {}, &PmieStatement::root);
  for (uint32_t i = range.begin; i < range.end; ++i) {
    const PmieNode& node = program.nodes[i];
    const bool is_root = next_root != program.statements.end() && next_root->root == i;
    if (is_root) ++next_root;
    const bool is_rule = node.op == PmieOp::rule;
    const bool is_evaluated = is_rule ? is_root : sharing.always[i];
    if (sharing.nodes[i] != i || !is_evaluated || !can_be_column(program, node)) continue;
    out[i - range.begin] = may(node.left) && (is_rule || may(node.right));
  }
  return out;
}

std::string_view text_of(Proof proof) { return kTexts[static_cast<size_t>(proof)]; }

Sharing find_shared(const RuleProgram& program, const std::vector<uint32_t>& tasks) {
  SharingFinder finder(program);
  for (size_t i = 0; i < program.statements.size(); ++i) {
    finder.visit(tasks[i], program.statements[i].root);
  }
  return finder.take();
}

}  // namespace pmjit::pmie
