// Paint: colours of text for people: headings, and values that are unknown. Where nobody wants
// colours it is empty, and text stays as it is. It is put on when text has its width.
#pragma once

#include <string>
#include <string_view>

namespace pmjit {

struct Paint {
  std::string_view heading = {}, unknown = {}, plain = {};  // sequences of the terminal

  [[nodiscard]] std::string as_heading(std::string_view text) const { return in(heading, text); }
  [[nodiscard]] std::string as_unknown(std::string_view text) const { return in(unknown, text); }

 private:
  [[nodiscard]] std::string in(std::string_view color, std::string_view text) const {
    if (color.empty() || text.empty()) return std::string(text);
    return std::string(color) + std::string(text) + std::string(plain);
  }
};

}  // namespace pmjit
