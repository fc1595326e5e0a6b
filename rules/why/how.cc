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

// At how many times core operators computed it, and what guards failed at the others.
std::string counts_text(const pmie::ComputedWays::Counts& counts) {
  if (counts.times() == 0) return {};
  if (counts.interpreted == 0) return fmt::format(", at all {} times", counts.times());
  std::string out = fmt::format(", at {} of {} times", counts.core, counts.times());
  for (size_t i = 0; i < pmie::kGuards; ++i) {
    if (counts.failed[i] == 0) continue;
    out += fmt::format("; not at {}: {}", counts.failed[i], text_of(static_cast<pmie::Guard>(i)));
  }
  return out;
}

class HowTree {
 public:
  HowTree(const HowComputed& how, const pmie::RuleSources& sources)
      : how_(how), sources_(sources) {}

  std::string tell(uint32_t statement) {
    out_ = how_.program.statements[statement].name + "\n";
    put(how_.program.statements[statement].root, 1, {});
    return std::move(out_);
  }

 private:
  // Rules and leaves are no work. `above`: the counts of the part that it is of; mostly they are
  // its own.
  void put(uint32_t index, size_t depth, const std::string& above) {
    const pmie::PmieNode& node = how_.program.nodes[index];
    if (kind_of(node.op) == pmie::OpKind::action) return;
    const pmie::Proof proof = how_.proofs[index];
    std::string counts = above;
    if (!text_of(proof).empty()) {
      const std::string text = cut(list(how_.program, index, sources_));
      out_ += fmt::format("{:{}}{}: {}", "", 2 * depth, text, text_of(proof));
      if (how_.ways != nullptr && is_core(proof)) counts = counts_text(how_.ways->of(index));
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
  std::array<double, pmie::kGuards> failed{};
  double times = 0;
  for (uint32_t i = 0; i < how.program.nodes.size(); ++i) {
    if (!is_core(how.proofs[i])) continue;
    const auto lanes = static_cast<double>(lanes_of(how.program, how.program.nodes[i]));
    const pmie::ComputedWays::Counts& of = how.ways->of(i);
    times += lanes * static_cast<double>(of.times());
    for (size_t g = 0; g < pmie::kGuards; ++g)
      failed[g] += lanes * static_cast<double>(of.failed[g]);
  }
  std::string out;
  for (size_t g = 0; g < pmie::kGuards; ++g) {
    if (failed[g] == 0) continue;
    out += fmt::format("{:>23}  not by core: {}\n", fmt::format("{:.1f}%", 100 * failed[g] / times),
                       text_of(static_cast<pmie::Guard>(g)));
  }
  return out;
}

}  // namespace

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
    const pmie::ComputedWays::Counts& of = how.ways->of(i);
    count.core += static_cast<double>(lanes) * static_cast<double>(of.core);
    count.times += static_cast<double>(lanes) * static_cast<double>(of.times());
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
