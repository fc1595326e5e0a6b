#include "runtime/model/value.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "runtime/text/float_text.h"
#include "tests/unit/model/stored_value.h"
#include "tests/unit/model/vectors.h"

namespace pmjit {
namespace {

// As the tables print a result: floats with %.9g, doubles with %.17g.
std::string number(const Atom& atom, int type) {
  switch (type) {
    case pm_type::f32: return fmt::format("{:.9g}", atom.f32);
    case pm_type::f64: return fmt::format("{:.17g}", atom.f64);
    case pm_type::string: return std::string(atom.text());
    default: return atom_text(atom, type);
  }
}

// The rows whose input is not a number say in words what the value was.
StoredValue described_value(const VectorRow& row) {
  const std::string& what = row[2];
  const int type = type_of_text(row[1]);
  if (what.starts_with("insitu")) return in_place(7);
  if (what == "vtype=32 in block") return block(pm_type::i32, int32_t{5});
  if (what == "vtype=0, 8 bytes, value 5") return block(0, int64_t{5});
  if (what == "vtype=64, vlen 8 (short)") return block(pm_type::i64, int32_t{5});
  if (what == "vtype=U64, itype 64") return block(pm_type::u64, int64_t{5});
  if (what == "vtype=64, itype U64") return block(pm_type::i64, int64_t{5});
  if (what == "block AGGREGATE len=7 010203") return block(pm_type::aggregate, "\1\2\3");
  if (what == "block vtype=0 len=7 010203") return block(0, "\1\2\3");
  if (what == "block AGGREGATE_STATIC len=7") return block(pm_type::aggregate_static, "\1\2\3");
  if (what == "block AGGREGATE as STRING") return block(pm_type::aggregate, "\1\2\3");
  if (what == "block STRING len=10 \"hello\\0\"") return block(type, std::string("hello\0", 6));
  if (what == "block STRING len=9 \"hello\" (no NUL)") return block(type, "hello");
  if (what == "block STRING len=4 (empty)") return block(type, "");
  if (what == "block vtype=0 len=8 \"abc\\0\"") return block(0, std::string("abc\0", 4));
  if (what == "event") return block(type, int32_t{0});
  if (what.starts_with("valfmt ")) {
    StoredValue out = block(type, int64_t{5});
    out.format = static_cast<ValueFormat>(std::stoi(what.substr(7)));
    return out;
  }
  return stored_number(row[0], type, what);
}

std::string aggregate_text(const Atom& atom) {
  std::string out = fmt::format("block type={} len={} ", atom.block_type, atom.bytes.size() + 4);
  for (std::byte b : atom.bytes) out += fmt::format("{:02x}", std::to_integer<int>(b));
  return out;
}

TEST(Atom, ExtractsAsTheReference) {
  const auto rows = read_vectors("extractvalue.tsv");
  Tally tally("extractvalue.tsv", rows.size());
  for (const VectorRow& row : rows) {
    const StoredValue from = described_value(row);
    const int to = type_of_text(row[3]);
    const auto atom = atom_of(from.format, type_of_text(row[1]), from.value(), to);
    if (!atom) {
      tally.judge(status_text(atom.error()) + " oval.ll=0", row[4] + " " + row[5], row);
    } else {
      const std::string got = to == pm_type::aggregate ? aggregate_text(*atom) : number(*atom, to);
      tally.judge("0 " + got, row[4] + " " + row[5], row);
    }
  }
}

TEST(Atom, ScalesAsTheReference) {
  const auto rows = read_vectors("convscale.tsv");
  Tally tally("convscale.tsv", rows.size());
  for (const VectorRow& row : rows) {
    const int type = type_of_text(row[0]);
    const StoredValue from = stored_number("", type < pm_type::string ? type : pm_type::i32,
                                           type < pm_type::string ? row[1] : "0");
    Atom atom;
    std::memcpy(&atom.u64, from.bytes.data(), std::min<size_t>(from.bytes.size(), 8));
    const auto scaled = scaled_atom(type, atom, units_of_fields(row[2]), units_of_fields(row[3]));
    // A division by zero kills the reference; we refuse.
    const std::string wanted = row[4].starts_with("SIGFPE") ? "PM_ERR_CONV" : row[4];
    tally.judge(scaled ? "0 " + number(*scaled, type) : status_text(scaled.error()) + " ",
                wanted + " " + row[5], row);
  }
}

// In 7.2: `value` of one scale of temperature in another.
double shifted(double value, uint8_t from, uint8_t to) {
  const auto atom =
      scaled_atom(pm_type::f64, {.f64 = value}, {.extra = {.unit = kTemperature, .scale = from}},
                  {.extra = {.unit = kTemperature, .scale = to}});
  return atom ? atom->f64 : std::nan("");
}

TEST(Atom, TemperaturesHaveTheirOwnZeros) {
  enum : uint8_t { C = 1, F, K };
  EXPECT_EQ(shifted(100, C, F), 212);
  EXPECT_EQ(shifted(212, F, C), 100);
  EXPECT_EQ(shifted(0, C, K), 273.15);
  EXPECT_EQ(shifted(273.15, K, C), 0);
  EXPECT_EQ(shifted(32, F, K), 273.15);
  EXPECT_EQ(shifted(273.15, K, F), 32);
  EXPECT_EQ(shifted(5, F, F), 5);
  const auto unknown = scaled_atom(pm_type::f64, {.f64 = 1}, {.extra = {.unit = 1, .scale = 1}},
                                   {.extra = {.unit = 1, .scale = 7}});
  EXPECT_EQ(unknown ? 0 : unknown.error(), pm_err::E_UNIT);
}

Atom described_atom(int type, const std::string& what, StoredValue& keep) {
  Atom atom;
  if (what == "(NULL pointer)") return atom;
  if (what.ends_with("bytes, byte i = (i*17+200) mod 256")) {
    const size_t count = std::stoul(what);
    keep = block(type, std::string(count, '\0'));
    for (size_t i = 0; i < count; ++i) keep.bytes[i] = static_cast<std::byte>(i * 17 + 200);
  } else if (what == "5 bytes 01..05 vtype 8") {
    keep = block(type, "\1\2\3\4\5");
  } else if (what.starts_with("1 byte 01 vtype ")) {
    keep = block(std::stoi(what.substr(16)), "\1");
  } else if (what.starts_with("nrecords=")) {
    keep = block(type, static_cast<int32_t>(std::stoi(what.substr(9))));
  } else if (type == pm_type::string) {
    keep = block(type, what);
  } else {
    const StoredValue from =
        stored_number("", type >= 0 && type < pm_type::string ? type : pm_type::i32, what);
    std::memcpy(&atom.u64, from.bytes.data(), std::min<size_t>(from.bytes.size(), 8));
    return atom;
  }
  atom.bytes = keep.value().block;
  atom.has_bytes = true;
  atom.block_type = keep.type;
  return atom;
}

TEST(Atom, TextsAreTheReferences) {
  const auto rows = read_vectors("atomstr.tsv");
  Tally tally("atomstr.tsv", rows.size());
  for (const VectorRow& row : rows) {
    StoredValue keep;
    const int type = std::stoi(row[0]);
    std::string got = atom_text(described_atom(type, row[1], keep), type);
    const auto buffer = static_cast<size_t>(std::stoi(row[2]));
    if (buffer > 0) got = got.substr(0, buffer - 1);  // what pmAtomStr_r does
    tally.judge(got, row[3], row);
  }
}

TEST(Atom, UsersTextsAreReadAsTheReferenceReadsThem) {
  const auto rows = read_vectors("stringvalue.tsv");
  Tally tally("stringvalue.tsv", rows.size());
  for (const VectorRow& row : rows) {
    const int type = type_of_text(row[0]);
    const auto atom = atom_from_text(type, row[1]);
    tally.judge(atom ? "0 " + number(*atom, type) : status_text(atom.error()) + " ",
                row[2] + " " + row[3], row);
  }
}

}  // namespace
}  // namespace pmjit
