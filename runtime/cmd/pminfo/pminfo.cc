// pminfo: what is known of metrics: descriptors, values, labels, texts. Source: spec pmapi.md
// §24.1.
#include <algorithm>
#include <cctype>
#include <cstdio>
#include <cstdlib>

#include "runtime/cmd/dropin.h"
#include "runtime/cmd/options.h"
#include "runtime/cmd/pminfo/report.h"
#include "runtime/cmd/session.h"

namespace pmjit {

namespace {

constexpr OptionRow kInfoRows[] = {
    section("General options"),
    standard(Standard::archive),
    standard(Standard::debug),
    standard(Standard::host),
    standard(Standard::container),
    standard(Standard::local),
    standard(Standard::spec_local),
    standard(Standard::name_space),
    standard(Standard::unique_names),
    standard(Standard::origin),
    standard(Standard::zone),
    standard(Standard::host_zone),
    standard(Standard::version),
    standard(Standard::help),
    section("Protocol options"),
    own('b', "batch", "N", "fetch N metrics at a time for -f and -v [128]"),
    own('d', "desc", "", "get and print metric description"),
    own('f', "fetch", "", "fetch and print values for all instances"),
    own('F', "fetchall", "", "fetch and print values for non-enumerable indoms"),
    own('I', "fullindom", "", "print InDom in verbose format"),
    own('l', "labels", "", "print InDom, metric and instance labels"),
    own('m', "pmid", "", "print PMID"),
    own('M', "fullpmid", "", "print PMID in verbose format"),
    own('s', "series", "", "print source, metric, instance series identifiers"),
    own('t', "oneline", "", "get and display (terse) oneline text"),
    own('T', "helptext", "", "get and display (verbose) help text"),
    section("Metrics options"),
    own('c', "derived", "FILE", "load derived metric definitions from FILE(s)"),
    own('x', "events", "", "unpack and report on any fetched event records"),
    own('v', "verify", "", "verify mode, be quiet and only report errors"),
};
constexpr OptionTable kInfoTable{.usage = "[options] [metricname | pmid | indom]...",
                                 .rows = kInfoRows};

// Without them it goes on.
void load_definitions(const std::string& path, OptionReader& reader) {
  const auto loaded = reader.derived().load(path);
  if (loaded) return;
  fmt::print(stderr, "{}: derived configuration(s) error: {}\n", reader.messages().program(),
             pm_error_text(loaded.error()));
}

void take_option(const OptionReader::Own& option, InfoRequest& request, OptionReader& reader) {
  switch (option.row->letter) {
    case 'b': {
      char* end = nullptr;
      request.batch = static_cast<int>(std::strtol(option.argument.c_str(), &end, 10));
      if (*end != '\0') reader.complain("-b requires numeric argument");
      break;
    }
    case 'c': load_definitions(option.argument, reader); break;
    case 'd': request.desc = true; break;
    case 'f': request.values = true; break;
    case 'F': request.values = request.all_values = true; break;
    case 'I': request.desc = request.full_indom = true; break;
    case 'l': request.labels = true; break;
    case 'm': request.pmid = true; break;
    case 'M': request.pmid = request.full_pmid = true; break;
    case 's': request.series = true; break;
    case 't': request.one_line = true; break;
    case 'T': request.help = true; break;
    case 'x': request.values = request.events = true; break;
    case 'v': request.verify = true; break;
    default: break;
  }
}

// "29.0.5" is a metric, "29.1" a domain; what follows them does not matter. Parts are cut to the
// bits they have. Whatever else starts with a digit is nothing, even where the name space has it.
struct Dotted {
  int parts = 0;  // 0: a name
  uint32_t domain = 0, second = 0, third = 0;

  explicit Dotted(const std::string& text) {
    if (text.empty() || std::isdigit(static_cast<unsigned char>(text[0])) == 0) return;
    parts = std::sscanf(text.c_str(), "%u.%u.%u", &domain, &second, &third);
  }
  [[nodiscard]] PmId pmid() const {
    return (domain & 0x1ff) << 22 | (second & 0xfff) << 10 | (third & 0x3ff);
  }
  [[nodiscard]] InDomId indom() const { return (domain & 0x1ff) << 22 | (second & 0x3fffff); }
};

class InfoRun {
 public:
  // One metric is fetched at a time from an archive, whatever -b says.
  InfoRun(const InfoRequest& request, MetricSession& context, ToolOutput& out)
      : context_(context),
        report_(request, context, out),
        fetches_(request.fetches()),
        batch_(context.live() ? static_cast<size_t>(std::max(1, request.batch)) : 1) {}

  void operand(const std::string& text) {
    const Dotted dotted(text);
    if (dotted.parts == 1) {
      fail(text, pm_err::E_NAME);
    } else if (dotted.parts == 3) {
      const auto names = context_.metrics().names(dotted.pmid());
      if (!names) return fail(text, names.error());
      // By its name: a derived metric may be hidden by a recorded one.
      const auto pmid = context_.metrics().look_up(names->front());
      add({.name = names->front(), .pmid = pmid.value_or(dotted.pmid())});
    } else if (dotted.parts == 2) {
      report_.indom(dotted.indom());
    } else {
      const auto leaves = context_.metrics().leaves(text);
      if (!leaves) return fail(text, leaves.error());
      for (const Context::Leaf& leaf : *leaves) add(leaf);
    }
  }
  // What is left of the last batch.
  void finish() {
    if (fetches_ && !waiting_.empty()) {
      std::vector<PmId> pmids;
      for (const Context::Leaf& leaf : waiting_) pmids.push_back(leaf.pmid);
      context_.fetch_together(pmids);
    }
    for (const Context::Leaf& leaf : waiting_) report_.metric(leaf);
    waiting_.clear();
  }
  [[nodiscard]] bool failed() const { return failed_; }

 private:
  void add(const Context::Leaf& leaf) {
    waiting_.push_back(leaf);
    if (waiting_.size() == batch_) finish();
  }
  void fail(const std::string& text, int code) {
    const std::string of_text = text.empty() ? "" : text + ": ";
    fmt::print(stderr, "Error: {}{}\n", of_text, pm_error_text(code));
    failed_ = true;
  }

  MetricSession& context_;
  InfoReport report_;
  bool fetches_;
  size_t batch_;
  std::vector<Context::Leaf> waiting_;
  bool failed_ = false;
};

}  // namespace

int run_pminfo(int argc, const char* const* argv, DerivedMetrics& derived, const Clock& clock) {
  OptionReader reader(kInfoTable, argc, argv, derived);
  InfoRequest request;
  while (const auto option = reader.next()) take_option(*option, request, reader);
  const Options& options = reader.finish();
  if (reader.over()) return reader.usage();
  ToolOutput out;
  int status = 1;
  if (const auto context = MetricSession::open(options, LocalNames::described, derived, clock, out,
                                               reader.messages())) {
    InfoRun run(request, *context, out);
    if (options.operands.empty()) run.operand("");
    for (const std::string& operand : options.operands) run.operand(operand);
    run.finish();
    status = run.failed() ? 1 : 0;
  }
  return end_dropin(out, reader.messages(), status);
}

}  // namespace pmjit
