// An archive's summary for people: a head of few lines, the timeline, and what there is most of. No
// list has more than kLines lines unless it is asked for whole.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "runtime/report/archive_info/archive_report.h"
#include "runtime/report/text/grid.h"
#include "runtime/report/text/human_text.h"
#include "runtime/text/zone.h"

namespace pmjit {

namespace {

constexpr size_t kLines = 12, kNamesInCell = 12;

std::string count(uint64_t number, std::string_view one, std::string_view many) {
  return fmt::format("{} {}", number, number == 1 ? one : many);
}
std::string count(uint64_t number, std::string_view one) {
  return count(number, one, std::string(one) + "s");
}

std::string share(uint64_t part, uint64_t all) {
  if (all == 0) return "";
  return fmt::format("{:.1f} %", 100 * static_cast<double>(part) / static_cast<double>(all));
}

std::string a_second(uint64_t number, double seconds) {
  return seconds > 0 ? human_number(static_cast<double>(number) / seconds, {}) : "";
}

std::string every(std::optional<double> seconds) {
  return seconds ? human_duration(*seconds) : "once";
}

// "disk.dev.read, disk.dev.write": as many names as a cell may have room for.
template <class List, class Name>
std::string names_text(const List& list, Name name) {
  std::string out;
  for (size_t i = 0; i < std::min(list.size(), kNamesInCell); ++i) {
    out += (i > 0 ? ", " : "") + std::string(name(list[i]));
  }
  return list.size() > kNamesInCell ? out + ", …" : out;
}

class SummaryText {
 public:
  SummaryText(const ArchiveSummary& summary, const ArchiveReportOptions& options)
      : summary_(summary),
        zone_(options.zone),
        width_(terminal_width(options.width)),
        paint_(options.paint),
        lines_max_(options.whole ? SIZE_MAX : kLines),
        seconds_(summary.span ? summary.span->seconds() : 0) {}

  std::string text() {
    put_head();
    put_timeline();
    put_gaps();
    put_groups();
    put_metrics();
    put_domains();
    put_damage();
    return std::move(out_);
  }

 private:
  void field(std::string_view name, std::string_view text) {
    out_ += fmt::format("{:<9} {}\n", name, fit(text, width_ - 10));
  }
  void title(std::string_view text) { out_ += "\n" + paint_.as_heading(text) + "\n"; }
  [[nodiscard]] size_t shown(size_t all) const { return std::min(all, lines_max_); }
  [[nodiscard]] std::string more_line(size_t all) const {
    const size_t more = all - shown(all);
    return more > 0 ? fmt::format("… and {} more: -v has them all\n", more) : "";
  }
  std::string local(Stamp stamp) { return iso_local(stamp, zone_); }

  void put_head() {
    for (const MemberSummary& member : summary_.members) {
      field("archive", member.name);
      field("written", fmt::format("version {}, by process {}, time zone {}", member.version,
                                   member.pid, member.timezone.empty() ? "?" : member.timezone));
    }
    field("host", summary_.host);
    field("span", summary_.span ? fmt::format("{} … {}, {}", local(summary_.span->first),
                                              local(summary_.span->last), human_duration(seconds_))
                                : "there is no record that can be read");
    put_sizes();
    std::string records = count(summary_.records, "record");
    if (summary_.marks > 0) records += ", " + count(summary_.marks, "mark");
    records += ", " + count(summary_.values, "value");
    if (seconds_ > 0) records += fmt::format(" ({} a second)", a_second(summary_.values, seconds_));
    field("holds", records);
    uint64_t instances = 0;
    for (const DomainSummary& domain : summary_.domains) instances += domain.instances;
    const size_t strangers = undescribed_metrics(summary_);
    field("metrics",
          fmt::format("{} of {} described have values{}; {} in {}",
                      summary_.metrics.size() - strangers, summary_.metrics_described,
                      strangers > 0 ? fmt::format(", and {} not described", strangers) : "",
                      count(instances, "instance"),
                      count(summary_.domains.size(), "instance domain")));
  }

  void put_sizes() {
    FileSummary data, metadata, index;
    size_t volumes = 0;
    const auto add = [](FileSummary& to, const FileSummary& file) {
      to.bytes += file.bytes, to.stored += file.stored;
    };
    for (const MemberSummary& member : summary_.members) {
      volumes += member.volumes.size();
      for (const VolumeSummary& volume : member.volumes) add(data, volume.file);
      add(metadata, member.metadata);
      if (member.index) add(index, *member.index);
    }
    const auto size = [](const FileSummary& file) {
      return file.bytes == file.stored ? human_bytes(file.bytes)
                                       : fmt::format("{} (stored in {})", human_bytes(file.bytes),
                                                     human_bytes(file.stored));
    };
    field("size", fmt::format("data {} in {}, metadata {}, index {}", size(data),
                              count(volumes, "volume"), size(metadata), size(index)));
  }

  struct Line {
    std::string name;
    RecordedSpan recorded;
  };

  // A line for everything, and one a volume where there are several.
  std::vector<Line> lines() const {
    std::vector<Line> out{{.name = "all", .recorded = {*summary_.span, summary_.gaps}}};
    for (const MemberSummary& member : summary_.members) {
      for (const VolumeSummary& volume : member.volumes) {
        if (!volume.span) continue;
        out.push_back({.name = std::filesystem::path(volume.file.path).filename().string(),
                       .recorded = {*volume.span, summary_.gaps}});
      }
    }
    if (out.size() == 2) out.pop_back();
    return out;
  }

  void put_timeline() {
    if (!summary_.span) return;
    const std::vector<Line> lines = this->lines();
    const size_t lines_shown = 1 + shown(lines.size() - 1);
    size_t names = 0;
    for (size_t i = 0; i < lines_shown; ++i) names = std::max(names, display_width(lines[i].name));
    names = std::min(names, width_ / 3);
    const size_t cells = width_ - names - Grid::kGap;
    TimeSpan all = *summary_.span;  // with what is lost at its end
    if (!summary_.gaps.empty())
      all.last = std::max(all.last, summary_.gaps.back().to.value_or(all.last));
    title("over time");
    for (size_t i = 0; i < lines_shown; ++i) {
      const std::string name = fit(lines[i].name, names);
      out_ += name + std::string(names + Grid::kGap - display_width(name), ' ') +
              timeline(all, lines[i].recorded, cells) + "\n";
    }
    out_ += more_line(lines.size() - 1);
    const std::string from = local(all.first), to = local(all.last);
    if (from.size() + to.size() >= cells) return;
    out_ += std::string(names + Grid::kGap, ' ') + from +
            std::string(cells - from.size() - to.size(), ' ') + to + "\n";
  }

  void put_gaps() {
    const auto& gaps = summary_.gaps;
    const std::string usual = summary_.interval
                                  ? fmt::format(" (usually there is a record every {})",
                                                human_duration(*summary_.interval))
                                  : "";
    title((gaps.empty() ? "no gaps" : count(gaps.size(), "gap")) + usual);
    if (gaps.empty()) return;
    Grid grid(
        {{.text = "from"}, {.text = "to"}, {.text = "length", .right = true}, {.text = "why"}});
    for (size_t i = 0; i < shown(gaps.size()); ++i) {
      const Gap& gap = gaps[i];
      grid.add({local(gap.from), gap.to ? local(*gap.to) : "the end",
                gap.to ? human_duration(seconds_between(*gap.to, gap.from)) : "",
                std::string(gap_cause_text(gap.cause))});
    }
    out_ += grid.text(width_, paint_) + more_line(gaps.size());
    if (summary_.more_pauses) out_ += "… and shorter pauses, which are too many to keep\n";
  }

  void put_groups() {
    const auto& groups = summary_.groups;
    if (groups.empty()) return;
    title("logged together");
    Grid grid({{.text = "every", .right = true},
               {.text = "records", .right = true},
               {.text = "values", .right = true},
               {.text = "size", .right = true},
               {.text = "share", .right = true},
               {.text = "metrics", .right = true},
               {.text = "", .shrinks = true}});
    for (size_t i = 0; i < shown(groups.size()); ++i) {
      const GroupSummary& group = groups[i];
      grid.add({every(group.interval), fmt::format("{}", group.records),
                fmt::format("{}", group.values), human_bytes(group.bytes),
                share(group.bytes, summary_.bytes), fmt::format("{}", group.metrics.size()),
                names_text(group.metrics,
                           [&](uint32_t at) { return metric_label(summary_.metrics[at]); })});
    }
    out_ += grid.text(width_, paint_) + more_line(groups.size());
    if (summary_.other_records > 0) {
      out_ += fmt::format("… and {} whose metrics come together too rarely to be told apart\n",
                          count(summary_.other_records, "record"));
    }
  }

  void put_metrics() {
    const auto& metrics = summary_.metrics;
    if (metrics.empty()) return;
    title("largest metrics");
    Grid grid({{.text = "metric", .shrinks = true},
               {.text = "records", .right = true},
               {.text = "values", .right = true},
               {.text = "a second", .right = true},
               {.text = "errors", .right = true},
               {.text = "size", .right = true},
               {.text = "share", .right = true}});
    for (size_t i = 0; i < shown(metrics.size()); ++i) {
      const MetricSummary& metric = metrics[i];
      grid.add({metric_label(metric), fmt::format("{}", metric.records),
                fmt::format("{}", metric.values), a_second(metric.values, seconds_),
                metric.errors > 0 ? fmt::format("{}", metric.errors) : "",
                human_bytes(metric.bytes), share(metric.bytes, summary_.bytes)});
    }
    out_ += grid.text(width_, paint_) + more_line(metrics.size());
  }

  void put_domains() {
    const auto& domains = summary_.domains;
    if (domains.empty()) return;
    title("instance domains");
    Grid grid({{.text = "domain"},
               {.text = "instances", .right = true},
               {.text = "at once", .right = true},
               {.text = "changes", .right = true},
               {.text = "one every", .right = true},
               {.text = "metrics", .right = true},
               {.text = "", .shrinks = true}});
    for (size_t i = 0; i < shown(domains.size()); ++i) {
      const DomainSummary& domain = domains[i];
      const uint64_t changes = domain.sets > 0 ? domain.sets - 1 : 0;
      grid.add({indom_text(domain.indom), fmt::format("{}", domain.instances),
                fmt::format("{}", domain.largest), fmt::format("{}", changes),
                changes > 0 ? human_duration(seconds_ / static_cast<double>(changes)) : "",
                fmt::format("{}", domain.metrics.size()),
                names_text(domain.metrics, [](const std::string& name) { return name; })});
    }
    out_ += grid.text(width_, paint_) + more_line(domains.size());
  }

  void put_damage() {
    if (summary_.damage.empty()) return;
    title("damage");
    for (const Error& error : summary_.damage) {
      out_ += fmt::format("{}: {}\n", error.place(), error.what());
    }
  }

  const ArchiveSummary& summary_;
  Zone zone_;
  size_t width_;
  Paint paint_;
  size_t lines_max_;
  double seconds_;
  std::string out_;
};

}  // namespace

std::string archive_text(const ArchiveSummary& summary, const ArchiveReportOptions& options) {
  return SummaryText(summary, options).text();
}

}  // namespace pmjit
