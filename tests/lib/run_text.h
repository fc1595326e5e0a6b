// The runs that stop before any sample: syntax (parse), sema (compile against the metadata), ir (IR
// text, its passes and its plan), check (what the dialects read differently).
#pragma once

#include "compiler/ir/ir.h"
#include "runtime/testing/case_file.h"
#include "tests/lib/carrier.h"
#include "tests/lib/outcome.h"

namespace pmjit::cases {

Outcome run_syntax(const CaseFile& file);
Outcome run_sema(const CaseFile& file, const Carrier& carrier);
Outcome run_ir(const CaseFile& file);
// What `pmjit check` says: of the texts alone where the case has no metrics.
Outcome run_check(const CaseFile& file);

// What the compiler's passes make of `ir`, in their order; without the one named `but`.
Result<Ir> with_passes(Ir ir, std::string_view but);

// print → parse → print of every expression and print → read → print of every Ir has to be the
// identity.
void check_identities(Outcome& outcome, const CompileInput& input);

}  // namespace pmjit::cases
