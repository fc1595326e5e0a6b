// Random event arrays, most of them in order, judged by the real library.
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include "runtime/model/event_array.h"
#include "tests/unit/model/oracle_library.h"

namespace pmjit::oracle {
namespace {

// Event arrays, most of them in order, some cut short, with missed records or a wrong count.
class EventOracle : public OracleTest {
 protected:
  template <class T>
  void add(StoredValue& to, T value) {
    const auto* at = reinterpret_cast<const std::byte*>(&value);
    to.bytes.insert(to.bytes.end(), at, at + sizeof value);
  }

  void add_parameter(StoredValue& to) {
    const int type = static_cast<int>(between(0, once_in(20) ? 12 : 8));
    const bool narrow = type < pm_type::i64 || type == pm_type::f32;
    // The library reads the whole of a number, however short the parameter says it is.
    const int least = narrow ? 4 : type <= pm_type::f64 ? 8 : 0;
    const auto size = static_cast<uint32_t>(between(least, 12));
    add(to, static_cast<uint32_t>(bits()));
    add(to, static_cast<uint32_t>(type) << 24 | (size + 4));
    for (uint32_t i = 0; i < (size + 3) / 4 * 4; ++i) add(to, static_cast<std::byte>(bits()));
  }

  StoredValue array(int type) {
    StoredValue out{.format = ValueFormat::block, .type = static_cast<uint8_t>(type)};
    const auto count = static_cast<int32_t>(between(0, 5));
    add(out, once_in(20) ? count + static_cast<int32_t>(between(-2, 1)) : count);
    for (int32_t i = 0; i < count; ++i) {
      const int64_t sec = between(0, 2'000'000'000);
      if (type == pm_type::event) {
        add(out, static_cast<int32_t>(sec));
        add(out, static_cast<int32_t>(between(0, 1'000'000)));
      } else {
        add(out, sec);
        add(out, between(0, 1'000'000'000));
      }
      const bool missed = once_in(4);
      const auto parameters = static_cast<int32_t>(between(0, 3));
      add(out,
          missed ? kEventMissed | (once_in(20) ? 1u : 0u) : static_cast<uint32_t>(between(0, 64)));
      add(out, parameters);
      for (int32_t p = 0; !missed && p < parameters; ++p) add_parameter(out);
    }
    if (once_in(10))
      out.bytes.resize(static_cast<size_t>(between(4, static_cast<int64_t>(out.bytes.size()))));
    return out;
  }
};

TEST_F(EventOracle, Printing) {
  for (int i = 0; i < kRounds; ++i) {
    const int type = once_in(2) ? pm_type::event : pm_type::highres_event;
    const StoredValue value = array(type);
    Zone utc("UTC");
    std::string ours;
    append_value(ours, value.format, type, value.value(), {.zone = utc});
    if (ours.find('?') != ours.npos) continue;  // the library reads beyond the array
    expect_printed_alike(value, type, 1);
    if (HasFailure()) return;
  }
}

std::string shown(const OrPmError<std::vector<EventRecord>>& records, bool highres) {
  if (!records) return std::to_string(records.error());
  std::string out;
  for (const EventRecord& record : *records) {
    out += fmt::format("{}.{}", record.stamp.sec, record.stamp.nsec / (highres ? 1 : 1000));
    if (record.flags != 0) out += fmt::format(" {}", static_cast<int32_t>(record.flags));
    if ((record.flags & kEventMissed) != 0) out += fmt::format(" {}", record.missed);
    for (const EventParameter& parameter : record.parameters) {
      if (parameter.format == ValueFormat::in_place) {
        out += fmt::format(" {}", static_cast<int32_t>(parameter.value.word));
      } else {
        out += fmt::format(" {}:{}:", parameter.type, parameter.value.block.size() + 4);
        for (std::byte b : parameter.value.block)
          out += fmt::format("{:02x}", std::to_integer<int>(b));
      }
    }
    out += '\n';
  }
  return out;
}

std::string shown(int status, CResult** records) {
  if (status < 0) return std::to_string(status);
  std::string out;
  for (int i = 0; i < status; ++i) {
    out += fmt::format("{}.{}", records[i]->sec, records[i]->fraction);
    for (int s = 0; s < records[i]->count; ++s) {
      const CValueSet& set = *records[i]->sets[s];
      if (set.format == 0) {
        out += fmt::format(" {}", set.values[0].word);
        continue;
      }
      const auto* block = static_cast<const unsigned char*>(set.values[0].block);
      uint32_t head = 0;
      std::memcpy(&head, block, sizeof head);
      out += fmt::format(" {}:{}:", head >> 24, head & 0xffffff);
      for (uint32_t b = 4; b < (head & 0xffffff); ++b) out += fmt::format("{:02x}", block[b]);
    }
    out += '\n';
  }
  return out;
}

// The library dumps what it refuses to standard error.
class Silence {
 public:
  Silence() : kept_(dup(STDERR_FILENO)) {
    const int null = open("/dev/null", O_WRONLY);
    dup2(null, STDERR_FILENO);
    close(null);
  }
  ~Silence() {
    std::fflush(stderr);
    dup2(kept_, STDERR_FILENO);
    close(kept_);
  }
  Silence(const Silence&) = delete;
  Silence& operator=(const Silence&) = delete;

 private:
  int kept_;
};

TEST_F(EventOracle, Unpacking) {
  using Unpack = int(CValueSet*, int, CResult***);
  auto* coarse = function<Unpack>("pmUnpackEventRecords");
  auto* fine = function<Unpack>("pmUnpackHighResEventRecords");
  auto* free_coarse = function<void(CResult**)>("pmFreeEventResult");
  auto* free_fine = function<void(CResult**)>("pmFreeHighResEventResult");
  const Silence silence;
  for (int i = 0; i < kRounds; ++i) {
    const bool highres = once_in(2);
    const int type = highres ? pm_type::highres_event : pm_type::event;
    const StoredValue value = array(once_in(20) ? pm_type::event : type);
    const CStored in(value);
    CValueSet set{.pmid = 1, .count = 1, .format = 1, .values = {in.value}};
    CResult** theirs = nullptr;
    const int status = (highres ? fine : coarse)(&set, 0, &theirs);
    const auto ours = unpack_events(value.format, value.value(), type);
    ASSERT_EQ(shown(ours, highres), shown(status, theirs));
    if (status > 0) (highres ? free_fine : free_coarse)(theirs);
  }
}

}  // namespace
}  // namespace pmjit::oracle
