// pmjit explain D02: what a message means and how to get rid of it. pmjit explain codes: all codes.
#include <fmt/core.h>

#include <algorithm>

#include "rules/cmd/common.h"
#include "rules/cmd/verbs.h"
#include "rules/code_pages/code_pages.h"
#include "runtime/base/near.h"

namespace pmjit {

namespace {

Error no_such_code(const std::string& code) {
  const std::string near = near_names_text(near_codes(code));
  return Error(Fault::usage, fmt::format("no code {}{}", code, near.empty() ? "" : "; " + near))
      .help("pmjit explain codes lists all codes");
}

int list_codes() {
  fmt::print("{}", list_of_codes());
  return kExitOk;
}

}  // namespace

bool are_codes(const std::vector<std::string>& words) {
  return !words.empty() && std::ranges::all_of(words, looks_like_code);
}

int explain_codes(const std::vector<std::string>& codes) {
  int status = kExitOk;
  bool first = true;
  for (const std::string& code : codes) {
    const CodePage* const page = find_code_page(code);
    if (page == nullptr) {
      complain(no_such_code(code).text());
      status = kExitErrors;
      continue;
    }
    fmt::print("{}{}", first ? "" : "\n", page_for_terminal(*page));
    first = false;
  }
  return status;
}

Command explain_codes_command() {
  return {
      .name = "codes",
      .what = "list the codes of all messages",
      .run = list_codes,
      .examples = {"pmjit explain codes", "pmjit explain D02 P17"},
  };
}

}  // namespace pmjit
