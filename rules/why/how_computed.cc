#include "rules/why/how_computed.h"

#include <fmt/core.h>

#include "compiler/compat/pmie/list.h"

namespace pmjit {

namespace {

using namespace pmie;  // NOLINT: every word of it is used

constexpr size_t kShownMax = 200;  // bytes of an expression; it names each instance of a metric

std::string cut(std::string text) {
  if (text.size() <= kShownMax) return text;
  size_t end = kShownMax;
  while (end > 0 && (static_cast<uint8_t>(text[end]) & 0xc0) == 0x80) --end;
  return text.substr(0, end) + "…";
}

class How {
 public:
  How(const RuleProgram& program, const Proofs& proofs, const ArchiveSources& sources)
      : program_(program), proofs_(proofs), sources_(sources) {}

  std::string tell(uint32_t statement) {
    out_ = program_.statements[statement].name + "\n";
    put(program_.statements[statement].root, 1);
    return std::move(out_);
  }

 private:
  // Rules and leaves are no work.
  void put(uint32_t index, size_t depth) {
    const PmieNode& node = program_.nodes[index];
    if (kind_of(node.op) == OpKind::action) return;
    const std::string_view how = text_of(proofs_[index]);
    if (!how.empty()) {
      const std::string text = cut(list(program_, index, sources_));
      out_ += fmt::format("{:{}}{}: {}\n", "", 2 * depth, text, how);
      ++depth;
    }
    for (const uint32_t operand : {node.left, node.right}) {
      if (operand != kNone) put(operand, depth);
    }
  }

  const RuleProgram& program_;
  const Proofs& proofs_;
  const ArchiveSources& sources_;
  std::string out_;
};

}  // namespace

std::string how_text(const RuleProgram& program, uint32_t statement, const Proofs& proofs,
                     const ArchiveSources& sources) {
  return How(program, proofs, sources).tell(statement);
}

}  // namespace pmjit
