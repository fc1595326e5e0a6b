#include "runtime/base/pattern.h"

#include <regex.h>

#include "runtime/base/result.h"

namespace pmjit {

struct Pattern::Compiled {
  explicit Compiled(const std::string& text) {
    check(regcomp(&regex, text.c_str(), REG_EXTENDED | REG_NOSUB) == 0,
          "a pattern that the parser accepted does not compile");
  }
  ~Compiled() { regfree(&regex); }
  Compiled(const Compiled&) = delete;
  Compiled& operator=(const Compiled&) = delete;
  regex_t regex{};
};

Pattern::Pattern(const std::string& text) : compiled_(std::make_shared<const Compiled>(text)) {}

bool Pattern::matches(const std::string& text) const {
  return regexec(&compiled_->regex, text.c_str(), 0, nullptr, 0) == 0;
}

}  // namespace pmjit
