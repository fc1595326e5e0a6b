// write_recordings FILE FOLDER: what the tests of rules in FILE have recorded, as archives that
// other programs can read: FOLDER/N/HOST of test N. On standard output a line a test: N, and its
// hosts in the order in which the test names them, with blanks between.
#include <fmt/core.h>

#include <filesystem>

#include "rules/testing/test_file.h"
#include "runtime/testing/case_recording.h"

namespace {

using namespace pmjit;

Result<void> write_test(const RuleTest& test, size_t number, const std::filesystem::path& folder) {
  const auto recordings = cases::read_recordings(test.metrics, test.samples);
  if (!recordings) return fail(recordings.error());
  const auto to = folder / std::to_string(number);
  std::filesystem::create_directories(to);
  fmt::print("{}", number);
  for (const cases::CaseRecording& recording : *recordings) {
    const auto output = file_output((to / recording.host).string());
    if (auto done = cases::write_recording(recording, Version::v3, *output); !done) return done;
    fmt::print(" {}", recording.host);
  }
  fmt::print("\n");
  return {};
}

Result<void> write_tests(const std::string& path, const std::filesystem::path& folder) {
  const auto text = cases::read_text_file(path);
  if (!text) return fail(text.error());
  const auto file = read_rule_tests(path, *text);
  if (!file) return fail(file.error());
  for (size_t i = 0; i < file->tests.size(); ++i) {
    if (auto done = write_test(file->tests[i], i, folder); !done) return done;
  }
  return {};
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    fmt::print(stderr, "usage: write_recordings FILE FOLDER\n");
    return 2;
  }
  const auto done = write_tests(argv[1], argv[2]);
  if (!done) fmt::print(stderr, "write_recordings: {}\n", done.error().text());
  return done ? 0 : 1;
}
