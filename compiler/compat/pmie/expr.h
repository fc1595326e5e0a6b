// RuleProgram: the statements of rule files in the dialect pmie, bound to metadata: trees of nodes
// in the order in which they are evaluated (operands before their users, left before right), each
// with the shape that it has when the text has been read. Immutable; what changes from evaluation
// to evaluation is in the engine. Source: spec rules-language.md §3, §5–§12.
//
//   RuleReader reader(metrics, options, messages);      rule_reader.h
//   reader.read(text, name);
//   const RuleProgram& program = reader.program();
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "compiler/diag/diag.h"
#include "runtime/base/pattern.h"
#include "runtime/model/desc.h"

namespace pmjit::pmie {

enum class PmieOp : uint8_t {
#define OP(name, kind, symbol) name,
#include "compiler/compat/pmie/ops.def"
#undef OP
};

enum class OpKind : uint8_t {
  leaf,
  arithmetic,
  aggregate,
  relation,
  logic,
  quantifier,
  rule,
  action
};

[[nodiscard]] OpKind kind_of(PmieOp op);
[[nodiscard]] std::string_view symbol_of(PmieOp op);

enum class Dim : uint8_t { none, host, inst, sample };

// Spec §5, "sem".
enum class Sem : uint8_t { unknown, instant, discrete, counter, number, variable, truth, text };

// The reserved macros, in this order of names: delta minute hour day month year day_of_week.
enum class Variable : uint8_t { delta, minute, hour, day, month, year, day_of_week };

constexpr uint32_t kNone = UINT32_MAX;

// Spec §5: H, I, T, the elements of a sample, the samples that are kept.
struct PmieShape {
  static constexpr int32_t kNoAxis = -1;
  int32_t hosts = kNoAxis, insts = kNoAxis, samples = kNoAxis;

  [[nodiscard]] int32_t span() const { return insts >= 0 ? insts : (hosts < 0 ? -hosts : hosts); }
  [[nodiscard]] int32_t held() const { return samples < 0 ? -samples : samples; }
  [[nodiscard]] int32_t values() const { return span() * held(); }
  bool operator==(const PmieShape&) const = default;
};

// Where an expression stands in its file; of what a macro brings in: where that is named.
struct SourcePlace {
  Span span;             // all of it
  Span sign;             // its operator, its name
  bool grouped = false;  // stands in parentheses
};

struct PmieNode {
  PmieOp op = PmieOp::constant;
  Dim dim = Dim::none;                   // aggregates and quantifiers
  uint32_t left = kNone, right = kNone;  // of RuleProgram::nodes; a single operand is the left one
  uint32_t first = 0;                    // of the nodes that this is made of, which end with itself
  PmieShape shape;
  Sem sem = Sem::unknown;
  // In canonical units; none: not known, for the metadata are not.
  std::optional<Units> units;
  // Of a product of constants, and of a macro: pmie keeps the units of the left one, or none, and
  // these are meant.
  std::optional<Units> meant_units{};
  // The fetch whose metric records name the elements (spec §5 "metrics"): of RuleProgram::fetches.
  uint32_t metrics = kNone;
  // Spec §7: how the operands of a binary operator are paired. Scalar unless said.
  bool left_is_set = false, right_is_set = false;
  // For rate, rising, falling their operand has two samples at least: that of its shape or more.
  int32_t held = 1;
  double number = 0;  // constant: its value in canonical units, truth as 0 or 1;
                      // percent: N; actions: hold-off in seconds
  std::string text;   // constant of Sem::text; match_inst: its pattern's text
  Variable variable = Variable::delta;
  uint32_t fetch = kNone;     // fetch, delay: of RuleProgram::fetches
  int32_t delay = 0;          // delay: how many samples before the newest of its fetch it begins
  Pattern pattern;            // match_inst
  bool has_hold_off = false;  // actions: written, if only 0
  std::vector<std::string> arguments;  // actions; of syslog those that are its message
  int32_t syslog_priority = 0;         // facility and level as syslog(3) has them
  std::string syslog_tag;
  uint32_t line = 0;  // rule: of the `->`
  SourcePlace place{};
};

// Instances as they were when the rules were read.
struct InstanceList {
  struct Instance {
    int32_t id = 0;
    std::string name;
  };
  std::vector<Instance> instances;  // those listed, or all ever recorded,
  std::vector<uint32_t> by_id;      // and where each of all is, ascending by identifier
  // The names of all in that order, shared by hosts that have the same ones. Null: see `instances`.
  std::shared_ptr<const std::vector<std::string>> names_by_id{};
};

// What one host delivers for a fetch.
struct HostMetric {
  using Instance = InstanceList::Instance;
  uint32_t source = 0;  // as RuleMetrics numbers them
  PmId pmid = 0;
  Desc desc;
  double scale = 1;  // to canonical units: spec §10
  // Fetches of all instances of a domain have one list; null: a metric without instances.
  std::shared_ptr<const InstanceList> list;
  // Its metadata are not there yet: it has no value, and RuleReader::bind_waiting() looks again.
  bool waiting = false;

  // What to fetch, in this order: as written with `#`; else all of them.
  [[nodiscard]] std::span<const Instance> instances() const {
    return list == nullptr ? std::span<const Instance>() : list->instances;
  }
  [[nodiscard]] std::span<const uint32_t> by_id() const {
    return list == nullptr ? std::span<const uint32_t>() : list->by_id;
  }
};

struct Fetch {
  std::string name;
  bool hosts_written = false;     // with `:`
  bool instances_listed = false;  // with `#`
  bool raw = false;               // beneath an `instant`: a counter is not turned into its rate
  int32_t held = 1;               // samples that are kept: those of @, and those of a delay
  int32_t first_sample = 0, last_sample = 0;  // as written with @, ascending
  bool supposed = false;                      // nobody was asked: of one value, until more is known
  std::vector<HostMetric> hosts;              // as written; one without `:`

  // Somebody has answered for the first host.
  [[nodiscard]] bool is_known() const { return !supposed && !hosts.front().waiting; }
  [[nodiscard]] bool waits() const { return std::ranges::any_of(hosts, &HostMetric::waiting); }
  // Of the first host whose metadata are there.
  [[nodiscard]] const Desc& desc() const {
    const auto known = std::ranges::find(hosts, false, &HostMetric::waiting);
    return known == hosts.end() ? hosts.front().desc : known->desc;
  }
};

struct PmieStatement {
  std::string name;
  uint32_t root = kNone;
  double delta = 10;  // seconds between evaluations
  std::string file;   // as given; "<stdin>"
};

struct RuleProgram {
  std::vector<PmieNode> nodes;
  std::vector<Fetch> fetches;
  std::vector<PmieStatement> statements;  // as installed, in the order of the text
};

}  // namespace pmjit::pmie
