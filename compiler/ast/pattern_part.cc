#include "compiler/ast/pattern_part.h"

#include <algorithm>
#include <bit>

namespace pmjit {

namespace {

using Walk = PatternPart::Walk;
using Open = PatternPart::Open;

// With how many sets of anchors a walk gets out: for each it builds what follows anew.
double sets(double exits, unsigned anchors) {
  return std::min(exits, static_cast<double>(1u << std::popcount(anchors)));
}

Walk walk_on(const Walk& a, const Walk& b) {
  const double anew = sets(a.exits, a.anchors), again = a.exits - anew;
  return {.nodes = a.nodes + anew * b.nodes + again * b.again,
          .exits = anew * b.exits + (b.gets_out ? again : 0),
          .again = a.again + (a.gets_out ? b.again : 0),
          .gets_out = a.gets_out && b.gets_out,
          .anchors = a.anchors | b.anchors};
}

// The open anchors of `a` walk through what follows; what that adds to nodes and closures goes to
// `out`. A closure has half of its walk's nodes, in the mean.
Open open_on(const Open& a, const Walk& b, PatternPart& out) {
  if (a.count == 0) return {};
  const double anew = sets(a.exits, a.anchors), again = a.exits - anew;
  const double more = anew * b.nodes + again * b.again;
  const double squares = 2 * more * a.nodes + a.count * more * more;
  out.copies += a.count * more;
  out.closures += squares / 2;
  Open on{.count = a.count,
          .nodes = a.nodes + a.count * more,
          .squares = a.squares + squares,
          .exits = anew * b.exits + (b.gets_out ? again : 0),
          .anchors = a.anchors | b.anchors};
  return on.exits == 0 ? Open{} : on;
}

Open both(const Open& a, const Open& b) {
  return {.count = a.count + b.count,
          .nodes = a.nodes + b.nodes,
          .squares = a.squares + b.squares,
          .exits = std::max(a.exits, b.exits),
          .anchors = a.anchors | b.anchors};
}

}  // namespace

// Measured of glibc 2.36 over random patterns. A copy is looked for among all others: 15,000 of
// them take as long as 64 MB of anything else, and so do 30,000,000 members that loops merge.
double PatternPart::bytes() const {
  constexpr double kNodeBytes = 128, kMemberBytes = 8, kLookUpBytes = 0.3, kVisitBytes = 2;
  return kNodeBytes * (nodes + copies) + kMemberBytes * closures + kLookUpBytes * copies * copies +
         kVisitBytes * visits;
}

PatternPart atom_part() {
  return {.nodes = 1,
          .closures = 1,
          .first = 1,
          .may_be_empty = false,
          .steps = 1,
          .ways = 0,
          .walk = {.nodes = 1, .again = 1}};
}

PatternPart anchor_part(unsigned kind) {
  return {.nodes = 1,
          .closures = 1,
          .first = 1,
          .exits = 1,
          .steps = 1,
          .walk = {.nodes = 1, .exits = 1, .again = 1, .gets_out = true, .anchors = kind},
          .open = {.count = 1, .nodes = 1, .squares = 1, .exits = 1, .anchors = kind}};
}

PatternPart sequence(const PatternPart& a, const PatternPart& b) {
  PatternPart out{.nodes = a.nodes + b.nodes + 1,
                  .copies = a.copies + b.copies,
                  .closures = a.closures + b.closures + a.exits * b.first,
                  .first = a.first + (a.may_be_empty ? b.first : 0),
                  .exits = b.exits + (b.may_be_empty ? a.exits : 0),
                  .may_be_empty = a.may_be_empty && b.may_be_empty,
                  .steps = a.steps + a.ways * b.steps,
                  .ways = a.ways * b.ways,
                  .has_loop = a.has_loop || b.has_loop,
                  .visits = a.visits + b.visits,
                  .walk = walk_on(a.walk, b.walk)};
  out.open = both(open_on(a.open, b.walk, out), b.open);
  // No closure is kept that reached a loop: whatever is before one is visited again and again.
  if (b.has_loop) out.visits += a.exits * (a.steps + a.ways * b.steps) * (a.first + b.first);
  return out;
}

PatternPart either(const PatternPart& a, const PatternPart& b) {
  const bool may_be_empty = a.may_be_empty || b.may_be_empty;
  const double first = 1 + a.first + b.first;
  return {.nodes = a.nodes + b.nodes + 1,
          .copies = a.copies + b.copies,
          .closures = a.closures + b.closures + first,
          .first = first,
          .exits = a.exits + b.exits + (may_be_empty ? 1 : 0),
          .may_be_empty = may_be_empty,
          .steps = 1 + a.steps + b.steps,
          .ways = a.ways + b.ways,
          .has_loop = a.has_loop || b.has_loop,
          .visits = a.visits + b.visits,
          .walk = {.nodes = 1 + a.walk.nodes + b.walk.nodes,
                   .exits = a.walk.exits + b.walk.exits,
                   .again = 1 + b.walk.again,
                   .gets_out = b.walk.gets_out,
                   .anchors = a.walk.anchors | b.walk.anchors},
          .open = both(a.open, b.open)};
}

PatternPart any_number(const PatternPart& a) {
  const double first = 1 + a.first;
  const double anew = sets(a.walk.exits, a.walk.anchors);
  // Loops in loops are visited again from each of their nodes.
  const double visits = a.may_be_empty ? (a.has_loop ? a.exits : 1) * a.steps * first : 0;
  const Walk around{.nodes = anew * (1 + a.walk.nodes) + a.walk.exits,
                    .exits = anew + a.walk.exits,
                    .again = 1,
                    .gets_out = true,
                    .anchors = a.walk.anchors};
  PatternPart out{.nodes = a.nodes + 1,
                  .copies = a.copies,
                  .closures = a.closures + first * (1 + a.exits),
                  .first = first,
                  .exits = a.exits + 1,
                  .steps = 1 + a.steps,
                  .has_loop = a.has_loop || a.may_be_empty,
                  .visits = a.visits + visits,
                  .walk = {.nodes = 1 + a.walk.nodes + around.nodes,
                           .exits = 1 + around.exits,
                           .again = 1,
                           .gets_out = true,
                           .anchors = a.walk.anchors}};
  out.open = open_on(a.open, around, out);
  return out;
}

}  // namespace pmjit
