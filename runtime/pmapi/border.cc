#include "runtime/pmapi/border.h"

#include <algorithm>

namespace pmjit {

char** give_texts(std::span<const std::string> texts) {
  size_t bytes = texts.size() * sizeof(char*);
  for (const std::string& text : texts) bytes += text.size() + 1;
  auto** out = static_cast<char**>(give_bytes(bytes));
  char* to = reinterpret_cast<char*>(out + texts.size());
  for (size_t i = 0; i < texts.size(); ++i) {
    out[i] = to;
    std::memcpy(to, texts[i].c_str(), texts[i].size() + 1);
    to += texts[i].size() + 1;
  }
  return out;
}

char* put_text(std::string_view text, char* buffer, int bytes) {
  if (buffer == nullptr || bytes < 1) return nullptr;
  const size_t fits = std::min(text.size(), static_cast<size_t>(bytes) - 1);
  std::memcpy(buffer, text.data(), fits);
  buffer[fits] = '\0';
  return buffer;
}

}  // namespace pmjit
