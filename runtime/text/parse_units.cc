// The language of pmParseUnitsStr: words and numbers, split once by '/'. Source: spec pmapi.md
// §16.3 and the behaviour of PCP 6.0.3 where the text leaves room: the first mistake from the left
// is the one reported, dimensions are judged after both parts are reduced, and a unit whose
// exponent is 0 may come again.
#include "runtime/text/parse_units.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <cmath>
#include <cstdlib>
#include <utility>

#include "runtime/base/chars.h"
#include "runtime/base/near.h"

namespace pmjit {

namespace {

constexpr int kPmErrConv = -12362;  // PM_ERR_CONV
constexpr int kExponentMin = -8, kExponentMax = 15;
constexpr int kDimMin = -8, kDimMax = 7;
constexpr int kRawScales = 16;

enum class UnitDim : uint8_t { space, time, count };

struct UnitName {
  std::string_view text;
  UnitDim dim;
  int scale;
};

constexpr UnitName kUnitNames[] = {
    {"bytes", UnitDim::space, 0},
    {"byte", UnitDim::space, 0},
    {"nanoseconds", UnitDim::time, 0},
    {"nanosecond", UnitDim::time, 0},
    {"nanosec", UnitDim::time, 0},
    {"ns", UnitDim::time, 0},
    {"microseconds", UnitDim::time, 1},
    {"microsecond", UnitDim::time, 1},
    {"microsec", UnitDim::time, 1},
    {"us", UnitDim::time, 1},
    {"milliseconds", UnitDim::time, 2},
    {"millisecond", UnitDim::time, 2},
    {"millisec", UnitDim::time, 2},
    {"ms", UnitDim::time, 2},
    {"seconds", UnitDim::time, 3},
    {"second", UnitDim::time, 3},
    {"sec", UnitDim::time, 3},
    {"s", UnitDim::time, 3},
    {"minutes", UnitDim::time, 4},
    {"minute", UnitDim::time, 4},
    {"min", UnitDim::time, 4},
    {"hours", UnitDim::time, 5},
    {"hour", UnitDim::time, 5},
    {"hr", UnitDim::time, 5},
    {"h", UnitDim::time, 5},
    {"count x 10^-8", UnitDim::count, -8},
    {"count x 10^-7", UnitDim::count, -7},
    {"count x 10^-6", UnitDim::count, -6},
    {"count x 10^-5", UnitDim::count, -5},
    {"count x 10^-4", UnitDim::count, -4},
    {"count x 10^-3", UnitDim::count, -3},
    {"count x 10^-2", UnitDim::count, -2},
    {"count x 10^-1", UnitDim::count, -1},
    {"count x 10^2", UnitDim::count, 2},
    {"count x 10^3", UnitDim::count, 3},
    {"count x 10^4", UnitDim::count, 4},
    {"count x 10^5", UnitDim::count, 5},
    {"count x 10^6", UnitDim::count, 6},
    {"count x 10^7", UnitDim::count, 7},
    {"count x 10", UnitDim::count, 1},
    {"counts", UnitDim::count, 0},
    {"count", UnitDim::count, 0},
};

// Scale n > 0 of space: letter or prefix, and one of the endings.
constexpr std::array<std::string_view, 8> kLetters{"K", "M", "G", "T", "P", "E", "Z", "Y"};
constexpr std::array<std::string_view, 8> kBinary{"Kibi", "Mebi", "Gibi", "Tebi",
                                                  "Pebi", "Exbi", "Zebi", "Yobi"};
constexpr std::array<std::string_view, 8> kDecimal{"Kilo", "Mega", "Giga",  "Tera",
                                                   "Peta", "Exa",  "Zetta", "Yotta"};
constexpr std::array<std::string_view, 4> kShortEndings{"bytes", "byte", "iB", "B"};
constexpr std::array<std::string_view, 2> kLongEndings{"bytes", "byte"};

char lower(char c) { return static_cast<char>(std::tolower(static_cast<unsigned char>(c))); }

// Takes `word` off the front of `text` regardless of case.
bool take(std::string_view& text, std::string_view word) {
  if (text.size() < word.size()) return false;
  for (size_t i = 0; i < word.size(); ++i) {
    if (lower(text[i]) != lower(word[i])) return false;
  }
  text.remove_prefix(word.size());
  return true;
}

bool at_end_of_word(std::string_view rest) {
  return rest.empty() || rest.front() == '^' || is_blank(rest.front());
}

struct Side {
  std::array<int, 3> dim{}, scale{};
  ExtraUnit extra{};
  double number = 1;
};

struct Failure {
  std::string_view text;  // empty: none
};
constexpr Failure kGood{}, kBadWord{"unrecognized or duplicate base unit"},
    kBadNumber{"invalid floating point literal"}, kTwoExtra{"multiple extra units not allowed"},
    kExtraOnBothSides{"extra units cannot appear in both dividend and divisor"};

// Takes "space-12" or "time-3".
std::optional<int> take_raw(std::string_view& text, std::string_view kind) {
  std::string_view rest = text;
  if (!take(rest, kind)) return std::nullopt;
  for (int scale = kRawScales - 1; scale >= 0; --scale) {
    std::string_view after = rest;
    if (take(after, std::to_string(scale)) && at_end_of_word(after)) return text = after, scale;
  }
  return std::nullopt;
}

template <size_t Prefixes, size_t Endings>
std::optional<int> take_prefixed(std::string_view& text,
                                 const std::array<std::string_view, Prefixes>& prefixes,
                                 const std::array<std::string_view, Endings>& endings) {
  for (size_t i = 0; i < Prefixes; ++i) {
    for (std::string_view ending : endings) {
      std::string_view rest = text;
      if (take(rest, prefixes[i]) && take(rest, ending) && at_end_of_word(rest)) {
        return text = rest, static_cast<int>(i) + 1;
      }
    }
  }
  return std::nullopt;
}

std::optional<std::pair<UnitDim, int>> take_unit(std::string_view& text) {
  for (const UnitName& word : kUnitNames) {
    std::string_view rest = text;
    if (take(rest, word.text) && at_end_of_word(rest))
      return text = rest, std::pair{word.dim, word.scale};
  }
  if (auto scale = take_prefixed(text, kLetters, kShortEndings))
    return std::pair{UnitDim::space, *scale};
  if (auto scale = take_prefixed(text, kBinary, kLongEndings))
    return std::pair{UnitDim::space, *scale};
  if (auto scale = take_prefixed(text, kDecimal, kLongEndings))
    return std::pair{UnitDim::space, *scale};
  if (auto scale = take_raw(text, "space-")) return std::pair{UnitDim::space, *scale};
  if (auto scale = take_raw(text, "time-")) return std::pair{UnitDim::time, *scale};
  return std::nullopt;
}

// The exponent behind a unit: 1 if none is written; none if what is written is no exponent.
std::optional<int> take_exponent(std::string_view& text) {
  if (text.empty() || text.front() != '^') return 1;
  text.remove_prefix(1);
  for (int power = kExponentMax; power >= kExponentMin; --power) {
    std::string_view rest = text;
    if (take(rest, std::to_string(power)) && (rest.empty() || is_blank(rest.front()))) {
      return text = rest, power;
    }
  }
  return std::nullopt;
}

Failure take_number(std::string_view& text, double& product) {
  const std::string copy(text);  // strtod wants an end
  char* end = nullptr;
  errno = 0;
  const double value = std::strtod(copy.c_str(), &end);
  if (end == copy.c_str() || errno != 0) return kBadNumber;
  product *= value;
  text.remove_prefix(static_cast<size_t>(end - copy.c_str()));
  return kGood;
}

// They have no exponents.
std::optional<ExtraUnit> take_extra(std::string_view& text) {
  for (const ExtraWord& word : extra_words()) {
    std::string_view rest = text;
    if (take(rest, word.text) && (rest.empty() || is_blank(rest.front()))) {
      return text = rest, word.unit;
    }
  }
  return std::nullopt;
}

Failure parse_side(std::string_view text, ExtraUnits extra, Side& out) {
  while (true) {
    while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
    if (text.empty()) return kGood;
    const char c = text.front();
    if (std::isdigit(static_cast<unsigned char>(c)) || c == '-' || c == '.') {
      if (Failure bad = take_number(text, out.number); !bad.text.empty()) return bad;
      continue;
    }
    if (const auto one = extra == ExtraUnits::known ? take_extra(text) : std::nullopt) {
      if (!out.extra.none()) return kTwoExtra;
      out.extra = *one;
      continue;
    }
    const auto unit = take_unit(text);
    if (!unit) return kBadWord;
    const auto power = take_exponent(text);
    const auto d = static_cast<size_t>(unit->first);
    if (!power || out.dim[d] != 0) return kBadWord;
    out.dim[d] = *power;
    out.scale[d] = *power == 0 ? 0 : unit->second;
  }
}

// One unit of this dimension and scale in the base scale; none for a raw time scale without a
// meaning.
std::optional<double> base_factor(UnitDim dim, int scale) {
  static constexpr std::array<double, 6> kSeconds{1e-9, 1e-6, 1e-3, 1, 60, 3600};
  switch (dim) {
    case UnitDim::space: return std::ldexp(1.0, 10 * scale);
    case UnitDim::count: return std::pow(10.0, scale);
    case UnitDim::time: break;
  }
  if (static_cast<size_t>(scale) >= kSeconds.size()) return std::nullopt;
  return kSeconds[static_cast<size_t>(scale)];
}

// Where both parts have a dimension, both go to the base scale and the exponents are subtracted.
bool reduce(UnitDim dim, Side& above, Side& below, double& multiplier) {
  const auto d = static_cast<size_t>(dim);
  if (above.dim[d] == 0 || below.dim[d] == 0) return true;
  const auto up = base_factor(dim, above.scale[d]), down = base_factor(dim, below.scale[d]);
  if (!up || !down) return false;
  multiplier *= std::pow(*up, -above.dim[d]);
  multiplier *= std::pow(*down, below.dim[d]);
  above.dim[d] -= below.dim[d];
  above.scale[d] = above.dim[d] != 0 && dim == UnitDim::time ? kTimeScaleSec : 0;
  below.dim[d] = below.scale[d] = 0;
  return true;
}

auto refuse(std::string_view text) {
  return fail(Error(Fault::usage, std::string(text)).pm_code(kPmErrConv));
}

}  // namespace

Result<ParsedUnits> parse_units(std::string_view text, ExtraUnits extra) {
  const size_t slash = text.find('/');
  Side above, below;
  if (Failure bad = parse_side(text.substr(0, slash), extra, above); !bad.text.empty())
    return refuse(bad.text);
  if (slash != text.npos) {
    if (Failure bad = parse_side(text.substr(slash + 1), extra, below); !bad.text.empty())
      return refuse(bad.text);
  }
  if (!above.extra.none() && !below.extra.none()) return refuse(kExtraOnBothSides.text);
  if (!below.extra.none()) {
    above.extra = {.unit = static_cast<int8_t>(-below.extra.unit), .scale = below.extra.scale};
  }
  ParsedUnits out{.multiplier = below.number / above.number};
  static constexpr std::array<std::string_view, 3> kBounds{"space dimension out of bounds",
                                                           "time dimension out of bounds",
                                                           "count dimension out of bounds"};
  for (UnitDim dim : {UnitDim::space, UnitDim::time, UnitDim::count}) {
    const auto d = static_cast<size_t>(dim);
    if (!reduce(dim, above, below, out.multiplier)) return refuse(kBadWord.text);
    if (above.dim[d] == 0) {
      above.dim[d] = -below.dim[d];
      above.scale[d] = below.scale[d];
    }
    if (above.dim[d] < kDimMin || above.dim[d] > kDimMax) return refuse(kBounds[d]);
  }
  out.units = {.dim_space = static_cast<int8_t>(above.dim[0]),
               .dim_time = static_cast<int8_t>(above.dim[1]),
               .dim_count = static_cast<int8_t>(above.dim[2]),
               .scale_space = static_cast<uint8_t>(above.scale[0]),
               .scale_time = static_cast<uint8_t>(above.scale[1]),
               .scale_count = static_cast<int8_t>(above.scale[2]),
               .extra = above.extra};
  return out;
}

std::string near_unit_text(std::string_view text) {
  const std::vector<std::string> usual = {"byte",  "Kbyte",   "Mbyte",    "Gbyte",
                                          "Tbyte", "nanosec", "microsec", "millisec",
                                          "sec",   "minute",  "hour",     "count"};
  constexpr std::string_view kBetween = " \t/*";
  while (!text.empty()) {
    const size_t begin = std::min(text.find_first_not_of(kBetween), text.size());
    text.remove_prefix(begin);
    std::string_view word = text.substr(0, text.find_first_of(kBetween));
    text.remove_prefix(word.size());
    std::string_view rest = word;
    if (word.empty() || !is_letter(word.front()) || take_unit(rest)) continue;
    word = word.substr(0, word.find('^'));
    auto near = near_names(word, usual);
    near.resize(std::min<size_t>(near.size(), 1));
    return near_names_text(near);
  }
  return {};
}

}  // namespace pmjit
