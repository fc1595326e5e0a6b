// The texts of one compilation, parsed: every definition and expression with its Ast and its place.
// Private to compiler/driver.
#pragma once

#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "compiler/driver/compatible_files.h"
#include "compiler/driver/driver.h"
#include "compiler/parse/parse.h"
#include "compiler/plan/plan.h"
#include "compiler/sema/sema.h"

namespace pmjit {

struct ParsedTexts {
  explicit ParsedTexts(const EquivalentDomains& equivalent)
      : files(std::make_shared<CompatibleFiles>(equivalent)) {}

  std::deque<Compilation::Report> reports;  // addresses stay: NamedExpr points into them
  std::deque<Diags> unheard;                // of parts of roots, whose mistakes those roots have
  std::deque<Ast> asts;
  std::vector<NamedExpr> exprs;            // definitions, then expressions
  std::vector<std::string> titles;         // of exprs: the name, or the expression as written
  std::vector<uint32_t> roots;             // indices of exprs
  std::optional<SweepPoints> sweep;        // then a root is a point of it
  std::shared_ptr<CompatibleFiles> files;  // of several compilations: CompileOptions::read_once
  CompatibleMetrics compatible;            // what is defined in them
  size_t strict_definitions = 0, compatible_definitions = 0;  // that parse
  std::vector<std::string> mistakes;  // of compatible files, which are read all the same
  std::vector<std::string> notes;
  bool names_known = true;   // false: there may be definitions in a file that was not read
  bool interrupted = false;  // CheckOptions
  [[nodiscard]] bool has_errors() const;
};

// The files of many compilations, once the first of them has read them.
struct ReadDefinitions {
  std::shared_ptr<CompatibleFiles> files{};
};

ParsedTexts parse_texts(const CompileInput& input, const Catalog& catalog,
                        const CompileOptions& options);
// Definitions alone: no root.
ParsedTexts parse_definition_files(const std::vector<SourceText>& files, const Catalog& catalog,
                                   const CompileOptions& options);

// Of Asts that are there: ParsedRoot.
ParsedTexts parsed_texts(const std::vector<SourceText>& sources,
                         const std::vector<ParsedRoot>& roots,
                         const std::vector<SourceText>& definition_files, const Catalog& catalog,
                         const CompileOptions& options);

// The roots of `texts`, whose reports get what is wrong with them; those stay there.
Compilation compile_texts(const ParsedTexts& texts, const Catalog& catalog,
                          const CompileOptions& options);
// Its second half, of roots that `sema` has checked and that have not failed.
void compile_checked(const ParsedTexts& texts, const Sema& sema, const CompileOptions& options,
                     Compilation& out);

// What a root is called, and whose instances may be guests there.
struct RootText {
  std::string title;
  std::string host{};  // where there are several
  std::vector<InDomId> met{};
  bool shared = false;   // of several hosts: it is the same for all of them
  bool reduces = false;  // and is made from those of several; else `host` is the one, if any
};
// From a sound Ir to a program. roots[k] is of ir.roots[k]; `bodies` are those of Ir::derived.
void compile_ir(Ir ir, std::vector<RootText> roots, const Bodies& bodies,
                const CompileOptions& options, Compilation& out);
// The first stage of that.
Ir lower_checked(const ParsedTexts& texts, const Sema& sema, const CompileOptions& options);

// What `check` says of texts in the compatible dialects: where strict would read them otherwise, at
// the places of their files. Private to compiler/driver.

struct FoundInTexts {
  std::deque<Compilation::Report> told;      // with their levels, see compiler/differences/levels.h
  std::deque<Compilation::Report> mistakes;  // what libpcp skips, and why
};
// Without a catalog what the texts alone show.
FoundInTexts find_differences(const ParsedTexts& texts, const Catalog* catalog);

// Lines of compatible files that libpcp skips, as `check` says it of the texts alone.
void tell_skipped_lines(const ParsedTexts& texts, Compilation& to);

// Expressions typed in a compatible dialect that never have values: a metric or an instance is not
// there. libpcp says nothing of an instance. They get an error, and are no roots any more.
void refuse_absent(ParsedTexts& texts, const Catalog& catalog);

}  // namespace pmjit
