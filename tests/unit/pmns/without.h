// Where the reference was in its folder, we are not: places are named without it.
#pragma once

#include <string>

namespace pmjit::test {

inline std::string without(std::string text, const std::string& folder) {
  for (size_t at = text.find(folder); at != std::string::npos; at = text.find(folder)) {
    text.erase(at, folder.size());
  }
  return text;
}

}  // namespace pmjit::test
