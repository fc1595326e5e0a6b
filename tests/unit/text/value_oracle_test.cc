// Random values of every type, in every wrapping, judged by the real library.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include "runtime/model/value.h"
#include "runtime/text/float_text.h"
#include "tests/unit/model/oracle_library.h"
#include "tests/unit/turns.h"

namespace pmjit::oracle {
namespace {

constexpr int kValueRounds = test::turns(50'000);
constexpr int kTypes[] = {-1, 0, 1, 2, 3, 4, 5, 6, 7, 8, 11, 77, 255};
constexpr int kTypeNumbers[] = {0, 1, 2, 3, 4, 5};

class ValueOracle : public OracleTest {
 protected:
  // Bits of numbers near the limits of the types, and of any.
  uint64_t number_bits(int type) {
    static constexpr double kLimits[] = {2147483647.0,
                                         2147483648.0,
                                         4294967295.0,
                                         9.2233720368547758e18,
                                         1.8446744073709552e19,
                                         0,
                                         1,
                                         0.5};
    double real = std::bit_cast<double>(bits());
    if (once_in(2))
      real = one_of(kLimits) * (once_in(2) ? 1 : -1) + static_cast<double>(between(-2, 2)) / 2;
    if (once_in(4)) real = static_cast<double>(static_cast<int64_t>(short_bits())) / 100;
    if (type == pm_type::f64) return std::bit_cast<uint64_t>(real);
    if (type == pm_type::f32) return std::bit_cast<uint32_t>(static_cast<float>(real));
    return once_in(4) ? static_cast<uint64_t>(between(-3, 3)) : short_bits();
  }

  // Mostly well formed; else the size, the type or the format is wrong.
  StoredValue stored(int type) {
    StoredValue out{.format = ValueFormat::block, .type = static_cast<uint8_t>(type)};
    const bool narrow = type < pm_type::i64 || type == pm_type::f32;
    size_t size = narrow ? 4 : type <= pm_type::f64 ? 8 : static_cast<size_t>(between(0, 20));
    if (once_in(10)) size = static_cast<size_t>(between(0, 12));
    if (once_in(10)) out.type = static_cast<uint8_t>(one_of(kTypes));
    if (once_in(20)) out.format = ValueFormat::shared_block;
    if (narrow ? !once_in(10) : once_in(10)) out.format = ValueFormat::in_place;
    uint64_t word = number_bits(type);
    for (size_t i = 0; i < std::max<size_t>(size, 4); ++i) {
      const bool number = type <= pm_type::f64 && type >= 0;
      const auto letter = static_cast<uint64_t>(once_in(20) ? between(0, 255) : between(' ', '~'));
      out.bytes.push_back(static_cast<std::byte>(number ? word >> (8 * (i % 8)) : letter));
    }
    if (out.format != ValueFormat::in_place) out.bytes.resize(size);
    return out;
  }
};

bool alike(int type, uint64_t a, uint64_t b) {
  const bool narrow = type == pm_type::i32 || type == pm_type::u32 || type == pm_type::f32;
  return narrow ? static_cast<uint32_t>(a) == static_cast<uint32_t>(b) : a == b;
}

TEST_F(ValueOracle, Extraction) {
  auto* extract = function<int(int, const CValue*, int, CAtom*, int)>("pmExtractValue");
  for (int i = 0; i < 5 * kValueRounds; ++i) {
    const int from = once_in(4) ? one_of(kTypes) : one_of(kTypeNumbers);
    const int to = once_in(3) ? from : once_in(8) ? one_of(kTypes) : one_of(kTypeNumbers);
    const StoredValue value = stored(from);
    const CStored in(value);
    CAtom theirs{};
    const int status = extract(static_cast<int>(value.format), &in.value, from, &theirs, to);
    const auto ours = atom_of(value.format, from, value.value(), to);
    const std::string what =
        fmt::format("{} to {}, bits {:#x}", from, to,
                    value.bytes.size() >= 8 ? *reinterpret_cast<const uint64_t*>(value.bytes.data())
                                            : value.value().word);
    ASSERT_EQ(ours ? 0 : ours.error(), status) << what;
    if (!ours) continue;
    if (to <= pm_type::f64) {
      ASSERT_TRUE(alike(to, ours->u64, theirs.u64))
          << what << fmt::format(": {:#x} {:#x}", ours->u64, theirs.u64);
    } else if (to == pm_type::string) {
      ASSERT_EQ(ours->text(), theirs.text) << what;
      std::free(theirs.text);
    } else {
      ASSERT_EQ(std::memcmp(theirs.text + 4, ours->bytes.data(), ours->bytes.size()), 0) << what;
      std::free(theirs.text);
    }
  }
}

TEST_F(ValueOracle, Scaling) {
  auto* scale =
      function<int(int, const CAtom*, const uint32_t*, CAtom*, const uint32_t*)>("pmConvScale");
  for (int i = 0; i < 5 * kValueRounds; ++i) {
    const int type = one_of(kTypeNumbers);
    const auto dim = [&] {
      return static_cast<int8_t>(once_in(6) ? between(-8, 7) : between(-1, 1));
    };
    Units from{.dim_space = dim(), .dim_time = dim(), .dim_count = dim()};
    const auto rescaled = [&](Units units) {
      units.scale_space = static_cast<uint8_t>(between(0, once_in(10) ? 9 : 6));
      units.scale_time = static_cast<uint8_t>(between(0, once_in(10) ? 7 : 5));
      units.scale_count = static_cast<int8_t>(between(-8, 7));
      return units;
    };
    Units to = rescaled(from);
    from = rescaled(from);
    if (once_in(10)) to.dim_count = dim();
    Atom atom;
    atom.u64 = number_bits(type);
    const auto ours = scaled_atom(type, atom, from, to);
    const bool same = from.dim_space == to.dim_space && from.dim_time == to.dim_time &&
                      from.dim_count == to.dim_count;
    if (same && !ours && ours.error() == pm_err::E_CONV) continue;  // a division by zero, its death
    const uint32_t from_word = units_to_word(from), to_word = units_to_word(to);
    const CAtom in{.u64 = atom.u64};
    CAtom theirs{};
    const int status = scale(type, &in, &from_word, &theirs, &to_word);
    const std::string what =
        fmt::format("type {} bits {:#x} {} ({:#x}) to {} ({:#x})", type, atom.u64, units_text(from),
                    from_word, units_text(to), to_word);
    ASSERT_EQ(ours ? 0 : ours.error(), status) << what;
    if (!ours) continue;
    const bool both_nan =
        (type == pm_type::f32 && std::isnan(ours->f32) && std::isnan(theirs.f32)) ||
        (type == pm_type::f64 && std::isnan(ours->f64) && std::isnan(theirs.f64));
    ASSERT_TRUE(both_nan || alike(type, ours->u64, theirs.u64))
        << what << fmt::format(": {:#x} {:#x}", ours->u64, theirs.u64);
  }
}

TEST_F(ValueOracle, AtomTexts) {
  auto* text = function<const char*(const CAtom*, int)>("pmAtomStr");
  for (int i = 0; i < kValueRounds; ++i) {
    const int type = one_of(kTypeNumbers);
    Atom atom;
    atom.u64 = number_bits(type);
    const CAtom in{.u64 = atom.u64};
    ASSERT_EQ(atom_text(atom, type), text(&in, type)) << fmt::format("{} {:#x}", type, atom.u64);
  }
}

TEST_F(ValueOracle, Printing) {
  for (int i = 0; i < 5 * kValueRounds; ++i) {
    const int type = one_of(kTypes);
    ASSERT_NO_FATAL_FAILURE(expect_printed_alike(
        stored(type), type, static_cast<int>(once_in(2) ? 1 : between(-25, 25))));
    if (HasFailure()) return;
  }
}

}  // namespace
}  // namespace pmjit::oracle
