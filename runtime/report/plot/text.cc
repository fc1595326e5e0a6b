#include "runtime/report/plot/text.h"

#include <fmt/format.h>

#include "runtime/report/text/human_text.h"
#include "runtime/report/text/utf8.h"

namespace pmjit {

namespace {

constexpr double kColumn = 0.58;  // of the font's size: a letter of a sans-serif one, on average

bool is_xml(uint32_t code) {
  if (code < 0x20) return code == '\t' || code == '\n';
  return (code < 0x7f || code > 0x9f) && code != 0xfffe && code != 0xffff;
}

}  // namespace

std::string xml_safe(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const Utf8Char c = first_char(text);
    out += c.valid && is_xml(c.code) ? text.substr(0, c.bytes) : "\xef\xbf\xbd";
    text.remove_prefix(c.bytes);
  }
  return out;
}

std::string xml_text(std::string_view text) {
  std::string out;
  for (const char c : xml_safe(text)) {
    if (c == '<' || c == '>' || c == '&' || c == '"' || c == '\'') {
      fmt::format_to(std::back_inserter(out), "&#{};", int{c});
    } else {
      out += c;
    }
  }
  return out;
}

double text_width(std::string_view text, double size) {
  return static_cast<double>(display_width(text)) * size * kColumn;
}

std::string fitted(std::string_view text, double width, double size) {
  return fit(text, width <= 0 ? 0 : static_cast<size_t>(width / (size * kColumn)));
}

}  // namespace pmjit
