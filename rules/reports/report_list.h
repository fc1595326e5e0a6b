// Which reports there are: those that come with pmjit, which the build embeds, and the user's own
// in $XDG_CONFIG_HOME/pmjit/reports (~/.config/pmjit/reports). One of the user's takes the place of
// ours of the same name.
//
//   const auto report = find_report("vmstat");   // a name
//   const auto report = find_report("./mine.toml");   // a path
#pragma once

#include <string>
#include <vector>

#include "compiler/diag/diag.h"
#include "runtime/base/result.h"

namespace pmjit {

struct ListedReport {
  std::string name;  // "vmstat"
  std::string path;  // empty: it comes with pmjit
};

// By name.
[[nodiscard]] std::vector<ListedReport> listed_reports();
// Where the user's own are looked for; empty: nowhere, for there is no home.
[[nodiscard]] std::string user_report_folder();

// A path has a slash or ends in .toml; `read` reads a file, and says what is wrong where it cannot.
using ReadReport = Result<std::string> (*)(const std::string& path);
struct FoundReport {
  SourceText file;
  bool is_own = false;  // the user's
};
[[nodiscard]] Result<FoundReport> find_report(const std::string& word, ReadReport read);

}  // namespace pmjit
