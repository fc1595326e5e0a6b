#include "compiler/ast/pattern_part.h"

#include <algorithm>
#include <bit>
#include <optional>
#include <vector>

#include "runtime/base/chars.h"
#include "runtime/base/limits.h"

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

constexpr int kRepeatMax = 0x7fff;  // RE_DUP_MAX: glibc refuses more
constexpr int kEndless = -1;

bool is_too_large(const PatternPart& part) {
  return part.bytes() > static_cast<double>(limits::kPatternBytesMax);
}

// The copies that glibc makes: a{2,4} is aa((a)?a)?, a{2,} is aaa*. Ends early where it is too
// much.
PatternPart repeated(const PatternPart& a, int least, int most) {
  PatternPart out;
  for (int i = 0; i < least && !is_too_large(out); ++i) out = i == 0 ? a : sequence(out, a);
  if (most == kEndless) return least == 0 ? any_number(a) : sequence(out, any_number(a));
  if (most == 0) out.nodes = a.nodes;  // made, and dropped
  if (most <= least) return out;
  PatternPart optional = either(a, {});
  for (int i = least + 1; i < most && !is_too_large(optional); ++i)
    optional = either(sequence(optional, a), {});
  return least == 0 ? optional : sequence(out, optional);
}

// Reads a pattern from left to right and holds what is open.
class PatternReader {
 public:
  explicit PatternReader(std::string_view pattern)
      : rest_(pattern), has_references_(refers_back(pattern)) {}

  // Whether regcomp() would stay within the bounds.
  bool fits() {
    while (!rest_.empty() && read_one()) {
      if (groups_.size() - 1 > limits::kNestingMax || is_too_large(whole(groups_.back())))
        return false;
    }
    while (groups_.size() > 1) close_group();
    bytes_ = static_cast<size_t>(whole(groups_[0]).bytes());
    return bytes_ <= limits::kPatternBytesMax;
  }
  [[nodiscard]] size_t bytes() const { return bytes_; }

 private:
  struct Group {
    std::optional<PatternPart> before;  // the alternatives before the last `|`
    PatternPart branch;                 // of the last one, without `last`
    std::optional<PatternPart> last;    // what `*` and such would repeat
  };

  // Then the nodes of groups stay, which REG_NOSUB else removes.
  static bool refers_back(std::string_view pattern) {
    for (size_t i = 0; i + 1 < pattern.size(); ++i)
      if (pattern[i] == '\\' && is_digit(pattern[++i])) return true;
    return false;
  }

  // False where regcomp() stops with an error.
  bool read_one() {
    const char c = rest_[0];
    rest_.remove_prefix(1);
    switch (c) {
      case '(': groups_.emplace_back(); return true;
      case ')':
        groups_.size() > 1 ? close_group() : add(atom_part());  // a lone one is a character
        return true;
      case '|': {
        Group& group = groups_.back();
        group = {.before = whole(group), .branch = {}, .last = {}};
        return true;
      }
      case '*': return repeat(0, kEndless);
      case '+': return repeat(1, kEndless);
      case '?': return repeat(0, 1);
      case '{': return read_interval();
      case '[': skip_bracket(); break;
      case '^': add_anchor(anchor_part(1)); return true;
      case '$': add_anchor(anchor_part(2)); return true;
      case '\\': return read_escape();
      default: break;
    }
    add(atom_part());
    return true;
  }

  bool read_escape() {
    if (rest_.empty()) return false;
    const char c = rest_[0];
    rest_.remove_prefix(1);
    switch (c) {
      case '<': add_anchor(anchor_part(4)); break;
      case '>': add_anchor(anchor_part(8)); break;
      case '`': add_anchor(anchor_part(16)); break;
      case '\'': add_anchor(anchor_part(32)); break;
      case 'b': add_anchor(either(anchor_part(4), anchor_part(8))); break;
      case 'B': add_anchor(either(anchor_part(64), anchor_part(128))); break;
      default: add(atom_part()); break;
    }
    return true;
  }

  // Behind `[`; the expression's own parts `[:…:]`, `[.….]`, `[=…=]` may contain a `]`.
  void skip_bracket() {
    size_t at = rest_.starts_with('^') ? 1 : 0;
    if (at < rest_.size() && rest_[at] == ']') ++at;
    while (at < rest_.size() && rest_[at] != ']') {
      const std::string_view from = rest_.substr(at);
      const bool is_named =
          from.size() > 1 && from[0] == '[' && (from[1] == ':' || from[1] == '.' || from[1] == '=');
      const char ending[] = {is_named ? from[1] : '\0', ']'};
      at += is_named ? std::min(from.find({ending, 2}, 2), from.size() - 2) + 2 : 1;
    }
    rest_.remove_prefix(std::min(at + 1, rest_.size()));
  }

  // {m} {m,} {,n} {m,n}: no other is accepted.
  bool read_interval() {
    const std::optional<int> least = read_number();
    const bool is_range = rest_.starts_with(',');
    if (is_range) rest_.remove_prefix(1);
    const std::optional<int> most = is_range ? read_number() : least;
    if (!rest_.starts_with('}') || (!least && !is_range)) return false;
    rest_.remove_prefix(1);
    if (std::max(least.value_or(0), most.value_or(0)) > kRepeatMax) return false;
    return repeat(least.value_or(0), most.value_or(kEndless));
  }

  std::optional<int> read_number() {
    std::optional<int> number;
    for (; !rest_.empty() && is_digit(rest_[0]); rest_.remove_prefix(1))
      number = std::min(number.value_or(0) * 10 + (rest_[0] - '0'), kRepeatMax + 1);
    return number;
  }

  bool repeat(int least, int most) {
    std::optional<PatternPart>& last = groups_.back().last;
    if (!last || (most != kEndless && most < least)) return false;
    last = repeated(*last, least, most);
    return true;
  }

  void add(const PatternPart& part) {
    Group& group = groups_.back();
    group.branch = branch(group);
    group.last = part;
  }

  // What stands behind an anchor repeats nothing.
  void add_anchor(const PatternPart& part) {
    add(part);
    Group& group = groups_.back();
    group.branch = branch(group);
    group.last.reset();
  }

  void close_group() {
    PatternPart content = whole(groups_.back());
    groups_.pop_back();
    content.nodes += 1;
    const bool stays = has_references_ || content.first == 0;
    if (stays) content = sequence(sequence(bracket(), content), bracket());
    add(content);
  }

  // A node that takes no character.
  static PatternPart bracket() {
    PatternPart part = anchor_part(0);
    part.open = {};
    return part;
  }

  static PatternPart branch(const Group& group) {
    if (!group.last) return group.branch;
    return group.branch.nodes == 0 ? *group.last : sequence(group.branch, *group.last);
  }

  static PatternPart whole(const Group& group) {
    return group.before ? either(*group.before, branch(group)) : branch(group);
  }

  std::string_view rest_;
  bool has_references_;
  std::vector<Group> groups_{1};
  size_t bytes_ = 0;
};

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

size_t pattern_bytes(std::string_view pattern) {
  PatternReader reader(pattern);
  return reader.fits() ? reader.bytes() : kPatternUnbounded;
}

}  // namespace pmjit
