#include "compiler/codegen/transpose.h"

namespace pmjit::codegen {

namespace {

using Picks = std::array<int, kLanes>;
struct Halves {
  Picks low, high;
};

// Each is one instruction where a vector is one register. Pairs of rows, then of pairs, of fours.
constexpr Halves kPairs = {{0, 8, 2, 10, 4, 12, 6, 14}, {1, 9, 3, 11, 5, 13, 7, 15}};
constexpr Halves kFours = {{0, 1, 8, 9, 4, 5, 12, 13}, {2, 3, 10, 11, 6, 7, 14, 15}};
constexpr Halves kEights = {{0, 1, 2, 3, 8, 9, 10, 11}, {4, 5, 6, 7, 12, 13, 14, 15}};

// Vector i with vector i + distance: to i the low half, to i + distance the high one.
Square exchanged(Emit& e, const Square& in, const Halves& halves, size_t distance) {
  Square out{};
  for (size_t i = 0; i < kLanes; ++i) {
    if ((i & distance) != 0) continue;
    out[i] = e.b.CreateShuffleVector(in[i], in[i + distance], halves.low);
    out[i + distance] = e.b.CreateShuffleVector(in[i], in[i + distance], halves.high);
  }
  return out;
}

}  // namespace

Square transposed(Emit& e, const Square& rows) {
  return exchanged(e, exchanged(e, exchanged(e, rows, kPairs, 1), kFours, 2), kEights, 4);
}

}  // namespace pmjit::codegen
