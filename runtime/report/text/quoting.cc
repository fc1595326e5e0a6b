#include <fmt/format.h>

#include <iterator>

#include "runtime/report/text/quoting.h"

namespace pmjit {

std::string json_text(std::string_view text) {
  std::string out = "\"";
  while (!text.empty()) {
    const Utf8Char c = first_char(text);
    if (!c.valid) {
      out += "\xef\xbf\xbd";
    } else if (c.code == '"' || c.code == '\\') {
      out += '\\', out += static_cast<char>(c.code);
    } else if (c.code == '\n') {
      out += "\\n";
    } else if (c.code == '\t') {
      out += "\\t";
    } else if (c.code < 0x20 || c.code == 0x7f) {
      fmt::format_to(std::back_inserter(out), "\\u{:04x}", c.code);
    } else {
      out += text.substr(0, c.bytes);
    }
    text.remove_prefix(c.bytes);
  }
  return out += '"';
}

}  // namespace pmjit
