// RuleReader: rule files, one after another, into one RuleProgram: macros, the interval and names
// of rules carry over from file to file. Messages are those of pmie, at the places where it prints
// them. Source: spec rules-language.md §2–§4, §7, §10, §11, §24.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/compat/pmie/expr.h"
#include "compiler/compat/pmie/scanner.h"
#include "compiler/compat/pmie/settings.h"
#include "runtime/model/catalog.h"
#include "runtime/model/desc.h"
#include "runtime/model/pm_codes.h"

namespace pmjit::pmie {

// RuleMetrics: what the reader of rules asks of the world: sources by host, and their metrics.
// Archives and hosts stand behind it. Source: spec rules-language.md §6, §16, §17, §24.
class RuleMetrics {
 public:
  virtual ~RuleMetrics() = default;

  // The source of a host as written behind `:`, or, empty, the default one. A failure is the end of
  // the reading.
  [[nodiscard]] virtual Result<uint32_t> source(std::string_view host) = 0;
  [[nodiscard]] virtual std::string host(uint32_t source) const = 0;  // as `%h` prints it
  // As messages call it: `archive A (host H)`, `pmcd CONN (host H)`.
  [[nodiscard]] virtual std::string title(uint32_t source) const = 0;

  [[nodiscard]] virtual OrPmError<PmId> look_up(uint32_t source, std::string_view name) = 0;
  [[nodiscard]] virtual OrPmError<Desc> describe(uint32_t source, PmId pmid) = 0;
  // Of an archive: all ever recorded, those of the newest record first.
  [[nodiscard]] virtual OrPmError<std::vector<Catalog::Instance>> instances(uint32_t source,
                                                                            InDomId indom) = 0;
  // Live: what is not there may come, so expressions about it stay.
  [[nodiscard]] virtual bool is_live() const { return false; }
  // Can the host be asked nothing now? Why not has been told.
  [[nodiscard]] virtual bool is_down(uint32_t) { return false; }
  // Are some of its metrics others than they were when they were looked up?
  [[nodiscard]] virtual bool has_moved(uint32_t) const { return false; }
};

struct ReaderOptions {
  std::string program = "pmie";  // as messages begin
  double delta = 10;             // seconds
  bool agent = false;            // -x: only named expressions, no actions
  bool applet = false;           // -X: what is named has no actions
  Settings settings;             // of macros
  bool suppose = false;          // ask nobody about metrics: RuleMetrics is not used
  // By its name: does the statement stay? None: each does.
  std::function<bool(std::string_view)> takes{};
};

// A statement that has been read, with its nodes, whether or not it stays.
struct ReadStatement {
  const std::vector<ScannedToken>& tokens;
  std::string name;              // "" if it has none
  uint32_t first_node = 0;       // the nodes from here on are its own
  bool defines = false;          // a macro
  bool installed = false;        // the last of RuleProgram::statements
  std::string taken_by;          // FILE:LINE of the rule that has its name; "": none
  bool mistaken = false;         // something was said of it
  bool taken_elsewhere = false;  // taken_by is in another file
};

// A metric that a source does not have: what needs it is left out.
struct AbsentMetric {
  std::string name, host;
  std::string text;  // what pmie says of it, its two lines
};

// An instance that a metric does not have.
struct AbsentInstance {
  std::string metric, name, host;
  std::vector<std::string> there{};  // the names that it has
  std::string text;                  // what pmie logs of it
};

// Live: looks again for metrics that were not there, and for those of hosts that have moved,
// without a message. The nodes that are others now: what is evaluated of them begins anew.
[[nodiscard]] std::vector<uint32_t> bind_waiting(RuleProgram& program, RuleMetrics& metrics);

class RuleReader {
 public:
  // Lines of standard error: put() gets them with their line feeds; log() gets the text of one,
  // which stands behind `[DATE] pmie(PID) SEVERITY: `, without the last.
  struct Messages {
    virtual ~Messages() = default;
    virtual void put(std::string_view text) = 0;
    virtual void log(std::string_view severity, std::string_view text) = 0;
    // For who tells it in another way.
    virtual void absent(const AbsentMetric& metric) { put(metric.text); }
    virtual void absent_instance(const AbsentInstance& instance) { log("Error", instance.text); }
  };

  // For whoever wants to know more than pmie says.
  struct Watcher {
    virtual ~Watcher() = default;
    // What Messages get, without program and location.
    virtual void told(Severity severity, Span where, std::string_view text) = 0;
    virtual void read(const RuleProgram& program, const ReadStatement& statement) = 0;
    // From here on the file was not read (spec Q5).
    virtual void discarded(uint32_t from) = 0;
  };

  RuleReader(RuleMetrics& metrics, Messages& messages, const ReaderOptions& options);
  ~RuleReader();

  // Null: nobody. It outlives the reader.
  void watch(Watcher* watcher);
  // `name`: of the file; empty: standard input. A failure: the program ends with its message.
  [[nodiscard]] Result<void> read(std::string_view text, std::string_view name);
  // Had the last statement that was read an error (-C)?
  [[nodiscard]] bool last_failed() const;
  // How many rules there are for the statistics (spec §23 numrules), dropped ones too.
  [[nodiscard]] uint32_t rules() const;
  // Was there an action that needs a message server, dropped or not (spec §12 "stomp")?
  [[nodiscard]] bool has_stomp() const;
  [[nodiscard]] const RuleProgram& program() const;
  // Of its program.
  [[nodiscard]] std::vector<uint32_t> bind_waiting();
  // Macros that the text defines, and what one is now.
  [[nodiscard]] const MacroNames& defined() const;
  [[nodiscard]] const PmieMacro* macro(std::string_view name) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace pmjit::pmie
