// Atoms as text, and the values that users type. Source: spec pmapi.md §16.4, §24.4.
#pragma once

#include <string>
#include <string_view>

#include "runtime/model/atom.h"

namespace pmjit {

// pmAtomStr: short, for messages. Numbers in floating point as %e.
std::string atom_text(const Atom& atom, int type);

// The text of a user as a value of a type (pmstore, pmval -x): PM_ERR_TYPE if it is none, -ERANGE
// if it is outside the type's range. A string is the text itself.
[[nodiscard]] OrPmError<Atom> atom_from_text(int type, std::string_view text);

}  // namespace pmjit
