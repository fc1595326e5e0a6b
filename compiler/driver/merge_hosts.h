// The Irs of several hosts as one. Each host's expressions were lowered with its own metadata, and
// a reduction over hosts has the operand of its own host alone; here it gets those of all hosts
// that have it.
//
//   host 0:  %2 = hosts 1 %1        host 1:  %2 = hosts 1 %1
//   merged:  %4 = hosts 2 %1 %3
//
// A metric named with its host (web2:disk.dev.read) is the same for every host, and so is one that
// begins with a dollar, which is of no host. Private to compiler/driver.
#pragma once

#include <span>
#include <string>
#include <utility>
#include <vector>

#include "compiler/driver/parsed_texts.h"
#include "compiler/sema/lower.h"
#include "runtime/base/result.h"

namespace pmjit {

// One host's share: what was lowered, and what its roots are called.
struct HostIr {
  std::string name{};  // of the host
  Ir ir{};
  // Of each node of shape hosts: what it is made from, the same text for every host; and whether
  // this one is left out of it, for others are named.
  struct HostsKey {
    NodeId node;
    std::string text;
    bool left_out = false;
  };
  std::vector<HostsKey> hosts{};
  std::vector<RootText> roots{};  // of ir.roots
  uint32_t first_body = 0;        // of its derived metrics, among those of all hosts
};

struct MergedIr {
  Ir ir;
  std::vector<RootText> roots;
};

// Roots in the order in which titles first appear; of one title those of the hosts in order, but
// one alone where it is the same for all of them: such a root has no host. Fails where the hosts
// have the operand of a reduction in different units or types.
[[nodiscard]] Result<MergedIr> merge_hosts(std::span<const HostIr> hosts);

}  // namespace pmjit
