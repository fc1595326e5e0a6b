// The fuzz target that must fail: five right bytes in a row read past the end of an array. If
// tests/fuzz/run does not find this within seconds, then the fuzzers do not work and their silence
// means nothing.

#include <cstddef>
#include <cstdint>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size) {
  constexpr std::string_view kSecret = "pmjit";
  if (size < kSecret.size()) return 0;
  size_t matched = 0;
  while (matched < kSecret.size() && bytes[matched] == static_cast<uint8_t>(kSecret[matched])) {
    ++matched;
  }
  const auto* copy = new uint8_t[kSecret.size()]{};
  const int planted = copy[matched];
  delete[] copy;
  return planted;
}
