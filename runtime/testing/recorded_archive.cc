#include "runtime/testing/case_recording.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "runtime/archive/writer.h"

namespace pmjit::cases {
namespace {

// A value set as the writer wants it; the arrays behind its spans.
struct Packed {
  std::vector<int32_t> instances;
  std::vector<std::byte> values;
  std::vector<std::string> texts;
};

Packed pack(const CaseValueSet& set, Elem elem) {
  Packed packed;
  const size_t bytes = elem_bytes(elem);
  for (const CaseValue& value : set.values) {
    packed.instances.push_back(value.instance);
    if (elem == Elem::text) {
      packed.texts.push_back(value.text);
      continue;
    }
    const size_t at = packed.values.size();
    packed.values.resize(at + bytes);
    std::memcpy(packed.values.data() + at, &value.bits, bytes);
  }
  return packed;
}

void write_record(ArchiveWriter& writer, const CaseRecording& recording,
                  const SampleRecord& record) {
  std::vector<Packed> packed;
  for (const CaseValueSet& set : record.sets) {
    packed.push_back(pack(set, recording.metrics[set.metric].elem));
  }
  std::vector<WrittenSet> sets;
  for (size_t i = 0; i < packed.size(); ++i) {
    sets.push_back({.pmid = recording.metrics[record.sets[i].metric].desc.pmid,
                    .status = record.sets[i].status,
                    .instances = packed[i].instances,
                    .values = packed[i].values,
                    .texts = packed[i].texts});
  }
  writer.put(record.stamp, sets);
}

// The instance domain as it was at `when`.
void write_domain(ArchiveWriter& writer, const CaseDomain& domain, Stamp when) {
  std::vector<Catalog::Instance> instances;
  for (const Instance& instance : domain.instances_at(when)) {
    instances.push_back({instance.id, instance.name});
  }
  std::ranges::sort(instances, {}, &Catalog::Instance::id);
  writer.set_instances(domain.id, instances, when);
}

}  // namespace

Result<void> write_recording(const CaseRecording& recording, Version version,
                             ArchiveOutput& output) {
  for (const SampleRecord& record : recording.records) {
    if (std::ranges::any_of(record.sets, [](const CaseValueSet& set) { return set.status > 0; })) {
      return fail(Error(Fault::format, fmt::format("no archive holds that {} did not answer (`!!`)",
                                                   recording.host))
                      .help("leave the record out (`_`), or say `mark at TIME`"));
    }
  }
  const Stamp start = recording.records.empty() ? kEpoch : recording.records.front().stamp;
  ArchiveWriter writer({.version = version, .start = start, .host = recording.host}, output);
  for (const Metric& metric : recording.metrics) writer.add_metric(metric.name, metric.desc);
  for (const CaseDomain& domain : recording.domains) {
    write_domain(writer, domain, start);
    for (const Rename& rename : domain.renames) write_domain(writer, domain, rename.when);
  }
  for (const SampleRecord& record : recording.records) {
    if (record.mark)
      writer.mark(record.stamp);
    else
      write_record(writer, recording, record);
  }
  return writer.close();
}

Result<std::unique_ptr<Archive>> archive_of(const CaseRecording& recording, Version version) {
  ArchiveParts parts;
  const auto output = memory_output(parts);
  if (auto written = write_recording(recording, version, *output); !written) {
    return fail(written.error());
  }
  ArchiveFiles files{.name = "case"};
  for (auto& [part, bytes] : parts) {
    auto file = memory_file(std::move(bytes));
    if (part.number == kMetaVolume)
      files.meta = std::move(file);
    else if (part.number == kIndexVolume)
      files.index = std::move(file);
    else
      files.volumes.push_back({.number = part.number, .file = std::move(file)});
  }
  return Archive::open(std::move(files));
}

}  // namespace pmjit::cases
