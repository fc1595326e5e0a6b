// The runs that stop before any sample: syntax (parse), sema (compile against the metadata), ir (IR
// text).
#pragma once

#include "runtime/model/catalog.h"
#include "tests/lib/case_file.h"
#include "tests/lib/outcome.h"

namespace pmjit::cases {

Outcome run_syntax(const CaseFile& file);
Outcome run_sema(const CaseFile& file, const Catalog& catalog);
Outcome run_ir(const CaseFile& file);

// print → parse → print of every expression and print → read → print of every Ir has to be the
// identity.
void check_identities(Outcome& outcome, const CompileInput& input);

}  // namespace pmjit::cases
