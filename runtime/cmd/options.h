// OptionReader: the command line and the environment of a tool under its PCP name. The tool takes
// its own options one by one; what PCP's tools share is read on the way into Options.
//
//   OptionReader reader(kTable, argc, argv);
//   while (const auto option = reader.next()) switch (option->row->letter) { … }
//   const Options& options = reader.finish();
//   if (reader.over()) return reader.usage();     messages, usage text; the exit status
//
// Every mistake is told, in the order of the command line, before the usage text. Source: spec
// pmapi.md §20.2, §20.3.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "runtime/archive/recording/archives.h"
#include "runtime/client/deriver.h"
#include "runtime/cmd/arguments.h"
#include "runtime/cmd/output.h"
#include "runtime/pmns/name_space_file.h"
#include "runtime/text/interval.h"
#include "runtime/text/metric_spec.h"

namespace pmjit {

struct Options {
  std::optional<SourceKind> source{};  // none: nobody said
  std::string archives{};              // all of them in one context, joined with commas
  std::vector<std::string> hosts{};
  std::optional<std::string> start{}, finish{}, align{}, origin{}, zone{}, gui_port{}, container{};
  std::optional<NanoTime> interval{};
  std::optional<int> samples{};
  std::shared_ptr<const NameSpaceFile> name_space{};  // null: that of the source
  bool host_zone = false, local = false, gui = false;
  std::vector<std::string> operands{};

  [[nodiscard]] bool has_window() const { return start || finish || align || origin; }
};

class OptionReader {
 public:
  using Own = Arguments::Found;

  // `derived` gets the definitions of --derived.
  OptionReader(const OptionTable& table, int argc, const char* const* argv,
               DerivedMetrics& derived);

  // The next option that is the tool's own.
  [[nodiscard]] std::optional<Own> next();
  // What is no option; whole once next() has returned nothing.
  [[nodiscard]] const std::vector<std::string>& operands() const { return arguments_.operands(); }
  // After the last one: gather(), and where nothing is wrong so far check_together().
  const Options& finish();
  // Operands and sources.
  const Options& gather();
  void check_together();

  [[nodiscard]] Messages& messages() { return messages_; }
  [[nodiscard]] DerivedMetrics& derived() { return derived_; }
  // A mistake of the tool's own options: the usage text will follow.
  void complain(std::string_view text);
  void ask_for_usage() { usage_error_ = true; }
  // A standard option as if it had been given.
  void apply(Standard which, const std::string& argument);
  // A source that an operand names, as if it had been given; a host replaces that of -h.
  void apply_source(SourceKind kind, const std::string& source);

  // There is nothing more to do but usage().
  [[nodiscard]] bool over() const { return usage_error_ || runtime_error_ || exit_; }
  [[nodiscard]] int usage();

 private:
  void read_environment();
  void add_archive(const std::string& name);
  void add_folio(const std::string& path);
  void add_host(const std::string& name);
  void set_samples(const std::string& text);
  void set_interval(const std::string& text);
  void load_name_space(const std::string& path, SameMetric same);
  void change_agents(const std::string& spec);
  void fail(std::string_view text);
  void use_own_archives();

  const OptionTable& table_;
  DerivedMetrics& derived_;
  Messages messages_;
  Arguments arguments_;
  Options options_;
  std::vector<std::string> archives_;
  bool usage_error_ = false, runtime_error_ = false, exit_ = false;
};

// "pmval" of "/usr/libexec/pmjit/pmval".
[[nodiscard]] std::string program_name(int argc, const char* const* argv);

// `Usage: PROGRAM …` and a line an option. Source: spec pmapi.md §20.3.
[[nodiscard]] std::string usage_text(std::string_view program, const OptionTable& table);

// The version that drop-ins say they are: what scripts compare with.
inline constexpr std::string_view kPcpVersion = "6.0.3";

// The name space of -n and -N in place of the archive's. Source: spec pmapi.md §6.1, §20.1.

// Which of its names count: pminfo has only those of metrics that the archive describes.
enum class LocalNames : uint8_t { all, described };

// All of them; null: without -n and -N.
[[nodiscard]] std::shared_ptr<const NameSpace> local_names(const Options& options);
// Without -n and -N nothing changes.
void use_local_names(const Options& options, LocalNames which, Archives& archives);

}  // namespace pmjit
