// CaseRecording: the `metrics` and `samples` of a case as records in time order, ready for any
// carrier.
//
//   --- metrics
//   disk.read   u64 counter count          indom=disk[sda sdb:7 "a b":9]   # identifiers 0, 7, 9
//   mem.free    u32 instant Kbyte
//   --- samples every 10s
//   disk.read[sda]  0+10x3  _  5           # 0 10 20 30, absent at 40 s, 5
//   disk.read[sdb]  from 20ms: 1 2 3       # its own records, 20 ms after each tick
//   mem.free        at 0s 25s: 1 2         # its own times
//   mark            at 12s
//   rename          disk[sda] sdx at 20s   # from then on identifier 0 has another name
//   disk.read[#4]   1 2 3                  # of identifier 4, which has no name
//   web1 mem.free   7 8                    # of one host of several; `web1 mark at 12s` too
//
// Values of one stamp share one record; two lines of one instance deliver it twice. `_`: the record
// has no such value (no value at all: it does not carry the metric); `-`: the value set is there,
// without this instance; `!`: an error code stands for the value set; `!!`: the host did not
// answer.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/archive/archive.h"
#include "runtime/archive/writer.h"
#include "runtime/base/result.h"
#include "runtime/model/desc.h"
#include "runtime/model/stamp.h"
#include "runtime/testing/case_file.h"

namespace pmjit::cases {

inline constexpr Stamp kEpoch{1'700'000'000, 0};               // 0 s of every case
inline constexpr std::string_view kUnnamedHost = "localhost";  // where samples name none
inline constexpr int32_t kErrorCode = -12387;                  // `!`: PM_ERR_AGAIN

struct Instance {
  int32_t id;
  std::string name;
};

struct Rename {
  Stamp when;
  Instance instance;  // with its name from then on
};

struct CaseDomain {
  std::string name;
  InDomId id = kNullId;
  std::vector<Instance> instances;  // in the order of the case, which is the order of delivery
  std::vector<Rename> renames;      // by time

  [[nodiscard]] std::vector<Instance> instances_at(Stamp when) const;
};

struct Metric {
  std::string name;
  Desc desc;
  Elem elem = Elem::f64;
};

struct CaseValue {
  int32_t instance = kSingular;
  uint64_t bits = 0;  // of the metric's element type
  std::string text;   // Elem::text
  uint32_t line = 0;  // of the file; 0: none
};

struct CaseValueSet {
  size_t metric = 0;  // in CaseRecording::metrics
  int32_t status = 0;
  std::vector<CaseValue> values;
};

struct SampleRecord {
  Stamp stamp;
  bool mark = false;
  std::vector<CaseValueSet> sets;
};

struct CaseRecording {
  std::string host{kUnnamedHost};
  std::vector<CaseDomain> domains;
  std::vector<Metric> metrics;
  std::vector<SampleRecord> records;  // by stamp

  [[nodiscard]] const CaseDomain* domain(InDomId id) const;
  [[nodiscard]] const Metric* metric(std::string_view name) const;
};

// One a host, in the order in which the samples name them; one at least. Null: there is no such
// section.
Result<std::vector<CaseRecording>> read_recordings(const Section* metrics, const Section* samples);
// Of all hosts; without samples it is one without records.
Result<std::vector<CaseRecording>> read_recordings_of(const CaseFile& file);
// Of one host. A case without samples has no records; without metrics it has nothing at all.
Result<CaseRecording> read_recording(const CaseFile& file);

// "10s", "20ms", "2min", "0.5s"; negative too.
Result<Nanos> parse_duration(std::string_view text);
std::string time_text(Stamp time);  // "10s", "0.02s" since kEpoch

// Series notation: what follows a metric on a line of `samples`.

// "5", "0+10x3" (0 10 20 30), "_", "-", "!" as single tokens; at most kSeriesMax of them.
inline constexpr size_t kSeriesMax = 100'000;
Result<std::vector<std::string>> expand_series(const std::vector<std::string>& words);

// The bits of a number of this type. Numbers that do not fit the type are refused.
Result<uint64_t> parse_value(std::string_view text, Elem elem);
// The number or text of these bits, as cases write it.
std::string value_text(uint64_t bits, Elem elem);

// A recording written as an archive; and opened again, in memory.
[[nodiscard]] Result<void> write_recording(const CaseRecording& recording, Version version,
                                           ArchiveOutput& output);
// Of a recording that has records.
Result<std::unique_ptr<Archive>> archive_of(const CaseRecording& recording, Version version);

}  // namespace pmjit::cases
