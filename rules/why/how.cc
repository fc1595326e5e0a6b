#include <fmt/core.h>

#include <algorithm>
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

class How {
 public:
  How(const pmie::RuleProgram& program, const pmie::Proofs& proofs,
      const pmie::RuleSources& sources)
      : program_(program), proofs_(proofs), sources_(sources) {}

  std::string tell(uint32_t statement) {
    out_ = program_.statements[statement].name + "\n";
    put(program_.statements[statement].root, 1);
    return std::move(out_);
  }

 private:
  // Rules and leaves are no work.
  void put(uint32_t index, size_t depth) {
    const pmie::PmieNode& node = program_.nodes[index];
    if (kind_of(node.op) == pmie::OpKind::action) return;
    const std::string_view how = text_of(proofs_[index]);
    if (!how.empty()) {
      const std::string text = cut(list(program_, index, sources_));
      out_ += fmt::format("{:{}}{}: {}\n", "", 2 * depth, text, how);
      ++depth;
    }
    for (const uint32_t operand : {node.left, node.right}) {
      if (operand != pmie::kNone) put(operand, depth);
    }
  }

  const pmie::RuleProgram& program_;
  const pmie::Proofs& proofs_;
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

}  // namespace

std::string how_text(const pmie::RuleProgram& program, uint32_t statement,
                     const pmie::Proofs& proofs, const pmie::RuleSources& sources) {
  return How(program, proofs, sources).tell(statement);
}

std::string how_summary(const pmie::RuleProgram& program, const pmie::Proofs& proofs) {
  struct Count {
    uint64_t nodes = 0, lanes = 0;
  };
  std::map<std::pair<std::string, std::string_view>, Count> counts;
  for (uint32_t i = 0; i < program.nodes.size(); ++i) {
    const std::string_view how = pmie::text_of(proofs[i]);
    if (how.empty()) continue;
    Count& count = counts[{operator_of(program.nodes[i]), how}];
    ++count.nodes;
    count.lanes += lanes_of(program, program.nodes[i]);
  }
  std::vector<std::pair<std::pair<std::string, std::string_view>, Count>> rows(counts.begin(),
                                                                               counts.end());
  std::ranges::stable_sort(rows, std::greater{}, [](const auto& row) { return row.second.lanes; });
  std::string out = fmt::format("{:>6} {:>8}  {:<14}{}\n", "parts", "values", "operator", "how");
  for (const auto& [row, count] : rows) {
    out += fmt::format("{:6} {:8}  {:<14}{}\n", count.nodes, count.lanes, row.first, row.second);
  }
  return out;
}

}  // namespace pmjit
