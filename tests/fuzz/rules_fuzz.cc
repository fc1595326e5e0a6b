// Rule files: whatever the text, it is read to its end, with messages that are whole lines; what
// was read lists itself, and reading it again gives the same.
#include <cstddef>
#include <cstdint>

#include "compiler/compat/pmie/list.h"
#include "compiler/compat/pmie/rule_reader.h"
#include "runtime/base/result.h"
#include "tests/unit/compat_pmie/fake_metrics.h"

namespace pmjit::pmie {
namespace {

constexpr uint8_t kAgent = 1, kApplet = 2;

struct Read {
  std::string said, listed;
  bool ended = false;  // the program, with a message
  bool operator==(const Read&) const = default;
};

void check_program(const RuleProgram& program) {
  for (uint32_t i = 0; i < program.nodes.size(); ++i) {
    const PmieNode& node = program.nodes[i];
    for (const uint32_t operand : {node.left, node.right}) {
      check(operand == kNone || operand < i, "operands stand before their users");
    }
    check(node.op != PmieOp::fetch || node.fetch < program.fetches.size(), "a fetch that is there");
  }
  for (const PmieStatement& statement : program.statements) {
    check(statement.root < program.nodes.size(), "a statement has a root");
  }
}

Read read(std::string_view text, uint8_t how) {
  FakeMetrics metrics;
  Said said;
  RuleReader reader(metrics, said, {.agent = (how & kAgent) != 0, .applet = (how & kApplet) != 0});
  const auto done = reader.read(text, "fuzz");
  check_program(reader.program());
  Read out{.said = said.text, .listed = {}, .ended = !done};
  for (const PmieStatement& statement : reader.program().statements) {
    out.listed += list(reader.program(), statement.root, metrics);
  }
  return out;
}

}  // namespace
}  // namespace pmjit::pmie

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size) {
  using namespace pmjit::pmie;
  if (size == 0) return 0;
  const std::string_view text(reinterpret_cast<const char*>(bytes) + 1, size - 1);
  const Read once = read(text, bytes[0]);
  pmjit::check(once.said.empty() || once.said.back() == '\n', "messages are lines");
  pmjit::check(once == read(text, bytes[0]), "read again it is the same");
  return 0;
}
