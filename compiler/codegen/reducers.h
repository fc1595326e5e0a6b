// The reducers: state, step and end of each, for eight rows side by side. Within a row the order is
// that of the lanes, so that sums are those of the interpreter.
#pragma once

#include "compiler/codegen/operators.h"

namespace pmjit::codegen {

using ReducerState = Reducer::State;

Reducer count_reducer(Emit& e, Elem elem);
Reducer sum_reducer(Emit& e, Elem elem);
// The sum of sum_reducer, exact before it is rounded, over the number of lanes.
Reducer avg_reducer(Emit& e, Elem elem);
// `better`: the strict relation of the wanted extreme.
Reducer extreme_reducer(Emit& e, Elem elem, bool greatest);

}  // namespace pmjit::codegen
