#include "rules/cmd/folder_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "rules/cmd/common.h"
#include "runtime/base/near.h"

namespace pmjit {

bool is_file_entry(const std::filesystem::directory_entry& entry) {
  std::error_code unknown;
  return entry.is_regular_file(unknown) || (entry.is_symlink(unknown) && !entry.exists(unknown));
}

void PassedOver::tell(const std::string& folder) const {
  if (names_.empty()) return;
  std::vector<std::string> names = names_;
  std::ranges::sort(names);
  const bool one = names.size() == 1;
  const std::string_view kind = what_.empty() ? "folder" : "file";
  complain(fmt::format("note: {}: {} {}{}{} {} not {}: {}; {}", folder, names.size(), kind,
                       one ? "" : "s", what_.empty() ? "" : " " + what_, one ? "is" : "are", done_,
                       first_few_text(names), fmt::format(fmt::runtime(why_), folder)));
}

}  // namespace pmjit
