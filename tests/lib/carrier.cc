#include "tests/lib/carrier.h"

#include <algorithm>

#include "runtime/testing/recorded_archive.h"
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
  if (name == "two-threads") return by_two_threads(*std::move(archive));
  if (!file.tags.contains("grid")) return std::shared_ptr<const Recording>(*std::move(archive));
  const auto step = parse_duration(file.tag("grid", ""));
  if (!step) return fail(step.error());
  return on_grid(*std::move(archive), *step);
}

}  // namespace

Result<std::vector<Carrier>> carriers(const CaseFile& file, const CaseRecording& recording) {
  // Only archives are interpolated.
  const bool grid = file.tags.contains("grid");
  const std::vector<std::string> known =
      split_words(grid ? "archive-v2 archive-v3" : "memory archive-v2 archive-v3 two-threads");
  const std::string wanted = file.tag("carriers", "");
  std::vector<Carrier> all;
  for (const std::string& name : wanted.empty() ? known : split_words(wanted)) {
    if (std::ranges::find(known, name) == known.end()) {
      return fail(Fault::usage, "no such carrier: " + name);
    }
    if (name == "memory") {
      all.push_back({name, std::make_shared<MemorySource>(recording)});
    } else if (!recording.records.empty()) {
      auto source = archive_carrier(file, recording, name);
      if (!source) return fail(std::move(source).error().at("carrier", name));
      all.push_back({name, *std::move(source)});
    }
  }
  if (all.empty()) return fail(Fault::usage, "the tag `carriers` leaves nothing");
  return all;
}

}  // namespace pmjit::cases
