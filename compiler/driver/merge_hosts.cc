#include "compiler/driver/merge_hosts.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <optional>

#include "compiler/ir/print.h"

namespace pmjit {

namespace {

// `web2` of web2:disk.dev.read; empty: of its own host. No name of a metric has a colon.
std::string_view named_host(std::string_view metric) {
  const size_t colon = metric.rfind(':');
  return colon == metric.npos ? std::string_view{} : metric.substr(0, colon);
}
bool is_of_no_host(std::string_view metric) { return metric.starts_with('$'); }

class Merger {
 public:
  explicit Merger(std::span<const HostIr> hosts) : hosts_(hosts) {
    for (const HostIr& host : hosts_) {
      operands_.emplace_back(host.ir.operands.size());
      derived_.emplace_back(host.ir.derived.size());
      made_.emplace_back(host.ir.nodes.size());
      std::map<uint32_t, std::string> keys;
      for (const auto& [node, key, left_out] : host.hosts) keys.emplace(node.index, key);
      keys_.push_back(std::move(keys));
    }
    for (uint32_t h = 0; h < hosts_.size(); ++h) {
      for (const auto& [node, key, left_out] : hosts_[h].hosts) {
        std::vector<Part>& parts = parts_[key];
        if (!left_out) parts.push_back({h, node});
        all_parts_[key].push_back({h, node});
      }
    }
  }

  Result<MergedIr> run() {
    for (const std::string& title : titles()) {
      for (uint32_t h = 0; h < hosts_.size(); ++h) {
        if (!add_roots(h, title)) break;
      }
      if (failure_) return fail(*failure_);
    }
    return std::move(out_);
  }

 private:
  struct Part {
    uint32_t host;
    NodeId node;
  };
  // Whose metrics a merged node is made from.
  struct Reach {
    bool own = false;                // of the host whose Ir it stood in
    bool several = false;            // of several, or of all
    std::optional<uint32_t> only{};  // of one that is named
    void add(const Reach& other) {
      own = own || other.own;
      several = several || other.several || (only && other.only && *only != *other.only);
      if (!only) only = other.only;
    }
  };

  std::vector<std::string> titles() const {
    std::vector<std::string> out;
    for (const HostIr& host : hosts_) {
      for (const RootText& root : host.roots) {
        if (std::ranges::find(out, root.title) == out.end()) out.push_back(root.title);
      }
    }
    return out;
  }

  // False: no other host has more to add.
  bool add_roots(uint32_t h, const std::string& title) {
    const HostIr& host = hosts_[h];
    bool of_host = true;
    for (size_t k = 0; k < host.roots.size(); ++k) {
      if (host.roots[k].title != title) continue;
      const NodeId root = build({h, host.ir.roots[k]});
      if (failure_) return false;
      RootText text = host.roots[k];
      const Reach& reach = reaches_[root.index];
      of_host = reach.own;
      text.shared = !of_host;
      text.reduces = !of_host && reach.several;
      if (of_host) text.host = host.name;
      if (!of_host && !reach.several && reach.only) text.host = hosts_[*reach.only].name;
      out_.ir.roots.push_back(root);
      out_.roots.push_back(std::move(text));
    }
    return of_host;
  }

  // With a stack of our own: chains of definitions may be long.
  NodeId build(Part wanted) {
    std::vector<Part> stack = {wanted};
    while (!stack.empty() && !failure_) {
      const Part at = stack.back();
      if (made(at).known()) {
        stack.pop_back();
        continue;
      }
      const std::vector<Part> needs = operands_of(at);
      const size_t before = stack.size();
      for (const Part& part : needs) {
        if (!made(part).known()) stack.push_back(part);
      }
      if (stack.size() > before) continue;
      make(at, needs);
      stack.pop_back();
    }
    return failure_ ? NodeId{} : made(wanted);
  }

  NodeId& made(Part part) { return made_[part.host][part.node.index]; }

  // Of a reduction over hosts: what every host has.
  std::vector<Part> operands_of(Part at) const {
    std::vector<Part> out;
    const auto key = keys_[at.host].find(at.node.index);
    if (key == keys_[at.host].end()) {
      for (const NodeId arg : hosts_[at.host].ir.args_of(at.node)) out.push_back({at.host, arg});
      return out;
    }
    for (const Part& part : parts_.at(key->second)) {
      out.push_back({part.host, hosts_[part.host].ir.args_of(part.node)[0]});
    }
    return out;
  }

  void make(Part at, const std::vector<Part>& needs) {
    const Ir& from = hosts_[at.host].ir;
    Node node = from.nodes[at.node];
    Type type = from.type_of(at.node);
    std::vector<NodeId> args;
    for (const Part& part : needs) args.push_back(made(part));
    if (node.op == Op::hosts && args.empty()) {
      failure_ =
          Error(Fault::unsupported, "none of the hosts that a reduction names has its metrics");
      return;
    }
    Reach reach;
    if (node.op == Op::hosts) {
      reach = {.several = true};
      // What is the same for all hosts is there once.
      if (!reaches_[args[0].index].own) {
        reach = reaches_[args[0].index];
        args.resize(1);
      }
      node.payload = args.size();
      if (!agree(std::span(needs).first(args.size()))) return;
    } else {
      reach = reach_of(at.host, node, args.empty() && type.axes.domain != kNullId);
      for (const NodeId arg : args) reach.add(reaches_[arg.index]);
      node.payload = payload(at.host, node);
    }
    node.type_id = out_.ir.intern(type);
    const NodeId id = out_.ir.add(node, args);
    reaches_.push_back(reach);
    if (node.op != Op::hosts) {
      made(at) = id;
      return;
    }
    for (const Part& part : all_parts_.at(keys_[at.host].at(at.node.index))) made(part) = id;
  }

  // Without its operands. `spreads`: over a domain, with none.
  Reach reach_of(uint32_t h, const Node& node, bool spreads) const {
    if (node.op != Op::fetch) return {.own = spreads || node.op == Op::derived};
    const OperandId id{{static_cast<uint32_t>(node.payload)}};
    const std::string& metric = hosts_[h].ir.operands[id].metric;
    if (is_of_no_host(metric)) return {};
    const std::string_view host = named_host(metric);
    if (host.empty()) return {.own = true};
    const auto found = std::ranges::find(hosts_, host, &HostIr::name);
    return {.only = static_cast<uint32_t>(found - hosts_.begin())};
  }

  // Are the hosts' operands of one kind?
  bool agree(std::span<const Part> needs) {
    const Type& first = type_of(needs[0]);
    for (const Part& part : needs) {
      const Type& type = type_of(part);
      if (type.elem == first.elem && type.units == first.units && type.axes == first.axes) continue;
      failure_ = differing(needs[0], part);
      return false;
    }
    return true;
  }

  static std::string help_to_agree(const Type& one, const Type& two) {
    if (!is_number(one.elem) || !is_number(two.elem)) return "read these hosts apart";
    const bool types = one.elem != two.elem, units = one.units != two.units;
    return fmt::format("bring them to one {}, or read these hosts apart",
                       types && units ? "type and unit with 1.0 * rescale()"
                       : types        ? "type with 1.0 * in front of the metric"
                                      : "unit with rescale()");
  }

  // In words: numbers of domains say nothing to people.
  [[nodiscard]] Error differing(Part first, Part other) const {
    Type one = type_of(first), two = type_of(other);
    const std::string &host = hosts_[first.host].name, &next = hosts_[other.host].name;
    const InDomId domains[] = {one.axes.domain, two.axes.domain};
    one.axes = two.axes = {};
    const std::string head = "a reduction over hosts, and the hosts differ: ";
    if (one.elem != two.elem || one.units != two.units) {
      return Error(Fault::unsupported, fmt::format("{}{} has {}, {} {}", head, host, type_text(one),
                                                   next, type_text(two)))
          .help(help_to_agree(one, two));
    }
    const auto count = [](InDomId domain) {
      return domain == kNullId ? "one value" : "one for each instance";
    };
    const bool both = domains[0] != kNullId && domains[1] != kNullId;
    return Error(Fault::unsupported,
                 both ? fmt::format("{}the instances of {} and {} are of different domains", head,
                                    host, next)
                      : fmt::format("{}{} has {}, {} {}", head, host, count(domains[0]), next,
                                    count(domains[1])))
        .help("make one value of each host first, as sum() does, or read these hosts apart");
  }

  const Type& type_of(Part part) const { return hosts_[part.host].ir.type_of(part.node); }

  uint64_t payload(uint32_t h, const Node& node) {
    const Ir& from = hosts_[h].ir;
    const auto index = static_cast<uint32_t>(node.payload);
    switch (payload_of(node.op)) {
      case Payload::operand: return operand(h, OperandId{{index}}).index;
      case Payload::derived: return derived(h, index);
      case Payload::text:
        out_.ir.texts.push_back(from.texts[index]);
        return out_.ir.texts.size() - 1;
      default: return node.payload;
    }
  }

  // Names of metrics are one host's; with its name they are those of the run.
  OperandId operand(uint32_t h, OperandId id) {
    std::optional<OperandId>& known = operands_[h][id.index];
    if (!known) {
      Operand operand = hosts_[h].ir.operands[id];
      auto [it, is_new] = of_metric_.try_emplace({operand.desc.pmid, operand.between}, OperandId{});
      if (is_new) {
        const bool named = is_of_no_host(operand.metric) || !named_host(operand.metric).empty();
        if (!named) operand.metric = hosts_[h].name + ":" + operand.metric;
        it->second = out_.ir.operands.add(std::move(operand));
      }
      known = it->second;
    }
    return *known;
  }

  uint64_t derived(uint32_t h, uint32_t index) {
    std::optional<uint64_t>& known = derived_[h][index];
    if (!known) {
      DerivedExpression expression = hosts_[h].ir.derived[index];
      expression.name = hosts_[h].name + ":" + expression.name;
      expression.body += hosts_[h].first_body;
      for (OperandId& one : expression.operands) one = operand(h, one);
      known = out_.ir.derived.size();
      out_.ir.derived.push_back(std::move(expression));
    }
    return *known;
  }

  std::span<const HostIr> hosts_;
  MergedIr out_;
  std::vector<std::vector<std::optional<OperandId>>> operands_;
  std::map<std::pair<PmId, Between>, OperandId> of_metric_;  // of all hosts
  std::vector<std::vector<std::optional<uint64_t>>> derived_;
  std::vector<std::vector<NodeId>> made_;              // of each host's nodes
  std::vector<std::map<uint32_t, std::string>> keys_;  // of each host's nodes of shape hosts
  std::map<std::string, std::vector<Part>> parts_, all_parts_;  // all: those left out, too
  std::vector<Reach> reaches_;                                  // of a merged node
  std::optional<Error> failure_;
};

}  // namespace

Result<MergedIr> merge_hosts(std::span<const HostIr> hosts) { return Merger(hosts).run(); }

}  // namespace pmjit
