// pmprobe: which metrics have values, a line each. Source: spec pmapi.md §24.3.
#include <algorithm>
#include <cstdlib>

#include "runtime/cmd/dropin.h"
#include "runtime/cmd/session.h"
#include "runtime/text/print_value.h"

namespace pmjit {

namespace {

constexpr OptionRow kVersion{.letter = 'd',
                             .name = "version",
                             .help = standard(Standard::version).help,
                             .standard = Standard::version,
                             .letter_works = false};

constexpr OptionRow kProbeRows[] = {
    section("General options"),
    standard(Standard::archive),
    standard(Standard::debug),
    standard(Standard::host),
    standard(Standard::container),
    standard(Standard::derived),
    standard(Standard::local),
    standard(Standard::spec_local),
    standard(Standard::name_space),
    standard(Standard::origin),
    standard(Standard::zone),
    standard(Standard::host_zone),
    kVersion,
    standard(Standard::help),
    section("Protocol options"),
    own('b', "batch", "N", "fetch at most N metrics at a time [128]"),
    section("Reporting options"),
    own('f', "force", "", "report all pmGetIndom or pmGetInDomArchive instances"),
    own('F', "faster", "", "assume given metric names are PMNS leaf nodes"),
    own('I', "external", "", "list external instance names"),
    own('i', "internal", "", "list internal instance numbers"),
    own('V', "verbose", "", "report PDU operations (verbose)"),
    own('v', "values", "", "list metric values"),
};
constexpr OptionTable kProbeTable{.usage = "[options] [metricname ...]", .rows = kProbeRows};

struct ProbeRequest {
  bool force = false, leaves = false, names = false, numbers = false, values = false;
  bool statistics = false;
  int batch = 128;  // metrics that are fetched together, of hosts only

  [[nodiscard]] bool lists_instances() const { return names || numbers; }
  // Instances are asked of their domain, and nothing is fetched.
  [[nodiscard]] bool of_domain() const { return force && lists_instances(); }
};

void take_option(const OptionReader::Own& option, ProbeRequest& request, OptionReader& reader) {
  switch (option.row->letter) {
    case 'b': {
      char* end = nullptr;
      request.batch = static_cast<int>(std::strtol(option.argument.c_str(), &end, 10));
      if (*end != '\0') reader.complain("-b requires numeric argument");
      break;
    }
    case 'f': request.force = true; break;
    case 'F': request.leaves = true; break;
    case 'I':
      if (request.values) reader.complain("at most one of -I and -v allowed");
      request.names = true;
      break;
    case 'i':
      if (request.values) reader.complain("at most one of -i and -v allowed");
      request.numbers = true;
      break;
    case 'V': request.statistics = true; break;
    case 'v':
      if (request.lists_instances()) {
        reader.complain("at most one of -v and (-i or -I) allowed");
      }
      request.values = true;
      break;
    default: break;
  }
}

class Probe {
 public:
  Probe(const ProbeRequest& request, MetricSession& context, ToolOutput& out)
      : request_(request), context_(context), out_(out) {}

  void run(const std::vector<std::string>& operands) {
    std::vector<Context::Leaf> metrics;
    if (operands.empty()) {
      const auto all = context_.metrics().leaves("");
      if (!all) return;  // the reference says nothing
      metrics = *all;
    } else if (request_.leaves) {
      metrics = looked_up(operands);
    } else {
      for (const std::string& operand : operands) {
        const auto leaves = context_.metrics().leaves(operand);
        if (!leaves) {
          put_error(operand, leaves.error(), "");
        } else {
          metrics.insert(metrics.end(), leaves->begin(), leaves->end());
        }
      }
    }
    put_all(metrics);
  }
  void put_statistics(const ClientPduCounts& counts) {
    put_counts("send", counts.sent);
    put_counts("recv", counts.received);
  }

 private:
  // -F: of one name it is told what is wrong with it; of several, those that are no metrics are
  // looked for all the same, under no identifier.
  std::vector<Context::Leaf> looked_up(const std::vector<std::string>& names) {
    std::vector<Context::Leaf> out;
    const std::vector<std::string_view> views(names.begin(), names.end());
    const auto pmids = context_.metrics().look_up_names(views);
    for (size_t i = 0; i < names.size(); ++i) {
      const auto& pmid = pmids[i];
      if (!pmid && (names.size() == 1 || pmid.error() == pm_err::E_NOPMNS)) {
        put_error(names[i], pmid.error(), "");
      } else {
        out.push_back({.name = names[i], .pmid = pmid.value_or(kNullId)});
      }
    }
    return out;
  }

  // The reference never ends with a batch of 0.
  void put_all(std::span<const Context::Leaf> metrics) {
    const bool live = context_.live();
    const auto batch = static_cast<size_t>(std::max(1, request_.batch));
    while (!metrics.empty()) {
      const auto now = metrics.first(std::min(batch, metrics.size()));
      metrics = metrics.subspan(now.size());
      if (live && !request_.of_domain()) fetch_together(now);
      for (const Context::Leaf& metric : now) put(metric);
    }
  }
  void fetch_together(std::span<const Context::Leaf> metrics) {
    std::vector<PmId> pmids;
    for (const Context::Leaf& metric : metrics) pmids.push_back(metric.pmid);
    context_.fetch_together(pmids);
  }

  void put(const Context::Leaf& metric) {
    if (request_.of_domain()) return put_domain(metric);
    // Of an archive the reference asks for it behind the values.
    const bool details = request_.values || request_.lists_instances();
    Desc desc{};
    const auto describe = [&] {
      const OrPmError<Desc> known = context_.metrics().describe(metric.pmid);
      if (known) desc = *known;
      return known ? 0 : known.error();
    };
    if (details && context_.live()) {
      if (const int failed = describe(); failed != 0) {
        return put_error(metric.name, failed, " (pmLookupDesc)");
      }
    }
    const auto set = context_.fetch_first(metric.pmid);
    if (!set) return put_error(metric.name, set.error(), " (pmFetch)");
    if ((*set)->count < 0) return put_error(metric.name, (*set)->count, "");
    std::string line = fmt::format("{} {}", metric.name, (*set)->count);
    if (details) {
      if (!context_.live()) {
        if (const int failed = describe(); failed != 0) {
          return put_error(metric.name, failed, " (pmLookupDesc)");
        }
      }
      if ((*set)->values.empty()) {
        out_ << line << '\n';
        return;
      }
      // The reference has begun the line when it finds that out.
      if (request_.lists_instances() && desc.indom != kNullId) {
        if (const int failed = context_.load_domain(desc.indom); failed != 0) {
          out_ << line << error_text(failed, " (pmGetInDom)");
          return;
        }
      }
      for (const Value& value : (*set)->values) {
        if (request_.values) {
          line += ' ';
          append_value(line, (*set)->format, desc.pm_type, value, {.zone = context_.zone()});
        } else {
          append_instance(line, desc.indom, value.instance);
        }
      }
    }
    out_ << line << '\n';
  }

  void put_domain(const Context::Leaf& metric) {
    const auto desc = context_.metrics().describe(metric.pmid);
    if (!desc) return put_error(metric.name, desc.error(), " (pmLookupDesc)");
    const auto instances = desc->indom == kNullId
                               ? std::vector<Context::Instance>{{.id = kSingular, .name = {}}}
                               : context_.metrics().instances_ever(desc->indom);
    if (!instances) return put_error(metric.name, instances.error(), " (pmGetInDom)");
    std::string line = fmt::format("{} {}", metric.name, instances->size());
    for (const Context::Instance& instance : *instances) {
      append_instance(line, desc->indom, instance.id, instance.name);
    }
    out_ << line << '\n';
  }

  void append_instance(std::string& line, InDomId indom, int32_t id) const {
    append_instance(line, indom, id, context_.instance_name(indom, id));
  }
  void append_instance(std::string& line, InDomId indom, int32_t id,
                       std::optional<std::string_view> name) const {
    if (request_.numbers) line += indom == kNullId ? " PM_IN_NULL" : fmt::format(" ?{}", id);
    if (!request_.names) return;
    if (indom == kNullId) {
      line += " PM_IN_NULL";
    } else if (name) {
      line.append(" \"").append(*name).append("\"");
    } else {
      line += fmt::format(" ?{}", id);
    }
  }

  static std::string error_text(int code, std::string_view step) {
    return fmt::format("{} {}{}\n", code, pm_error_text(code), step);
  }
  void put_error(std::string_view name, int code, std::string_view step) {
    out_ << name << ' ' << error_text(code, step);
  }

  // The reference knows 23 kinds.
  void put_counts(std::string_view way, std::span<const uint64_t> counts) {
    constexpr size_t kKinds = 23;
    uint64_t total = 0;
    out_.print("PDUs {}", way);
    for (const uint64_t count : counts.first(kKinds)) {
      out_.print(" {:3}", count);
      total += count;
    }
    out_.print("\nTotal: {}\n", total);
  }

  const ProbeRequest& request_;
  MetricSession& context_;
  ToolOutput& out_;
};

}  // namespace

int run_pmprobe(int argc, const char* const* argv, DerivedMetrics& derived, const Clock& clock) {
  OptionReader reader(kProbeTable, argc, argv, derived);
  ProbeRequest request;
  while (const auto option = reader.next()) take_option(*option, request, reader);
  const Options& options = reader.finish();
  if (reader.over()) return reader.usage();
  ToolOutput out;
  int status = 1;
  if (const auto context =
          MetricSession::open(options, LocalNames::all, derived, clock, out, reader.messages())) {
    Probe probe(request, *context, out);
    probe.run(options.operands);
    if (request.statistics) probe.put_statistics(context->pdu_counts());
    status = 0;
  }
  return end_dropin(out, reader.messages(), status);
}

}  // namespace pmjit
