// Where rule files are. Source: spec rules-language.md §18.
#pragma once

#include <functional>
#include <iosfwd>
#include <string>
#include <vector>

#include "compiler/compat/pmie/settings.h"
#include "compiler/diag/diag.h"
#include "runtime/base/result.h"

namespace pmjit::pmie {

struct RuleFileText {
  std::string name;  // as messages call it; empty: standard input
  std::string text;
  bool strict = false;  // it says that it is in the strict dialect
  bool folder = false;  // it is none; to pmie as one without rules
};

[[nodiscard]] std::string rule_folder();
// As given, or else in rule_folder(), where it is there alone.
[[nodiscard]] std::string rule_path(const std::string& file);

// What a pipe still lacks is waited for, until a signal says to stop.
[[nodiscard]] std::string read_to_end(int fd);

// Whether it is strict is what its first comment says. Fault::usage: it is said wrongly; the text
// is diagnostics, whole lines.
[[nodiscard]] Result<RuleFileText> taken_rules(RuleFileText file);

// Empty: standard input, through `typed` where commands are read from that as well. As given, or
// else in $PCP_VAR_DIR/config/pmie. What a failure is is as pmie says it, behind its name; of
// Fault::usage it is diagnostics, whole lines. Where interrupts are caught one ends the reading:
// the text is not whole then.
[[nodiscard]] Result<RuleFileText> find_rule_file(const std::string& file,
                                                  std::istream* typed = nullptr);

}  // namespace pmjit::pmie

namespace pmjit {

class Catalog;
class LiveHosts;
struct CheckedFile;
namespace pmie {
class RuleMetrics;
}

// pmjit check of rule files.
struct CheckRulesOptions {
  std::vector<std::vector<SourceText>> sets;  // files of one are read one after the other
  std::vector<std::string> archives;          // a source each; none: what the texts alone show
  std::vector<std::string> hosts{};           // live ones instead, as they were named
  std::vector<std::string> settings;          // NAME=VALUE
  // Of derived metrics that the rules may name, beside $PCP_DERIVED_CONFIG. Their own
  // mistakes are reported elsewhere.
  std::vector<std::string> definition_files{};
  std::string dialect;        // strict or pmie, of files that do not say theirs; or empty
  bool compat = false;        // all are in the dialect pmie, whatever they say
  bool differences = false;   // say at length how rules differ over the archives
  bool verbose = false;       // tell of an `allow` that silences nothing
  LiveHosts* live = nullptr;  // those of `hosts`
  // What is wrong with an archive, also several times. `said`: it has been printed.
  std::function<void(const std::string& warning, bool said)> warn{};
  std::function<void(double)> progress{};         // of reading them; 0 … 1
  std::function<void(double)> replay_progress{};  // of replaying them over archives
};

// Is it a text of rules? By its file's name, NAME.pmie, or because a comment of rules begins it.
[[nodiscard]] bool is_rule_text(const SourceText& file);

struct RuleMistakesOptions {
  pmie::RuleMetrics& metrics;
  const Catalog& catalog;
  pmie::Settings settings;
  std::string rule;  // say what is wrong with it alone, where there is one of that name; or empty
};
// Errors in the texts of rules in the dialect pmie, as `check` says them; not that metrics are not
// there. Empty: there are none.
[[nodiscard]] std::string rule_mistakes(const std::vector<SourceText>& files,
                                        const RuleMistakesOptions& options);

// What was found goes to `out`. An error: they could not be checked.
[[nodiscard]] Result<void> check_rule_files(const CheckRulesOptions& options,
                                            std::vector<CheckedFile>& out);

}  // namespace pmjit
