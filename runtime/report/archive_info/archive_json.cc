// An archive's summary as one JSON object; README.md has its members.
#include <fmt/format.h>

#include "runtime/report/archive_info/archive_report.h"
#include "runtime/report/text/quoting.h"
#include "runtime/report/text/values.h"

namespace pmjit {

namespace {

std::string time_json(Stamp stamp) { return '"' + iso_utc(stamp) + '"'; }

std::string interval_json(std::optional<double> seconds) {
  return seconds ? double_text(*seconds) : "null";
}

// "first":…,"last":…,"seconds":…
std::string span_json(const std::optional<TimeSpan>& span) {
  if (!span) return "\"first\":null,\"last\":null,\"seconds\":null";
  return fmt::format("\"first\":{},\"last\":{},\"seconds\":{}", time_json(span->first),
                     time_json(span->last), double_text(span->seconds()));
}

template <class List, class Make>
std::string list_json(const List& list, Make make) {
  std::string out = "[";
  for (const auto& item : list) {
    if (out.size() > 1) out += ',';
    out += make(item);
  }
  return out + ']';
}

std::string file_members(const FileSummary& file) {
  return fmt::format("\"path\":{},\"bytes\":{},\"stored_bytes\":{}", json_text(file.path),
                     file.bytes, file.stored);
}

std::string volume_json(const VolumeSummary& volume) {
  return fmt::format("{{\"number\":{},{},\"records\":{},{}}}", volume.number,
                     file_members(volume.file), volume.records, span_json(volume.span));
}

std::string member_json(const MemberSummary& member) {
  return fmt::format(
      "{{\"name\":{},\"version\":{},\"pid\":{},\"timezone\":{},\"metadata\":{{{}}},"
      "\"index\":{},\"volumes\":{}}}",
      json_text(member.name), member.version, member.pid, json_text(member.timezone),
      file_members(member.metadata),
      member.index ? '{' + file_members(*member.index) + '}' : "null",
      list_json(member.volumes, volume_json));
}

std::string gap_json(const Gap& gap) {
  return fmt::format("{{\"from\":{},\"to\":{},\"seconds\":{},\"cause\":\"{}\"}}",
                     time_json(gap.from), gap.to ? time_json(*gap.to) : "null",
                     gap.to ? double_text(seconds_between(*gap.to, gap.from)) : "null",
                     gap_cause_text(gap.cause));
}

std::string metric_json(const MetricSummary& metric) {
  return fmt::format(
      "{{\"name\":{},\"pmid\":\"{}\",\"records\":{},\"values\":{},\"errors\":{},\"bytes\":{}}}",
      json_text(metric_label(metric)), pmid_text(metric.pmid), metric.records, metric.values,
      metric.errors, metric.bytes);
}

std::string domain_json(const DomainSummary& domain) {
  return fmt::format(
      "{{\"indom\":\"{}\",\"instances\":{},\"largest_set\":{},\"sets\":{},\"metrics\":{}}}",
      indom_text(domain.indom), domain.instances, domain.largest, domain.sets,
      list_json(domain.metrics, json_text));
}

std::string error_json(const Error& error) {
  return fmt::format("{{\"place\":{},\"what\":{}}}", json_text(error.place()),
                     json_text(error.what()));
}

}  // namespace

std::string archive_json(const ArchiveSummary& summary, const ArchiveReportOptions&) {
  const auto group_json = [&](const GroupSummary& group) {
    return fmt::format(
        "{{\"interval\":{},\"records\":{},\"values\":{},\"bytes\":{},\"metrics\":{}}}",
        interval_json(group.interval), group.records, group.values, group.bytes,
        list_json(group.metrics,
                  [&](uint32_t i) { return json_text(metric_label(summary.metrics[i])); }));
  };
  return fmt::format(
      "{{\"host\":{},{},\"records\":{},\"marks\":{},\"values\":{},\"record_bytes\":{},"
      "\"metrics_described\":{},\"metrics_undescribed\":{},\"interval\":{},\"archives\":{},"
      "\"gaps\":{},\"more_gaps\":{},"
      "\"groups\":{},\"other_records\":{},\"metrics\":{},\"domains\":{},\"warnings\":{},"
      "\"damage\":{},\"left_out\":{}}}\n",
      json_text(summary.host), span_json(summary.span), summary.records, summary.marks,
      summary.values, summary.bytes, summary.metrics_described, undescribed_metrics(summary),
      interval_json(summary.interval), list_json(summary.members, member_json),
      list_json(summary.gaps, gap_json), summary.more_pauses, list_json(summary.groups, group_json),
      summary.other_records, list_json(summary.metrics, metric_json),
      list_json(summary.domains, domain_json), list_json(summary.warnings, json_text),
      list_json(summary.damage, error_json), left_out_json(summary.left_out));
}

}  // namespace pmjit
