#include "compiler/compat/pmie/nodes.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "compiler/compat/pmie/statement_reader.h"
#include "runtime/base/limits.h"
#include "runtime/base/result.h"
#include "runtime/model/pm_codes.h"

namespace pmjit::pmie {

namespace {

Units times(Units a, const Units& b, int sign) {
  a.dim_space = static_cast<int8_t>(a.dim_space + sign * b.dim_space);
  a.dim_time = static_cast<int8_t>(a.dim_time + sign * b.dim_time);
  a.dim_count = static_cast<int8_t>(a.dim_count + sign * b.dim_count);
  if (a.dim_space == 0) a.scale_space = 0;
  a.scale_time = a.dim_time == 0 ? 0 : kTimeScaleSec;
  if (a.dim_count == 0) a.scale_count = 0;
  return a;
}

Units per_time(Units units, int change) {
  return times(units, {.dim_time = 1, .scale_time = kTimeScaleSec}, change);
}

bool is_arithmetic(int type) { return type >= pm_type::i32 && type <= pm_type::f64; }

double folded_number(PmieOp op, double a, double b) {
  switch (op) {
    case PmieOp::negate: return -a;
    case PmieOp::add: return a + b;
    case PmieOp::subtract: return a - b;
    case PmieOp::multiply: return a * b;
    case PmieOp::divide: return a / b;
    case PmieOp::equal: return a == b;
    case PmieOp::unequal: return a != b;
    case PmieOp::less: return a < b;
    case PmieOp::less_equal: return a <= b;
    case PmieOp::greater: return a > b;
    case PmieOp::greater_equal: return a >= b;
    case PmieOp::negation: return a == 0;
    case PmieOp::both: return a != 0 && b != 0;
    case PmieOp::either: return a != 0 || b != 0;
    case PmieOp::instant: return a;
    default: check(false, "an operator that does not fold"); return 0;
  }
}

}  // namespace

void Nodes::begin_statement() {
  failed_ = false;
  nodes_before_ = program_.nodes.size();
  heights_.clear();
  fetches_before_ = program_.fetches.size();
}

void Nodes::undo_statement() {
  program_.nodes.resize(nodes_before_);
  program_.fetches.resize(fetches_before_);
}

uint32_t Nodes::add(PmieNode node) {
  const auto at = static_cast<uint32_t>(program_.nodes.size());
  node.first = node.left != kNone    ? program_.nodes[node.left].first
               : node.right != kNone ? program_.nodes[node.right].first
                                     : at;
  node.held = std::max(node.held, node.shape.held());
  heights_.push_back(std::max(height_above(node.left), height_above(node.right)));
  program_.nodes.push_back(std::move(node));
  if (heights_.back() == limits::kNestingMax + 1)
    complain(fmt::format("more than {} operators upon each other; write several rules",
                         limits::kNestingMax));
  return at;
}

uint32_t Nodes::height_above(uint32_t operand) const {
  return operand == kNone ? 0 : heights_[operand - nodes_before_] + 1;
}

// Forgets this node and all behind it.
void Nodes::cut_back(uint32_t node) {
  program_.nodes.resize(node);
  heights_.resize(node - nodes_before_);
}

void Nodes::complain(const std::string& text) {
  failed_ = true;
  complain_(text);
}

void Nodes::set_place(uint32_t node, const SourcePlace& place) {
  if (node == kNone) return;
  PmieNode& n = program_.nodes[node];
  n.place = place;
  if (n.op == PmieOp::delay) program_.nodes[n.left].place = place;
}

void Nodes::set_grouped(uint32_t node, Span span) {
  if (node == kNone) return;
  program_.nodes[node].place.span = span;
  program_.nodes[node].place.grouped = true;
}

uint32_t Nodes::number(double value, std::optional<Units> units, std::optional<Units> meant) {
  return add({.sem = Sem::number, .units = units, .meant_units = meant, .number = value});
}
uint32_t Nodes::truth(double value) {
  return add({.sem = Sem::truth, .units = Units{}, .number = value});
}
uint32_t Nodes::text(std::string value) {
  return add({.sem = Sem::text, .units = Units{}, .text = std::move(value)});
}
uint32_t Nodes::variable(Variable variable) {
  return add(
      {.op = PmieOp::variable, .sem = Sem::variable, .units = Units{}, .variable = variable});
}

uint32_t Nodes::fetch(Fetch fetch, PmieShape shape) {
  const auto id = static_cast<uint32_t>(program_.fetches.size());
  const int32_t delay = fetch.first_sample;
  const int32_t samples = fetch.last_sample - fetch.first_sample + 1;
  PmieNode node{.op = PmieOp::fetch,
                .shape = {shape.hosts, shape.insts, delay > 0 ? delay + 1 : samples},
                .metrics = id,
                .fetch = id};
  program_.fetches.push_back(std::move(fetch));
  settle_fetch(node);
  const uint32_t fetched = add(node);
  if (delay == 0) return fetched;
  node.op = PmieOp::delay;
  node.left = fetched;
  node.shape.samples = samples;
  node.delay = delay;
  return add(std::move(node));
}

bool Nodes::is_constant(uint32_t node) const {
  return at(node).op == PmieOp::constant && at(node).sem != Sem::unknown;
}
// Of what is made of metrics their type decides: a count of texts is none to arithmetic either.
bool Nodes::is_text(uint32_t node) const {
  const PmieNode& n = at(node);
  if (n.metrics == kNone || n.shape.hosts == PmieShape::kNoAxis) return n.sem == Sem::text;
  return program_.fetches[n.metrics].desc().pm_type == pm_type::string;
}

bool Nodes::is_supposed(uint32_t node) const {
  const uint32_t metrics = at(node).metrics;
  return metrics != kNone &&
         (program_.fetches[metrics].supposed || program_.fetches[metrics].waits());
}

bool Nodes::is_scalar(uint32_t node) const {
  const PmieNode& n = at(node);
  if (kind_of(n.op) == OpKind::aggregate) return true;
  if (n.op == PmieOp::constant && n.sem == Sem::text) return true;
  if (n.shape.span() != 1) return false;
  if (n.metrics == kNone) return true;
  const Fetch& fetch = program_.fetches[n.metrics];
  return fetch.desc().indom == kNullId || fetch.instances_listed;
}

const PmieNode& Nodes::primary(uint32_t left, uint32_t right) const {
  const PmieNode &a = at(left), &b = at(right);
  if (a.shape.values() > 1) return a;
  if (b.shape.values() > 1) return b;
  const PmieShape none;
  if (a.metrics != kNone && a.shape != none) return a;
  if (b.metrics != kNone && b.shape != none) return b;
  return a;
}

void Nodes::check_sizes(uint32_t left, uint32_t right) {
  const PmieShape &a = at(left).shape, &b = at(right).shape;
  if (a.values() == 1 || b.values() == 1) return;
  static constexpr const char* kText = "{} domains have different size ({} and {})";
  if (a.hosts != b.hosts)
    complain(fmt::format(kText, "host", a.hosts, b.hosts));
  else if (a.insts != b.insts)
    complain(fmt::format(kText, "instance", a.insts, b.insts));
  else if (a.samples != b.samples)
    complain(fmt::format(kText, "time", a.samples, b.samples));
}

uint32_t Nodes::fold(PmieOp op, uint32_t left, uint32_t right) {
  PmieNode folded = folded_node(op, at(left), right == kNone ? nullptr : &at(right));
  cut_back(at(left).first);
  return add(std::move(folded));
}

bool Nodes::compares_texts(uint32_t left, uint32_t right) {
  for (const uint32_t side : {left, right})
    if (at(side).op == PmieOp::constant && at(side).sem == Sem::truth)
      complain("isString: botch sem=11");  // a macro of a truth
  const bool left_text = is_text(left), right_text = is_text(right);
  // What is not known is what the other one is.
  if (is_supposed(left) || is_supposed(right)) return left_text || right_text;
  if (left_text != right_text) complain("operands have mixed string and arithmetic types");
  return left_text && right_text;
}

uint32_t Nodes::binary(PmieOp op, uint32_t left, uint32_t right) {
  if (left == kNone || (right == kNone && kind_of(op) != OpKind::logic)) return kNone;
  // As in pmie, a truth that has lost its right side alone is still something.
  if (right == kNone) {
    return add({.op = op, .left = left, .shape = at(left).shape, .sem = at(left).sem});
  }
  check_sizes(left, right);
  if ((op == PmieOp::equal || op == PmieOp::unequal) && compares_texts(left, right))
    op = op == PmieOp::equal ? PmieOp::text_equal : PmieOp::text_unequal;
  if (is_constant(left) && is_constant(right)) return fold(op, left, right);
  PmieNode node{.op = op, .left = left, .right = right};
  settle_binary(node);
  return add(std::move(node));
}

void Nodes::settle_binary(PmieNode& node) const {
  const PmieNode& from = primary(node.left, node.right);
  const bool relation = kind_of(node.op) == OpKind::relation;
  node.shape = from.shape;
  node.sem = relation ? Sem::truth : from.sem;
  node.units = relation ? Units{} : from.units;
  node.metrics = from.metrics;
  node.left_is_set = !is_scalar(node.left);
  node.right_is_set = !is_scalar(node.right);
  if (node.op != PmieOp::multiply && node.op != PmieOp::divide) return;
  const PmieNode &left = at(node.left), &right = at(node.right);
  const PmieNode& other = &from == &left ? right : left;
  node.units = std::nullopt;
  if (from.units && other.units)
    node.units = node.op == PmieOp::multiply ? times(*from.units, *other.units, 1)
                                             : times(*left.units, *right.units, -1);
}

void Nodes::settle_fetch(PmieNode& node) const {
  const Fetch& fetch = program_.fetches[node.fetch];
  const Desc& desc = fetch.desc();
  node.sem = desc.pm_type == pm_type::string         ? Sem::text
             : desc.semantics == Semantics::discrete ? Sem::discrete
                                                     : Sem::instant;
  const bool counter = desc.semantics == Semantics::counter;
  node.units = per_time({.dim_space = desc.units.dim_space,
                         .dim_time = desc.units.dim_time,
                         .dim_count = desc.units.dim_count},
                        counter ? -1 : 0);
  if (fetch.waits() && std::ranges::all_of(fetch.hosts, &HostMetric::waiting)) node.units = {};
}

void Nodes::hold_two(uint32_t node) {
  PmieNode& n = program_.nodes[node];
  n.held = std::max(n.held, 2);
}

void Nodes::make_raw(uint32_t first, uint32_t last) {
  for (uint32_t i = first; i <= last; ++i)
    if (at(i).fetch != kNone) program_.fetches[at(i).fetch].raw = true;
}

void Nodes::shape_of_aggregate(PmieNode& node, const PmieNode& operand) const {
  node.shape = operand.shape;
  switch (node.dim) {
    case Dim::host: node.shape.hosts = node.shape.insts = PmieShape::kNoAxis; break;
    case Dim::inst: node.shape.insts = PmieShape::kNoAxis; break;
    case Dim::sample: node.shape.samples = PmieShape::kNoAxis; break;
    case Dim::none: break;
  }
}

// What is wrong with this operand; "": nothing.
std::string Nodes::misfit(PmieOp op, Dim dim, uint32_t operand) const {
  const PmieNode& n = at(operand);
  if (dim == Dim::host && n.shape.hosts == PmieShape::kNoAxis) return "no host domain";
  if (dim == Dim::sample && n.shape.samples == PmieShape::kNoAxis) return "no time domain";
  if ((op == PmieOp::sum || op == PmieOp::avg) && n.metrics != kNone) {
    const int type = program_.fetches[n.metrics].desc().pm_type;
    if (!is_arithmetic(type))
      return fmt::format("arithmetic (not {}) operand required for aggregate operator",
                         pm_type_text(type));
  }
  if (op == PmieOp::rate && n.sem == Sem::truth)
    return "operator \"rate\" requires numeric valued argument";
  if ((op == PmieOp::rising || op == PmieOp::falling) && n.sem != Sem::truth)
    return fmt::format("operator \"{}\" requires boolean valued argument", symbol_of(op));
  return "";
}

uint32_t Nodes::prefix(PmieOp op, Dim dim, uint32_t operand) {
  if (operand == kNone) return kNone;
  if (const std::string text = misfit(op, dim, operand); !text.empty()) {
    complain(text);
    return kNone;
  }
  const bool folds = op == PmieOp::negate || op == PmieOp::negation || op == PmieOp::instant;
  if (folds && is_constant(operand)) return fold(op, operand, kNone);
  PmieNode node{.op = op, .dim = dim, .left = operand};
  settle_prefix(node);
  if (op == PmieOp::instant) make_raw(at(operand).first, operand);
  if (op == PmieOp::rate || op == PmieOp::rising || op == PmieOp::falling) hold_two(operand);
  return add(std::move(node));
}

void Nodes::settle_prefix(PmieNode& node) const {
  const PmieNode& n = at(node.left);
  const PmieOp op = node.op;
  node.sem = n.sem;
  node.units = n.units;
  node.metrics = n.metrics;
  node.left_is_set = !is_scalar(node.left);
  shape_of_aggregate(node, n);
  if (kind_of(op) == OpKind::logic || kind_of(op) == OpKind::quantifier) node.sem = Sem::truth;
  if (op == PmieOp::count) node.sem = Sem::instant, node.units = Units{};
  if (op == PmieOp::rate && n.units && !n.units->no_dimension())
    node.units = per_time(*n.units, -1);
  if (op == PmieOp::instant) {
    const bool counter =
        n.metrics != kNone && program_.fetches[n.metrics].desc().semantics == Semantics::counter;
    if (counter && n.units) node.units = per_time(*n.units, 1);
  }
}

void Nodes::settle(PmieNode& node) const {
  if (node.op == PmieOp::fetch || node.op == PmieOp::delay) {
    node.shape.insts = known_elements(program_.fetches[node.fetch]);
    return settle_fetch(node);
  }
  if (node.left == kNone) return;
  switch (kind_of(node.op)) {
    case OpKind::rule:
    case OpKind::action:
      node.metrics = (node.right == kNone ? at(node.left) : primary(node.left, node.right)).metrics;
      return;
    default: break;
  }
  if (node.op == PmieOp::equal || node.op == PmieOp::unequal) {
    const bool equal = node.op == PmieOp::equal;
    if (is_text(node.left) && is_text(node.right))
      node.op = equal ? PmieOp::text_equal : PmieOp::text_unequal;
  }
  node.right == kNone ? settle_prefix(node) : settle_binary(node);
}

std::vector<uint32_t> Nodes::settle_again(uint32_t first, uint32_t last) {
  std::vector<uint32_t> changed;
  for (uint32_t i = first; i <= last; ++i) {
    PmieNode& node = program_.nodes[i];
    const auto seen = [&node] { return std::tuple(node.op, node.shape, node.sem, node.metrics); };
    const auto before = seen();
    settle(node);
    node.held = std::max(node.held, node.shape.held());
    if (seen() != before) changed.push_back(i);
  }
  return changed;
}

uint32_t Nodes::percent(Dim dim, double share, uint32_t operand) {
  const uint32_t made = prefix(PmieOp::percent, dim, operand);
  if (made != kNone) program_.nodes[made].number = share;
  return made;
}

uint32_t Nodes::match(PmieOp op, const std::string& pattern, uint32_t operand) {
  const uint32_t made = prefix(op, Dim::none, operand);
  if (made == kNone) return made;
  if (is_constant(operand)) {
    cut_back(at(operand).first);
    return truth(0);  // it has no instance
  }
  program_.nodes[made].text = pattern;
  program_.nodes[made].pattern = Pattern(pattern);
  return made;
}

uint32_t Nodes::rule(uint32_t condition, uint32_t action, uint32_t line) {
  if (action == kNone) return condition;
  if (condition != kNone && at(condition).shape.values() != 1)
    complain("rule condition must have a single boolean value");
  const uint32_t made = join(PmieOp::rule, condition, action);
  program_.nodes[made].line = line;
  return made;
}

uint32_t Nodes::join(PmieOp op, uint32_t left, uint32_t right) {
  const bool actions = op == PmieOp::in_turn || op == PmieOp::until_true;
  if (left == kNone) return actions ? kNone : dummy();
  const PmieNode& from = right == kNone ? at(left) : primary(left, right);
  return add({.op = op,
              .left = left,
              .right = right,
              .sem = Sem::truth,
              .units = Units{},
              .metrics = from.metrics});
}

uint32_t Nodes::action(PmieNode verb) {
  verb.sem = Sem::truth;
  verb.units = Units{};
  return add(std::move(verb));
}

PmieNode folded_node(PmieOp op, const PmieNode& left, const PmieNode* right) {
  PmieNode folded{.sem = left.sem, .units = left.units};
  if (op == PmieOp::text_equal || op == PmieOp::text_unequal)
    folded.number = (left.text == right->text) == (op == PmieOp::text_equal);
  else
    folded.number = folded_number(op, left.number, right != nullptr ? right->number : 0);
  const Units a = left.meant_units.value_or(left.units.value_or(Units{}));
  if (op == PmieOp::multiply || op == PmieOp::divide) {
    const Units b = right->meant_units.value_or(right->units.value_or(Units{}));
    folded.meant_units = times(a, b, op == PmieOp::multiply ? 1 : -1);
  } else if (!a.no_dimension()) {
    folded.meant_units = a;
  }
  const OpKind kind = kind_of(op);
  if (kind == OpKind::relation || kind == OpKind::logic) {
    folded.meant_units.reset();
    folded.sem = Sem::truth;
    folded.units = Units{};
  }
  return folded;
}

}  // namespace pmjit::pmie
