// The hosts of a folder of archives, a line each; and as one JSON object.
#include <fmt/format.h>

#include "runtime/report/archive_info/archive_report.h"
#include "runtime/report/text/grid.h"
#include "runtime/report/text/human_text.h"
#include "runtime/report/text/quoting.h"
#include "runtime/text/zone.h"

namespace pmjit {

std::string folder_text(const FolderSummary& folder, const ArchiveReportOptions& options) {
  Grid grid({{.text = "host", .shrinks = true},
             {.text = "archives", .right = true},
             {.text = "first"},
             {.text = "last"},
             {.text = "length", .right = true},
             {.text = "data", .right = true}});
  const auto time = [&](Stamp stamp) { return iso_local({stamp.sec, 0}, options.zone); };
  for (const FolderHost& host : folder.hosts) {
    grid.add({host.name, std::to_string(host.archives), time(host.span.first), time(host.span.last),
              human_duration(host.span.seconds()), human_bytes(host.bytes)});
  }
  return grid.text(terminal_width(options.width), options.paint);
}

std::string left_out_json(std::span<const LeftOutArchive> archives) {
  std::string out = "[";
  for (const LeftOutArchive& archive : archives) {
    if (out.size() > 1) out += ',';
    out += fmt::format("{{\"archive\":{},\"why\":{}}}", json_text(archive.name),
                       json_text(archive.why));
  }
  return out + ']';
}

std::string folder_json(const FolderSummary& folder, const ArchiveReportOptions&) {
  std::string out = "{\"hosts\":[";
  for (const FolderHost& host : folder.hosts) {
    out += fmt::format(
        "{}{{\"host\":{},\"archives\":{},\"first\":\"{}\",\"last\":\"{}\",\"bytes\":{}}}",
        &host == folder.hosts.data() ? "" : ",", json_text(host.name), host.archives,
        iso_utc(host.span.first), iso_utc(host.span.last), host.bytes);
  }
  return out + "],\"left_out\":" + left_out_json(folder.left_out) + "}\n";
}

}  // namespace pmjit
