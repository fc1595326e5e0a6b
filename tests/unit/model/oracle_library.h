// The real client library, opened at run time where PMJIT_ORACLE=1, to be asked what our functions
// are asked. Nothing of it is linked; the declarations are those of spec pmapi.md §3.
#pragma once

#include <dlfcn.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/base/sanitized.h"
#include "runtime/text/print_value.h"
#include "tests/unit/model/stored_value.h"

namespace pmjit::oracle {

inline constexpr int kRounds = kSanitized ? 2'000 : 20'000;  // random inputs of a test

union CAtom {
  uint64_t u64;
  int64_t i64;
  uint32_t u32;
  int32_t i32;
  float f32;
  double f64;
  char* text;
};
struct CValue {
  int32_t instance;
  union {
    void* block;
    int32_t word;
  };
};
struct CValueSet {
  uint32_t pmid;
  int32_t count, format;
  CValue values[1];
};
struct CResult {  // timeval or timespec: two 64-bit integers in either
  int64_t sec, fraction;
  int32_t count;
  CValueSet* sets[1];
};
struct CMetricSpec {
  int32_t kind;
  char *source, *metric;
  int32_t count;
  char* instances[1];
};

// A value laid out as the library has it; behind the block there is room, for it reads too far at
// times.
class CStored {
 public:
  explicit CStored(const StoredValue& from) {
    constexpr size_t kRoom = 4096;
    block_.resize(4 + from.bytes.size() + kRoom);
    const auto head = static_cast<uint32_t>((from.bytes.size() + 4) | uint32_t{from.type} << 24);
    std::memcpy(block_.data(), &head, sizeof head);
    std::copy(from.bytes.begin(), from.bytes.end(), block_.begin() + 4);
    value.instance = -1;
    value.block = block_.data();
    if (from.format == ValueFormat::in_place) value.word = static_cast<int32_t>(from.value().word);
  }
  CValue value{};

 private:
  std::vector<std::byte> block_;
};

template <class Signature>
Signature* function(const char* name) {
  static void* library = dlopen("libpcp.so.3", RTLD_NOW | RTLD_LOCAL);
  void* found = library != nullptr ? dlsym(library, name) : nullptr;
  EXPECT_NE(found, nullptr) << name << ": "
                            << (library != nullptr ? "not in libpcp.so.3" : dlerror());
  if (found == nullptr) std::exit(1);
  return reinterpret_cast<Signature*>(found);
}

// What pmPrintValue prints for it, and what ours does.
inline void expect_printed_alike(const StoredValue& from, int type, int width) {
  static auto* print = function<void(FILE*, int, int, const CValue*, int)>("pmPrintValue");
  static Zone utc("UTC");
  char* text = nullptr;
  size_t size = 0;
  FILE* file = open_memstream(&text, &size);
  const CStored theirs(from);
  print(file, static_cast<int>(from.format), type, &theirs.value, width);
  std::fclose(file);
  std::string ours;
  append_value(ours, from.format, type, from.value(), {.min_width = width, .zone = utc});
  EXPECT_EQ(ours, std::string(text, size)) << "type " << type << " width " << width;
  std::free(text);
}

// A comparison with the library: skipped without PMJIT_ORACLE=1. $PMJIT_SEED is 1 if not set; a
// number repeats a run, "random" makes another.
class OracleTest : public testing::Test {
 protected:
  void SetUp() override {
    const char* wanted = std::getenv("PMJIT_ORACLE");
    if (wanted == nullptr || std::string_view(wanted) != "1")
      GTEST_SKIP() << "PMJIT_ORACLE is not 1";
    setenv("TZ", "UTC", 1);
    const char* seed = std::getenv("PMJIT_SEED");
    const std::string_view wish = seed != nullptr ? seed : "1";
    seed_ = wish == "random" ? std::random_device()() : std::stoul(std::string(wish));
    random_.seed(seed_);
    trace_.emplace(__FILE__, __LINE__, "PMJIT_SEED=" + std::to_string(seed_));
  }

  int64_t between(int64_t least, int64_t most) {
    return std::uniform_int_distribution<int64_t>(least, most)(random_);
  }
  bool once_in(int times) { return between(1, times) == 1; }
  uint64_t bits() { return random_(); }
  uint64_t short_bits() { return bits() >> between(0, 63); }  // of any length
  template <class T, size_t N>
  const T& one_of(const T (&list)[N]) {
    return list[static_cast<size_t>(between(0, N - 1))];
  }
  template <size_t N>
  std::string text_of(const std::string_view (&parts)[N], int most) {
    std::string out;
    for (auto left = between(0, most); left > 0; --left) out += one_of(parts);
    return out;
  }

 private:
  uint64_t seed_ = 0;
  std::mt19937_64 random_;
  std::optional<testing::ScopedTrace> trace_;
};

}  // namespace pmjit::oracle
