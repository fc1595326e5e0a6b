// A file has its data twice since version 2: with times of 32 bits, which are skipped, then of 64.
#include "runtime/tz/file.h"

#include <algorithm>

namespace pmjit::tz {

namespace {

constexpr size_t kReserved = 15;
constexpr size_t kTypeBytes = 6;

struct Header {
  uint8_t version = 0;
  size_t universals = 0, standards = 0, leaps = 0, times = 0, types = 0, letters = 0;

  [[nodiscard]] uint64_t bytes(size_t time_bytes) const {
    return uint64_t{times} * (time_bytes + 1) + uint64_t{types} * kTypeBytes + letters +
           uint64_t{leaps} * (time_bytes + 4) + standards + universals;
  }
};

std::unexpected<Error> damaged(std::string what) {
  return fail(Fault::format, "no file of the tz database: " + std::move(what));
}

Result<Header> read_header(ByteReader& in) {
  const bool magic = in.text(4) == "TZif";
  Header header{.version = in.u8()};
  in.skip(kReserved);
  for (size_t* count : {&header.universals, &header.standards, &header.leaps, &header.times,
                        &header.types, &header.letters})
    *count = in.u32();
  if (!in.ok() || !magic) return damaged("it does not begin with a header");
  if (header.types == 0) return damaged("it has no clock");
  if (header.standards > header.types || header.universals > header.types)
    return damaged("more marks than clocks");
  return header;
}

// A time of 4 or 8 bytes.
int64_t read_time(ByteReader& in, size_t time_bytes) {
  return time_bytes == 8 ? in.i64() : in.i32();
}

// And their names, each of which begins somewhere among the letters.
Result<void> read_types(ByteReader& in, const Header& header, ZoneData& out) {
  out.types.resize(header.types);
  std::vector<uint8_t> names;
  for (ZoneType& type : out.types) {
    type.east = in.i32();
    const uint8_t summer = in.u8();
    names.push_back(in.u8());
    if (summer > 1) return damaged("a clock that is neither of summer nor of winter");
    if (names.back() > header.letters) return damaged("a name outside of the names");
    type.summer = summer != 0;
  }
  const std::string letters(in.text(header.letters));
  for (size_t i = 0; i < names.size(); ++i) out.types[i].name = letters.c_str() + names[i];
  return {};
}

Result<ZoneData> read_block(ByteReader& in, const Header& header, size_t time_bytes) {
  if (header.bytes(time_bytes) > in.left()) return damaged("it ends too early");
  ZoneData out;
  out.times.resize(header.times);
  for (int64_t& time : out.times) time = read_time(in, time_bytes);
  if (!std::ranges::is_sorted(out.times)) return damaged("times that do not ascend");
  out.kinds.resize(header.times);
  for (uint8_t& kind : out.kinds) {
    kind = in.u8();
    if (kind >= header.types) return damaged("a clock that it does not have");
  }
  if (auto read = read_types(in, header, out); !read) return fail(read.error());
  out.leaps.resize(header.leaps);
  for (LeapSecond& leap : out.leaps) {
    leap.at = read_time(in, time_bytes);
    leap.change = in.i32();
  }
  for (size_t i = 0; i < header.standards; ++i) out.types[i].by_standard_time = in.u8() != 0;
  for (size_t i = 0; i < header.universals; ++i) out.types[i].by_universal_time = in.u8() != 0;
  return out;
}

}  // namespace

Result<ZoneData> read_zone_data(Bytes bytes) {
  ByteReader in(bytes);
  auto header = read_header(in);
  if (!header) return fail(header.error());
  if (header->version == 0) return read_block(in, *header, 4);
  if (header->bytes(4) > in.left()) return damaged("it ends too early");
  in.skip(header->bytes(4));
  header = read_header(in);
  if (!header) return fail(header.error());
  auto data = read_block(in, *header, 8);
  if (!data) return data;
  // A line of its own. What ends without the second end of line loses a letter in the C library.
  std::string_view rest = in.text(in.left());
  if (rest.size() < 2 || rest.front() != '\n') return data;
  rest = rest.substr(1, rest.size() - 2);
  data->rules = rest.substr(0, rest.find('\0'));
  return data;
}

}  // namespace pmjit::tz
