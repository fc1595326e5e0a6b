#include "compiler/compat/pmie/expr.h"

#include <array>

namespace pmjit::pmie {
namespace {

constexpr OpKind kKinds[] = {
#define OP(name, kind, symbol) OpKind::kind,
#include "compiler/compat/pmie/ops.def"
#undef OP
};

constexpr std::string_view kSymbols[] = {
#define OP(name, kind, symbol) symbol,
#include "compiler/compat/pmie/ops.def"
#undef OP
};

}  // namespace

OpKind kind_of(PmieOp op) { return kKinds[static_cast<size_t>(op)]; }
std::string_view symbol_of(PmieOp op) { return kSymbols[static_cast<size_t>(op)]; }

}  // namespace pmjit::pmie
