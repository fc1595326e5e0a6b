// Label sets as a LABEL PDU has them: JSON in one line, sorted by name, and where in it each name
// and value stands. Source: spec wire-protocol.md §5.17.
//
//   LabelSheets sheets;
//   sheets.add(kSingular, 0x2, {{"agent", "\"linux\""}});
//   LabelMessage{.ident = 60, .type = 2, .sets = sheets.sets()}
#pragma once

#include <deque>
#include <string>
#include <vector>

#include "agent/model/agent.h"
#include "runtime/wire/messages.h"

namespace pmjit {

// Bits of LABEL_REQ's type, each a level of labels.
enum class AgentLabelLevel : uint32_t {
  context = 1,
  domain = 2,
  indom = 4,
  cluster = 8,
  item = 16,
  instances = 32,
};

class LabelSheets {
 public:
  // `level`: whose labels they are, which each of them says. Labels beyond what a PDU can hold
  // (254, 65,534 bytes) are left out.
  void add(int32_t instance, AgentLabelLevel level, std::vector<AgentLabel> labels);
  // Views into this object.
  [[nodiscard]] std::vector<wire::SentLabels> take_sets() { return std::move(sets_); }

 private:
  std::deque<std::string> texts_;
  std::vector<wire::SentLabels> sets_;
};

// {"a":1,"b":"x"}, sorted.
[[nodiscard]] std::string labels_json(std::vector<AgentLabel> labels);

}  // namespace pmjit
