// What pmdumplog was asked for, and what its sections share. A section is a function of a file of
// its own: it prints its part of one archive. Source: spec tools.md §2.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "runtime/archive/format/label.h"
#include "runtime/archive/recording/archives.h"
#include "runtime/cmd/output.h"
#include "runtime/model/stamp.h"
#include "runtime/text/zone.h"

namespace pmjit {

// StampText: times as pmdumplog prints them, short or with the date (-x), the seconds since the
// label's start (-xx), the seconds of the epoch too (-xxx). Source: spec tools.md §2.4.
class StampText {
 public:
  StampText(Version version, int detail, Stamp label_start, Zone zone)
      : fraction_(version == Version::v2 ? Fraction::micro : Fraction::nano),
        detail_(detail),
        label_start_(label_start),
        zone_(std::move(zone)) {}

  [[nodiscard]] std::string operator()(Stamp stamp);
  // Of event records: microseconds always, and never the epoch.
  [[nodiscard]] std::string of_event(Stamp stamp);
  // Whatever -x says.
  [[nodiscard]] std::string clock(Stamp stamp) { return time_of_day(stamp, fraction_, zone_); }
  [[nodiscard]] std::string date(Stamp stamp) { return date_and_time(stamp, fraction_, zone_); }

  [[nodiscard]] int detail() const { return detail_; }
  [[nodiscard]] Zone& zone() { return zone_; }

 private:
  [[nodiscard]] std::string text(Stamp stamp, Fraction fraction);

  Fraction fraction_;
  int detail_;
  Stamp label_start_;
  Zone zone_;
};

struct DumpRequest {
  bool label = false, long_label = false, descs = false, label_sets = false, texts = false;
  bool disk_indoms = false, indoms = false, index = false, records = false;  // the sections
  bool marks = false, sizes = false, reverse = false;                        // of records
  int stamp_detail = 0;                                                      // number of -x
  std::optional<std::string> raw_file{};                                     // -v

  [[nodiscard]] bool any_section() const {
    return label || descs || label_sets || texts || disk_indoms || indoms || index || records;
  }
};

struct Dump {
  const DumpRequest& request;
  const Archives& archives;
  StampText stamps;
  ToolOutput& out;
  Messages& messages;

  [[nodiscard]] const Archive& archive() const { return archives[0]; }
  [[nodiscard]] const Metadata& metadata() const { return archives.metadata(); }
};

// The part of the recording whose records are printed.
struct DumpWindow {
  Stamp start{}, end = kStampMax;
  bool ends = false;  // -S or -T: else up to the last record, whatever its time
};

[[nodiscard]] int dump_raw(const std::string& path, ToolOutput& out, Messages& messages);
void dump_label(Dump& dump, std::optional<Stamp> end);
void dump_descs(Dump& dump);
void dump_label_sets(Dump& dump);
void dump_texts(Dump& dump);
void dump_disk_indoms(Dump& dump);
void dump_indoms(Dump& dump);
void dump_index(Dump& dump);
// The records that carry one of `metrics` (none: all records). False: reading stopped at damage; it
// is told.
[[nodiscard]] bool dump_records(Dump& dump, const std::vector<PmId>& metrics,
                                const DumpWindow& window);

}  // namespace pmjit
