// Passes: Ir to Ir, in the order of kPasses. None changes a bit of any result; each can be left
// out, and every case runs with and without.
//
//   fold   operators of constants become constants (by the interpreter: one meaning)
//   scale  factors of one go, whole factors merge, division by a power of two becomes a product
//   cse    equal nodes become one
//   dead   what no root needs goes
#pragma once

#include <span>
#include <string_view>

#include "compiler/ir/ir.h"

namespace pmjit {

Ir fold(Ir ir);
Ir scale(Ir ir);
Ir cse(Ir ir);
Ir dead(Ir ir);

struct Pass {
  std::string_view name;
  Ir (*run)(Ir ir);
};
std::span<const Pass> passes();

}  // namespace pmjit
