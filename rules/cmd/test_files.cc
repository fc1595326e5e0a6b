#include "rules/cmd/test_files.h"

#include <algorithm>
#include <filesystem>
#include <set>

#include "rules/testing/test_file.h"
#include "runtime/testing/case_file.h"

namespace pmjit {

namespace {

namespace fs = std::filesystem;

std::unexpected<Error> cannot_read(const std::string& path, const std::error_code& why) {
  return fail(Error(Fault::io, why.message()).at("file", path));
}

Result<std::vector<std::string>> cases_in(const std::string& folder) {
  std::vector<std::string> out;
  std::error_code why;
  auto entry = fs::recursive_directory_iterator(folder, why);
  for (; !why && entry != fs::recursive_directory_iterator(); entry.increment(why)) {
    if (entry->path().extension() == ".case") out.push_back(entry->path().string());
  }
  if (why) return cannot_read(folder, why);
  std::ranges::sort(out);
  return out;
}

Result<std::vector<TestText>> tests_in(const std::string& folder) {
  const auto paths = cases_in(folder);
  if (!paths) return fail(paths.error());
  std::vector<TestText> out;
  for (const std::string& path : *paths) {
    auto text = cases::read_text_file(path);
    if (!text) return fail(text.error());
    if (is_rule_test(*text)) out.push_back({.path = path, .text = *std::move(text)});
  }
  if (out.empty()) {
    return fail(Error(Fault::not_found, "no tests of rules in it")
                    .help("a test is a file NAME.case with a line `#: run: rules`")
                    .at("folder", folder));
  }
  return out;
}

Result<std::vector<TestText>> tests_at(const std::string& path) {
  std::error_code why;
  const auto status = fs::status(path, why);
  if (!fs::exists(status)) {
    return cannot_read(path,
                       why ? why : std::make_error_code(std::errc::no_such_file_or_directory));
  }
  if (fs::is_directory(status)) return tests_in(path);
  auto text = cases::read_text_file(path);
  if (!text) return fail(text.error());
  return std::vector<TestText>{{.path = path, .text = *std::move(text)}};
}

}  // namespace

Result<std::vector<TestText>> find_rule_tests(const std::vector<std::string>& paths) {
  std::vector<TestText> out;
  std::set<std::string> taken;
  for (const std::string& path : paths) {
    auto found = tests_at(path);
    if (!found) return fail(found.error());
    for (TestText& test : *found) {
      if (taken.insert(fs::path(test.path).lexically_normal()).second) {
        out.push_back(std::move(test));
      }
    }
  }
  return out;
}

}  // namespace pmjit
