// -x: what the user writes as a value of the metric, which is stored before anything is fetched.
// How text becomes a number is as PCP 6.0.3 has it, quirks included: a FLOAT cannot be 0, and a
// real number in hexadecimal needs a point or an exponent.

#include <fmt/format.h>

#include <cerrno>
#include <cfloat>
#include <climits>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <optional>

#include "runtime/cmd/pmval/followed_metric.h"
#include "runtime/model/pm_codes.h"

namespace pmjit {

namespace {

enum class Misfit : uint8_t { none, kind, range };

// The value in the bytes that a value block has.
struct FilterValue {
  Misfit misfit = Misfit::none;
  std::vector<std::byte> bytes{};
};

template <class T>
FilterValue made(T value) {
  FilterValue out;
  out.bytes.resize(sizeof(T));
  std::memcpy(out.bytes.data(), &value, sizeof(T));
  return out;
}

FilterValue misfit(Misfit why) { return {.misfit = why}; }

// "0x10" and "-0x10" are hexadecimal, "077" is not octal.
int base_of(std::string_view text) {
  const size_t first = std::min(text.find_first_not_of(" \t\n\v\f\r"), text.size());
  text.remove_prefix(first);
  if (text.starts_with('+') || text.starts_with('-')) text.remove_prefix(1);
  return text.starts_with("0x") || text.starts_with("0X") ? 16 : 10;
}

template <class T, class Parse>
FilterValue whole_number(const std::string& text, Parse parse, T lowest, T highest) {
  char* end = nullptr;
  errno = 0;
  const auto number = parse(text.c_str(), &end, base_of(text));
  if (*end != '\0') return misfit(Misfit::kind);
  if (errno != 0 || number < lowest || number > highest) return misfit(Misfit::range);
  return made(static_cast<T>(number));
}

FilterValue real_number(const std::string& text, bool single) {
  const bool hex = text.find_first_of("xX") != std::string::npos;
  char* end = nullptr;
  errno = 0;
  const double number = std::strtod(text.c_str(), &end);
  if (*end != '\0' || (hex && text.find_first_of(".pP") == std::string::npos)) {
    return misfit(Misfit::kind);
  }
  if (errno != 0) return misfit(Misfit::range);
  if (!single) return made(number);
  const double size = std::fabs(number);
  if (size < double{FLT_MIN} || size > double{FLT_MAX}) return misfit(Misfit::range);
  return made(static_cast<float>(number));
}

FilterValue as_bytes(const std::string& text) {
  FilterValue out;
  for (const char c : text) out.bytes.push_back(static_cast<std::byte>(c));
  out.bytes.push_back(std::byte{0});
  return out;
}

FilterValue read_filter(const std::string& text, int type) {
  switch (type) {
    case pm_type::i32: return whole_number<int32_t>(text, std::strtoll, INT32_MIN, INT32_MAX);
    case pm_type::u32: return whole_number<uint32_t>(text, std::strtoull, 0, UINT32_MAX);
    case pm_type::i64: return whole_number<int64_t>(text, std::strtoll, INT64_MIN, INT64_MAX);
    case pm_type::u64: return whole_number<uint64_t>(text, std::strtoull, 0, UINT64_MAX);
    case pm_type::f32: return real_number(text, true);
    case pm_type::f64: return real_number(text, false);
    case pm_type::string:
    case pm_type::event:
    case pm_type::highres_event: return as_bytes(text);
    default: return misfit(Misfit::kind);
  }
}

// One value per instance that is followed.
FetchedSet set_of(const ValSeries& series, const FilterValue& filter) {
  const int type = series.desc.pm_type;
  const bool in_place = type == pm_type::i32 || type == pm_type::u32;
  const bool event = is_event_type(type);
  FetchedSet set{.pmid = series.desc.pmid,
                 .format = in_place ? ValueFormat::in_place : ValueFormat::block};
  Value value{.type = static_cast<uint8_t>(event ? pm_type::string : type), .block = filter.bytes};
  if (in_place) {
    std::memcpy(&value.word, filter.bytes.data(), sizeof(value.word));
    value.block = {};
  }
  if (series.singular()) set.values.push_back(value);
  for (const ValSeries::Column& column : series.columns) {
    value.instance = column.instance;
    set.values.push_back(value);
  }
  set.count = static_cast<int32_t>(set.values.size());
  return set;
}

}  // namespace

bool store_filter(Context& context, const ValSeries& series, const std::string& text,
                  Messages& messages) {
  const FilterValue filter = read_filter(text, series.desc.pm_type);
  const std::string_view type = pm_type_text(series.desc.pm_type);
  if (filter.misfit == Misfit::kind) {
    messages.complain(
        fmt::format("filter \"{}\" incompatible with metric type (PM_TYPE_{})", text, type));
    return false;
  }
  if (filter.misfit == Misfit::range) {
    messages.complain(fmt::format(
        "filter value \"{}\" is out of range for metric data type (PM_TYPE_{})", text, type));
    return false;
  }
  const FetchedSet set = set_of(series, filter);
  const auto stored = context.store({&set, 1});
  if (stored) return true;
  messages.complain(
      fmt::format("store value \"{}\" failed: {}", text, pm_error_text(stored.error())));
  return false;
}

}  // namespace pmjit
