#include "runtime/cmd/pminfo/report.h"

#include "runtime/model/pm_codes.h"
#include "runtime/text/print_value.h"

namespace pmjit {

void InfoReport::metric(const Context::Leaf& metric) {
  const FetchedSet* set = nullptr;
  if (request_.fetches()) {
    const auto fetched = context_.fetch_first(metric.pmid);
    if (!fetched) {
      out_.print("{}: pmFetch: {}\n", metric.name, pm_error_text(fetched.error()));
      return;
    }
    set = *fetched;
  }
  const auto desc = request_.needs_desc() ? context_.metrics().describe(metric.pmid)
                                          : OrPmError<Desc>(Desc{.pmid = metric.pmid});
  if (!desc) {
    out_.print("{}: pmLookupDesc: {}\n", metric.name, pm_error_text(desc.error()));
    return;
  }
  if (request_.verify) return verify(metric.name, *desc, *set);
  if (request_.apart()) out_ << '\n';
  out_ << metric.name;
  if (set != nullptr && set->count == pm_err::E_PROFILE && request_.all_values &&
      !load_instances(desc->indom)) {
    out_.print(": pmGetIndom: {}\n", pm_error_text(instances_.error()));
    return;
  }
  put_pmid(metric.pmid);
  if (request_.one_line) {
    put_one_line(context_.metrics().metric_text(TextKind::one_line, metric.pmid),
                 request_.full_pmid);
  }
  out_ << '\n';
  if (request_.lists_labels()) levels_.move_to(*desc);
  if (request_.desc) put_desc(*desc);
  if (request_.series) put_series(metric.name, *desc);
  if (request_.labels) put_labels();
  if (request_.help) put_help(context_.metrics().metric_text(TextKind::help, metric.pmid));
  if (request_.values) put_values(*desc, *set);
  if (request_.lists_labels()) put_instances(*desc);
}

void InfoReport::indom(InDomId indom) {
  if (request_.verify) return;
  out_.print("\nInDom: {}", indom_text(indom));
  if (request_.full_indom) out_.print(" = {} =", indom);
  out_.print(" {:#x}", indom);
  if (request_.one_line) {
    put_one_line(context_.metrics().indom_text(TextKind::one_line, indom), request_.full_indom);
  }
  out_ << '\n';
  if (request_.labels) {
    levels_.move_to(indom);
    put_labels();
  }
  if (request_.help) put_help(context_.metrics().indom_text(TextKind::help, indom));
}

void InfoReport::verify(std::string_view name, const Desc& desc, const FetchedSet& set) {
  if (desc.pm_type == pm_type::nosupport) {
    out_.print("{}: Not Supported\n", name);
  } else if (set.count < 0) {
    out_.print("{}: {}\n", name, pm_error_text(set.count));
  } else if (set.count == 0) {
    out_.print("{}: No value(s) available\n", name);
  }
}

void InfoReport::put_pmid(PmId pmid) {
  if (!request_.pmid && !request_.full_pmid) return;
  out_.print(" PMID: {}", pmid_text(pmid));
  if (request_.full_pmid) out_.print(" = {} = {:#x}", pmid, pmid);
}

void InfoReport::put_one_line(const OrPmError<std::string>& text, bool own_line) {
  if (text) {
    out_.print("{} [{}]", own_line ? "\n   " : "", *text);
  } else {
    out_.print(" One-line Help: Error: {}", pm_error_text(text.error()));
  }
}

void InfoReport::put_help(const OrPmError<std::string>& text) {
  if (!text) {
    out_.print("Full Help: Error: {}\n", pm_error_text(text.error()));
  } else if (const size_t last = text->find_last_not_of('\n'); last != text->npos) {
    out_.print("Help:\n{}\n", std::string_view(*text).substr(0, last + 1));
  } else {
    out_ << "Help: <empty entry>\n";
  }
}

// Other than pmdumplog, in full where the metric is not supported.
void InfoReport::put_desc(const Desc& desc) {
  const std::string type =
      desc.pm_type == pm_type::nosupport ? "Not Supported" : desc_type_text(desc.pm_type);
  out_.print("    Data Type: {}  InDom: {}", type, indom_text(desc.indom));
  if (request_.full_indom) out_.print(" = {} =", desc.indom);
  out_.print(" {:#x}\n    Semantics: {}  Units: {}\n", desc.indom,
             desc_semantics_text(desc.semantics), desc_units_text(desc.units));
}

void InfoReport::put_series(std::string_view name, const Desc& desc) {
  const std::string source =
      fmt::format(R"({{"series":"source","labels":{}}})", levels_.source(Optional::without));
  const std::string metric = fmt::format(
      R"({{"series":"metric","name":"{}","labels":{},"semantics":"{}","type":"{}","units":"{}"}})",
      name, levels_.metric(Optional::without), semantics_text(desc.semantics),
      pm_type_text(desc.pm_type), units_text(desc.units));
  out_.print("    Source: {}\n    Series: {}\n", sha1_hex(source), sha1_hex(metric));
}

void InfoReport::put_labels() {
  const std::string labels = levels_.metric(Optional::with);
  if (!labels.empty()) out_.print("    labels {}\n", labels);
}

}  // namespace pmjit
