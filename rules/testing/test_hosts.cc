#include "rules/testing/test_hosts.h"

#include <fmt/format.h>

#include <algorithm>

#include "runtime/testing/recorded_archive.h"

namespace pmjit {

Result<TestHosts> hosts_of(const RuleTest& test) {
  const auto recordings = cases::read_recordings(test.metrics, test.samples);
  if (!recordings) return fail(recordings.error());
  TestHosts out;
  for (const cases::CaseRecording& recording : *recordings) {
    if (recording.records.empty()) {
      return fail(Fault::format, fmt::format("there are no samples of {}", recording.host));
    }
    auto archive = cases::archive_of(recording, Version::v3);
    if (!archive) return fail(archive.error());
    std::vector<std::unique_ptr<Archive>> one;
    one.push_back(*std::move(archive));
    auto archives = Archives::of(std::move(one));
    if (!archives) return fail(archives.error());
    out.hosts.push_back({.name = recording.host, .archives = *std::move(archives)});
    out.first = std::min(out.first, recording.records.front().stamp);
    out.last = std::max(out.last, recording.records.back().stamp);
  }
  return out;
}

}  // namespace pmjit
