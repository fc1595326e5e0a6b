#include "tests/lib/carrier.h"

#include <algorithm>

#include "tests/lib/archive_carrier.h"
#include "tests/lib/memory_source.h"

namespace pmjit::cases {

Result<std::vector<Carrier>> carriers(const CaseFile& file, const Recording& recording) {
  const std::vector<std::string> wanted =
      split_words(file.tag("carriers", "memory archive-v2 archive-v3 two-threads"));
  std::vector<Carrier> all;
  for (const std::string& name : wanted) {
    if (name == "memory") {
      all.push_back({name, std::make_shared<MemorySource>(recording)});
      continue;
    }
    const bool threads = name == "two-threads";
    if (!threads && name != "archive-v2" && name != "archive-v3") {
      return fail(Fault::usage, "no such carrier: " + name);
    }
    // An archive has at least one record.
    if (recording.records.empty()) continue;
    auto archive = archive_of(recording, name == "archive-v2" ? Version::v2 : Version::v3);
    if (!archive) return fail(std::move(archive).error().at("carrier", name));
    all.push_back({name, threads ? by_two_threads(*std::move(archive)) : *std::move(archive)});
  }
  if (all.empty()) return fail(Fault::usage, "the tag `carriers` leaves nothing");
  return all;
}

}  // namespace pmjit::cases
