#include "tests/lib/carrier.h"

#include <algorithm>
#include <optional>

#include "compiler/driver/hosts.h"
#include "runtime/model/hosts.h"
#include "runtime/testing/case_recording.h"
#include "tests/lib/archive_carrier.h"
#include "tests/lib/memory_source.h"

namespace pmjit::cases {
namespace {

// Of a recording that has records: an archive has one at least.
Result<std::shared_ptr<const Recording>> archive_carrier(const CaseFile& file,
                                                         const CaseRecording& recording,
                                                         const std::string& name) {
  auto archive = archive_of(recording, name == "archive-v2" ? Version::v2 : Version::v3);
  if (!archive) return fail(archive.error());
  const bool two_threads = name == "two-threads";
  if (!file.tags.contains("grid")) {
    if (two_threads) return by_two_threads(*std::move(archive));
    return std::shared_ptr<const Recording>(*std::move(archive));
  }
  const auto step = parse_duration(file.tag("grid", ""));
  if (!step) return fail(step.error());
  return on_grid(*std::move(archive), *step,
                 two_threads ? GridReading::by_two_threads : GridReading::by_itself);
}

Result<std::shared_ptr<const Recording>> of_one_host(const CaseFile& file,
                                                     const CaseRecording& recording,
                                                     const std::string& name) {
  if (name == "memory") {
    return std::shared_ptr<const Recording>(std::make_shared<MemorySource>(recording));
  }
  return archive_carrier(file, recording, name);
}

Carrier of_hosts(const std::string& name, const std::vector<CaseRecording>& recordings,
                 std::vector<std::shared_ptr<const Recording>> sources,
                 const std::optional<FeedTimes>& grid) {
  if (sources.size() == 1) return {name, sources[0]};
  struct Shared {
    Shared(std::vector<std::shared_ptr<const Recording>> of_hosts,
           std::vector<HostsRecording::Part> parts, const std::optional<FeedTimes>& grid)
        : sources(std::move(of_hosts)), all(std::move(parts), {.grid = grid}) {}
    std::vector<std::shared_ptr<const Recording>> sources;
    HostsRecording all;
  };
  std::vector<HostsRecording::Part> parts;
  for (size_t i = 0; i < sources.size(); ++i) {
    parts.push_back({.name = recordings[i].host, .recording = sources[i].get()});
  }
  const auto shared = std::make_shared<Shared>(std::move(sources), std::move(parts), grid);
  return {name, std::shared_ptr<const Recording>(shared, &shared->all), &shared->all.catalog()};
}

}  // namespace

Carrier memory_carrier(const std::vector<CaseRecording>& recordings) {
  std::vector<std::shared_ptr<const Recording>> sources;
  for (const CaseRecording& recording : recordings) {
    sources.push_back(std::make_shared<MemorySource>(recording));
  }
  return of_hosts("memory", recordings, std::move(sources), {});
}

Compilation compile_for(const Carrier& carrier, const CompileInput& input,
                        const CompileOptions& options) {
  if (carrier.hosts != nullptr) return compile_hosts(input, *carrier.hosts, options);
  return compile(input, carrier.source->catalog(), options);
}

Result<std::vector<Carrier>> carriers(const CaseFile& file,
                                      const std::vector<CaseRecording>& recordings) {
  // Only archives are interpolated.
  const bool grid = file.tags.contains("grid");
  const std::vector<std::string> known = split_words(
      grid ? "archive-v2 archive-v3 two-threads" : "memory archive-v2 archive-v3 two-threads");
  const std::string wanted = file.tag("carriers", "");
  const bool empty = std::ranges::any_of(
      recordings, [](const CaseRecording& recording) { return recording.records.empty(); });
  std::optional<FeedTimes> times;
  if (grid) {
    const auto step = parse_duration(file.tag("grid", ""));
    if (!step) return fail(step.error());
    times = {.origin = kEpoch, .step = *step};
  }
  std::vector<Carrier> all;
  for (const std::string& name : wanted.empty() ? known : split_words(wanted)) {
    if (std::ranges::find(known, name) == known.end()) {
      return fail(Fault::usage, "no such carrier: " + name);
    }
    if (name != "memory" && empty) continue;
    std::vector<std::shared_ptr<const Recording>> sources;
    for (const CaseRecording& recording : recordings) {
      auto source = of_one_host(file, recording, name);
      if (!source) return fail(std::move(source).error().at("carrier", name));
      sources.push_back(*std::move(source));
    }
    all.push_back(of_hosts(name, recordings, std::move(sources), times));
  }
  if (all.empty()) return fail(Fault::usage, "the tag `carriers` leaves nothing");
  return all;
}

}  // namespace pmjit::cases
