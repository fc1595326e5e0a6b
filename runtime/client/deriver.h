// How derived metrics enter a context: it asks, and whoever knows the language answers
// (compiler/compat/registry). runtime knows no expressions. Source: spec derived-metrics.md §1, §8,
// §12.
//
//   metrics.load("site.conf");                        pmLoadDerivedConfig
//   const auto deriver = metrics.attach(source);      one per context; it binds at first use
//   deriver->operands(pmid)  →  what a fetch must bring
//   deriver->begin_fetch();
//   deriver->evaluate(pmid, fetched, set);
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/model/desc.h"
#include "runtime/model/pm_codes.h"
#include "runtime/model/set_columns.h"
#include "runtime/model/stamp.h"
#include "runtime/model/value.h"

namespace pmjit {

class Context;

// Why a metric cannot be defined. The offset is of its expression.
struct DefinitionRefusal {
  enum class Kind : uint8_t { registration, syntax, meaning };
  Kind kind = Kind::registration;
  int64_t offset = 0;
  std::string message{};  // may be empty
};

// The derived metrics of one context.
class Deriver {
 public:
  virtual ~Deriver() = default;

  // A metric of this context alone, which hides one of the process; it is bound at once
  // (pmAddDerived). None: it is there, also where 6.x cannot bind it and has no words for that.
  [[nodiscard]] virtual std::optional<DefinitionRefusal> define(std::string_view name,
                                                                std::string_view expression) = 0;
  // False: there is none of that name of this context alone.
  virtual bool remove(std::string_view name) = 0;
  // A text for one of this context alone: PM_ERR_NAME, or PM_ERR_TEXT where there is one.
  [[nodiscard]] virtual OrPmError<void> add_text(std::string_view name, TextKind kind,
                                                 std::string_view text) = 0;
  // PCP_DERIVED_CONTEXT_LIMIT; -1: none.
  [[nodiscard]] virtual int limit() const = 0;
  virtual void set_limit(int limit) = 0;

  struct Metric {
    std::string_view name;
    PmId pmid;
  };
  // Grows with every metric that is defined or removed, of the context or of the process.
  [[nodiscard]] virtual size_t count() const = 0;
  // In the order of their registration; whether they can be bound or not. Those of the process that
  // are hidden by one of the context are not among them.
  [[nodiscard]] virtual std::vector<Metric> metrics() const = 0;
  // Those that cannot be bound are listed with the others (6.x, over archives).
  [[nodiscard]] virtual bool lists_unusable() const = 0;
  [[nodiscard]] virtual OrPmError<PmId> look_up(std::string_view name) const = 0;
  // Empty: there is no such derived metric.
  [[nodiscard]] virtual std::string_view name(PmId pmid) const = 0;
  // PM_ERR_BADDERIVE: it cannot be bound here; PM_ERR_PMID: it is no derived metric.
  [[nodiscard]] virtual OrPmError<Desc> describe(PmId pmid) = 0;
  [[nodiscard]] virtual OrPmError<std::string_view> one_line(PmId pmid) const = 0;
  [[nodiscard]] virtual OrPmError<std::string_view> help(PmId pmid) const = 0;
  // None where it cannot be bound.
  [[nodiscard]] virtual std::span<const PmId> operands(PmId pmid) = 0;
  // A new fetch: values that have been evaluated may go.
  virtual void begin_fetch() = 0;
  // `fetched` has a set of each operand. Once for each time that the metric is asked for: a second
  // time in one fetch it has the first for its history, as in libpcp. The values live until the
  // next begin_fetch(), texts as long as those of `fetched`.
  virtual void evaluate(PmId pmid, const Fetched& fetched, FetchedSet& out) = 0;
  // May it be evaluated at later times than the next fetch's, each metric for itself?
  [[nodiscard]] virtual bool goes_ahead(PmId pmid) = 0;
  // Where it does: what evaluate() would give at one time after the other, in the type of its
  // descriptor, from a column an operand, in their order. False: nothing has changed, and the times
  // have to be evaluated one by one.
  [[nodiscard]] virtual bool evaluate_columns(PmId pmid, std::span<const Stamp> stamps,
                                              std::span<const SetColumn> columns,
                                              MadeColumn& out) = 0;
};

// The derived metrics of a process.
class DerivedMetrics {
 public:
  virtual ~DerivedMetrics() = default;

  // Where messages go; each ends with a newline. Before anything else.
  virtual void tell(std::function<void(std::string_view)> sink) = 0;
  // The definitions of the environment, at the first use of the facility.
  virtual void begin() = 0;
  // The number of metrics defined, or why a component of the path cannot be read.
  [[nodiscard]] virtual OrPmError<int> load(const std::string& path) = 0;
  // PM_ERR_NAME: it is none.
  [[nodiscard]] virtual OrPmError<PmId> look_up(std::string_view name) const = 0;
  // Of the last definition that was refused; empty: the last one was not.
  [[nodiscard]] virtual const std::string& last_message() const = 0;
  // One metric (pmRegisterDerived). None: it is there.
  [[nodiscard]] virtual std::optional<DefinitionRefusal> define(std::string_view name,
                                                                std::string_view expression) = 0;
  // False: there is none of that name. Its identifier is not used again.
  virtual bool remove(std::string_view name) = 0;
  // PM_ERR_NAME, or PM_ERR_TEXT where there is one.
  [[nodiscard]] virtual OrPmError<void> add_text(std::string_view name, TextKind kind,
                                                 std::string_view text) = 0;
  // PCP_DERIVED_GLOBAL_LIMIT; -1: none.
  [[nodiscard]] virtual int limit() const = 0;
  virtual void set_limit(int limit) = 0;
  // What the release has whose derived metrics these are; its contexts have the same.
  [[nodiscard]] virtual ExtraUnits extra_units() const = 0;
  // Over the metrics of `source`, which outlives it. So do the names of instances that it gives:
  // they are as of its last fetch.
  [[nodiscard]] virtual std::unique_ptr<Deriver> attach(Context& source) = 0;
};

}  // namespace pmjit
