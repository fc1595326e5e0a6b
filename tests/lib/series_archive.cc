// series_archive FOLDER < CASE: the metrics and samples of a case as archives FOLDER/HOST, one a
// host. Their names go to standard output, in the order in which the samples name the hosts.
#include <fmt/core.h>

#include <iostream>
#include <iterator>

#include "runtime/testing/case_recording.h"

namespace pmjit::cases {

namespace {

Result<void> write_hosts(const std::string& folder, std::string_view text) {
  const auto file = parse_case("standard input", text);
  if (!file) return fail(file.error());
  const auto recordings = read_recordings(file->find("metrics"), file->find("samples"));
  if (!recordings) return fail(recordings.error());
  for (const CaseRecording& recording : *recordings) {
    const std::string base = fmt::format("{}/{}", folder, recording.host);
    const auto output = file_output(base);
    if (auto done = write_recording(recording, Version::v3, *output); !done) return done;
    fmt::print("{}\n", base);
  }
  return {};
}

}  // namespace

}  // namespace pmjit::cases

int main(int argc, char** argv) {
  if (argc != 2) {
    fmt::print(stderr, "usage: series_archive FOLDER < CASE\n");
    return 2;
  }
  const std::string text(std::istreambuf_iterator<char>(std::cin), {});
  const auto done = pmjit::cases::write_hosts(argv[1], text);
  if (done) return 0;
  fmt::print(stderr, "series_archive: {}\n", done.error().text());
  return 2;
}
