#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <map>
#include <string_view>
#include <utility>
#include <vector>

#include "compiler/compat/pmie/list.h"
#include "rules/why/why.h"

namespace pmjit {

namespace {

constexpr size_t kShownMax = 200;  // bytes of an expression; it names each instance of a metric

std::string cut(std::string text) {
  if (text.size() <= kShownMax) return text;
  size_t end = kShownMax;
  while (end > 0 && (static_cast<uint8_t>(text[end]) & 0xc0) == 0x80) --end;
  return text.substr(0, end) + "…";
}

// Whether a node is work that has a way to be told.
bool has_way(const HowComputed& how, uint32_t node) { return !text_of(how.proofs[node]).empty(); }

class HowTree {
 public:
  HowTree(const HowComputed& how, const pmie::RuleSources& sources)
      : how_(how), sources_(sources) {}

  std::string tell(uint32_t statement) {
    const uint32_t root = how_.program.statements[statement].root;
    out_ = how_.program.statements[statement].name + ": " + verdict(root) + "\n";
    put(root, 1, {});
    return std::move(out_);
  }

 private:
  // Of all parts together.
  std::string verdict(uint32_t root) const {
    size_t parts = 0, core = 0;
    bool fetches = false;
    for (uint32_t i = how_.program.nodes[root].first; i <= root; ++i) {
      fetches = fetches || how_.program.nodes[i].op == pmie::PmieOp::fetch;
      if (!has_way(how_, i)) continue;
      ++parts;
      core += is_core(how_.proofs[i]) ? 1 : 0;
    }
    if (parts == 0) return fetches ? "recorded values" : "a constant";
    if (core == parts) return "guarded";
    if (core == 0) return "interpreted";
    return fmt::format("guarded, but {} of {} parts interpreted", parts - core, parts);
  }

  // Rules and leaves are no work. `above`: the counts of the part that it is of; mostly they are
  // its own.
  void put(uint32_t index, size_t depth, const std::string& above) {
    const pmie::PmieNode& node = how_.program.nodes[index];
    if (kind_of(node.op) == pmie::OpKind::action) return;
    const pmie::Proof proof = how_.proofs[index];
    std::string counts = above;
    if (has_way(how_, index)) {
      const std::string text = cut(list(how_.program, index, sources_));
      out_ += fmt::format("{:{}}{}: {}", "", 2 * depth, text, text_of(proof));
      if (how_.ways != nullptr && is_core(proof)) counts = how_counts(how_.ways->of(index));
      if (counts != above) out_ += counts;
      out_ += '\n';
      ++depth;
    }
    for (const uint32_t operand : {node.left, node.right}) {
      if (operand != pmie::kNone) put(operand, depth, counts);
    }
  }

  const HowComputed& how_;
  const pmie::RuleSources& sources_;
  std::string out_;
};

// some_inst, sum_host; a relation of texts is one: ==.
std::string operator_of(const pmie::PmieNode& node) {
  const std::string_view symbol = pmie::symbol_of(node.op);
  std::string out(symbol.substr(0, symbol.find("<str>")));
  if (node.dim == pmie::Dim::none) return out;
  for (const auto& [dim, text] : {std::pair{pmie::Dim::host, "_host"},
                                  {pmie::Dim::inst, "_inst"},
                                  {pmie::Dim::sample, "_sample"}}) {
    if (node.dim == dim) out += text;
  }
  return out;
}

// How many values an evaluation computes, or reads where it makes fewer of them.
uint64_t lanes_of(const pmie::RuleProgram& program, const pmie::PmieNode& node) {
  uint64_t out = 1;
  const auto look_at = [&](const pmie::PmieNode& at) {
    const bool over_samples = node.dim == pmie::Dim::sample;
    const int32_t values = over_samples ? at.shape.values() : at.shape.span();
    out = std::max(out, static_cast<uint64_t>(std::max(values, 0)));
  };
  look_at(node);
  for (const uint32_t operand : {node.left, node.right}) {
    if (operand != pmie::kNone) look_at(program.nodes[operand]);
  }
  return out;
}

// Of all values of proven parts: at which share of their times each guard failed.
std::string guards_table(const HowComputed& how) {
  std::array<double, kGuards> failed{};
  double times = 0;
  for (uint32_t i = 0; i < how.program.nodes.size(); ++i) {
    if (!is_core(how.proofs[i])) continue;
    const auto lanes = static_cast<double>(lanes_of(how.program, how.program.nodes[i]));
    const GuardCounts& of = how.ways->of(i);
    times += lanes * static_cast<double>(of.all());
    for (size_t g = 0; g < kGuards; ++g) failed[g] += lanes * static_cast<double>(of.times[g]);
  }
  std::string out;
  for (size_t g = 0; g < kGuards; ++g) {
    if (failed[g] == 0) continue;
    out += fmt::format("{:>23}  not by core: {}\n", fmt::format("{:.1f}%", 100 * failed[g] / times),
                       text_of(static_cast<Guard>(g)));
  }
  return out;
}

}  // namespace

std::string how_counts(const GuardCounts& counts) {
  if (counts.all() == 0) return {};
  if (counts.failed == 0) return fmt::format(", at all {} times", counts.all());
  std::string out = fmt::format(", at {} of {} times", counts.held, counts.all());
  for (size_t i = 0; i < kGuards; ++i) {
    if (counts.times[i] == 0) continue;
    out += fmt::format("; not at {} in {} stretch{}: {}", counts.times[i], counts.stretches[i],
                       counts.stretches[i] == 1 ? "" : "es", text_of(static_cast<Guard>(i)));
  }
  return out;
}

std::string how_text(const HowComputed& how, uint32_t statement, const pmie::RuleSources& sources) {
  return HowTree(how, sources).tell(statement);
}

std::string how_summary(const HowComputed& how) {
  struct Count {
    uint64_t nodes = 0, lanes = 0;
    double core = 0, times = 0;  // of the values: computed by core operators; in all
  };
  std::map<std::pair<std::string, std::string_view>, Count> counts;
  for (uint32_t i = 0; i < how.program.nodes.size(); ++i) {
    const std::string_view text = pmie::text_of(how.proofs[i]);
    if (text.empty()) continue;
    Count& count = counts[{operator_of(how.program.nodes[i]), text}];
    const uint64_t lanes = lanes_of(how.program, how.program.nodes[i]);
    ++count.nodes;
    count.lanes += lanes;
    if (how.ways == nullptr) continue;
    const GuardCounts& of = how.ways->of(i);
    count.core += static_cast<double>(lanes) * static_cast<double>(of.held);
    count.times += static_cast<double>(lanes) * static_cast<double>(of.all());
  }
  std::vector<std::pair<std::pair<std::string, std::string_view>, Count>> rows(counts.begin(),
                                                                               counts.end());
  std::ranges::stable_sort(rows, std::greater{}, [](const auto& row) { return row.second.lanes; });
  std::string out =
      fmt::format("{:>6} {:>8} {:>7}  {:<14}{}\n", "parts", "values", "by core", "operator", "how");
  for (const auto& [row, count] : rows) {
    const std::string share =
        count.times == 0 ? "-" : fmt::format("{:.1f}%", 100 * count.core / count.times);
    out += fmt::format("{:6} {:8} {:>7}  {:<14}{}\n", count.nodes, count.lanes, share, row.first,
                       row.second);
  }
  if (how.ways != nullptr) out += guards_table(how);
  return out;
}

}  // namespace pmjit
