// PatternPart: a part of a regular expression with what glibc's regcomp() builds of it, so far that
// its memory can be told. That is one node or more an atom, and for every node its closure: a list
// of the nodes that are reached from it without a character. Closures make memory grow with the
// square of what is optional in a row: a{1,4000} takes 128 MB, a{4000} 2 MB. Behind an anchor (^ $
// \< \b …) all that is reached without a character is built once more for that anchor, and for
// every set of anchors on the way; then growth is with the fourth power and more. Around a loop
// that takes no character, as in ((a?){,6}{11,})*, it goes every way there is: their number is a
// product.
//
// Counts are doubles: they may become large, but not inexact in a way that matters.
#pragma once

#include <cstddef>
#include <limits>
#include <string_view>

namespace pmjit {

struct PatternPart {
  // The walk from an anchor that builds what follows it again.
  struct Walk {
    double nodes = 0;       // that it builds where it comes by first
    double exits = 0;       // how often it gets out at the end
    double again = 0;       // as `nodes`, where it comes by for the second time
    bool gets_out = false;  // then
    unsigned anchors = 0;   // a bit a kind of anchor on its way
  };
  // Anchors from which the end is reached: what follows adds to their walks.
  struct Open {
    double count = 0;
    double nodes = 0, squares = 0;  // of their walks, summed
    double exits = 0;               // the most that one of them has
    unsigned anchors = 0;
  };

  double nodes = 0;     // as written, repetitions written out
  double copies = 0;    // of nodes behind anchors
  double closures = 0;  // members of all closures
  double first = 0;     // members of the closure of its start
  double exits = 0;     // nodes whose closure goes on behind the end
  bool may_be_empty = true;
  double steps = 0;       // of a visit of all ways through it that take no character
  double ways = 1;        // that get to the end
  bool has_loop = false;  // of such steps
  double visits = 0;      // what loops cost, in members that are merged
  Walk walk{.exits = 1, .gets_out = true};
  Open open;

  // What regcomp() allocates for it.
  [[nodiscard]] double bytes() const;
};

[[nodiscard]] PatternPart atom_part();
[[nodiscard]] PatternPart anchor_part(unsigned kind);  // a bit
[[nodiscard]] PatternPart sequence(const PatternPart& a, const PatternPart& b);
[[nodiscard]] PatternPart either(const PatternPart& a, const PatternPart& b);  // a|b
[[nodiscard]] PatternPart any_number(const PatternPart& a);                    // a*

// How much memory regcomp() takes for a POSIX extended regular expression, told without asking it.
// glibc copies the tree below every `+` and `{m,n}`, so that b+++… with a hundred of them wants
// more memory than there is, and it calls itself for every `(`, so that many of them end the stack.
//
//   pattern_bytes("sd[a-z]+") < 2'000; pattern_bytes("((a{255}){255}){255}") == kPatternUnbounded
inline constexpr size_t kPatternUnbounded = std::numeric_limits<size_t>::max();

// In bytes; kPatternUnbounded beyond limits::kPatternBytesMax or limits::kNestingMax. Of a pattern
// that regcomp() refuses: what it takes until it does, or more.
[[nodiscard]] size_t pattern_bytes(std::string_view pattern);

}  // namespace pmjit
