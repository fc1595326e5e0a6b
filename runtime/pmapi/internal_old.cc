// Names with `__` that the Guide and the manual pages still have, and that sources of old link
// with.
#include <climits>

#include "runtime/pmapi/internal.h"

using namespace pmjit;

namespace {

struct timespec fine_time(const struct timeval& time) {
  return {.tv_sec = time.tv_sec, .tv_nsec = time.tv_usec * 1'000};
}

// Bit n is the flag with number n; -1 is unknown.
int bit_of_flag(std::string_view name) {
  static constexpr const char* kNames[] = {
#define DEBUG_FLAGS(...) __VA_ARGS__
#include "runtime/text/debug_flags.def"
#undef DEBUG_FLAGS
  };
  for (size_t i = 0; i < std::size(kNames); ++i) {
    if (strcasecmp(std::string(name).c_str(), kNames[i]) == 0) return static_cast<int>(i);
  }
  return -1;
}

}  // namespace

void __pmtimevalSleep(struct timeval time) { __pmtimespecSleep(fine_time(time)); }
void __pmtimevalPause(struct timeval time) { __pmtimespecPause(fine_time(time)); }

int __pmSetProgname(const char* name) {
  pmSetProgname(name);
  return 0;
}

// What it knows it sets, too.
int __pmParseDebug(const char* spec) {
  if (pmDebugOptions.deprecated != 0) {
    std::fputs("Warning: deprecated __pmParseDebug() called\n", stderr);
  }
  if (spec == nullptr) return PM_ERR_CONV;
  return at_c_border([&] {
    unsigned out = 0;
    for (std::string_view rest = spec; !rest.empty();) {
      const size_t comma = std::min(rest.find(','), rest.size());
      const std::string word(rest.substr(0, comma));
      rest.remove_prefix(std::min(comma + 1, rest.size()));
      char* end = nullptr;
      const long number = std::strtol(word.c_str(), &end, 10);
      const bool is_number = *end == '\0' && end != word.c_str();
      if (strcasecmp(word.c_str(), "all") == 0 || (is_number && number == -1)) {
        (void)pmSetDebug("all");
        return INT_MAX;
      }
      if (is_number) {
        __pmSetDebugBits(static_cast<int>(number));
        out |= static_cast<unsigned>(number);
      } else if (const int bit = bit_of_flag(word); bit < 0) {
        return PM_ERR_CONV;
      } else {
        (void)pmSetDebug(word.c_str());
        // The last one that has a bit, desperate, has bit 30.
        if (bit <= 28) out |= 1U << (bit == 28 ? 30 : bit);
      }
    }
    return static_cast<int>(out);
  });
}

void __pmSetDebugBits(int value) {
  int* const flags = &pmDebugOptions.pdu;
  pmDebug |= value;
  for (int i = 0; i < 28; ++i) {
    if ((value >> i & 1) != 0) flags[i] = 1;
  }
  if ((value >> 30 & 1) != 0) pmDebugOptions.desperate = 1;
}
