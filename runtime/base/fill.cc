#include "runtime/base/fill.h"

#include "runtime/base/result.h"

namespace pmjit {

std::string fill(std::string_view text, const std::vector<std::string>& args) {
  std::string out;
  size_t used = 0;
  for (size_t at = text.find("{}"); at != text.npos; at = text.find("{}")) {
    check(used < args.size(), "a text has fewer arguments than it asks for");
    out.append(text.substr(0, at)).append(args[used++]);
    text.remove_prefix(at + 2);
  }
  check(used == args.size(), "a text has more arguments than it asks for");
  return out.append(text);
}

}  // namespace pmjit
