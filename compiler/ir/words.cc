#include "compiler/ir/words.h"

#include <algorithm>
#include <charconv>

#include "compiler/ir/numbers.h"

namespace pmjit {

bool Words::take(std::string_view text) {
  if (!next_is(text)) return false;
  at_ += text.size();
  return true;
}

std::string_view Words::word() {
  const std::string_view word = rest().substr(0, rest().find(' '));
  at_ += word.size();
  return word;
}

std::optional<uint32_t> Words::number() {
  const size_t digits = std::min(rest().find_first_not_of("0123456789"), rest().size());
  const auto value = u32_from_text(rest().substr(0, digits));
  if (value) at_ += digits;
  return value;
}

std::optional<std::string> Words::name() {
  if (!next_is("\"")) {
    const std::string_view plain = word();
    return plain.empty() ? std::nullopt : std::optional<std::string>(plain);
  }
  std::string out;
  for (size_t i = at_ + 1; i < line_.size(); ++i) {
    const char c = line_[i];
    if (c == '"') {
      at_ = i + 1;
      return out;
    }
    if (c != '\\') {
      out += c;
      continue;
    }
    unsigned char byte = 0;
    const char* hex = line_.data() + i + 2;
    if (i + 4 > line_.size() || line_[i + 1] != 'x') return std::nullopt;
    const auto [stop, error] = std::from_chars(hex, hex + 2, byte, 16);
    if (error != std::errc{} || stop != hex + 2) return std::nullopt;
    out += static_cast<char>(byte);
    i += 3;
  }
  return std::nullopt;
}

std::string_view Words::before_axes() {
  size_t end = rest().size();
  for (const std::string_view axis : {" over ", " hosts ", " window "}) {
    end = std::min(end, rest().find(axis));
  }
  const std::string_view text = rest().substr(0, end);
  at_ += end;
  return text;
}

}  // namespace pmjit
