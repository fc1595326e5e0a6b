#include "runtime/cmd/pmval/columns.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <iterator>
#include <string_view>
#include <utility>

#include "runtime/model/pm_codes.h"
#include "runtime/model/value.h"
#include "runtime/text/float_text.h"
#include "runtime/text/print_value.h"
#include "runtime/text/zone.h"

namespace pmjit {

namespace {

constexpr int kWidthOf32 = 11, kWidthOfFloat = 13, kWidthOfOthers = 21;
constexpr int kShortWidth = 10;  // of a number below 10000 as put_number() rounds it

int natural_width(int pm_type) {
  if (pm_type == pm_type::i32 || pm_type == pm_type::u32) return kWidthOf32;
  if (is_event_type(pm_type)) return 0;
  return pm_type == pm_type::f32 ? kWidthOfFloat : kWidthOfOthers;
}

bool is_real(int pm_type) { return pm_type == pm_type::f32 || pm_type == pm_type::f64; }

// What pmval says, with the call that it makes where a value is no number.
std::unexpected<Error> no_number(std::string call, int code) {
  return fail(Error(Fault::format, std::move(call) + " pmExtractValue").pm_code(code));
}

// What is lost where a counter of this type wraps.
double wrap_of(int pm_type) {
  constexpr double kTwo32 = 4294967296.0, kTwo64 = 18446744073709551616.0;
  if (pm_type == pm_type::i32 || pm_type == pm_type::u32) return kTwo32;
  return pm_type == pm_type::i64 || pm_type == pm_type::u64 ? kTwo64 : 0;
}

// What stands `behind` the number belongs to its width. Where there is less room than that, the
// number goes to the left, as C has it for negative widths.
void put_fixed(std::string& out, int width, int digits, double number, std::string_view behind) {
  if (digits > kFixedDigitsMax) {
    fmt::format_to(std::back_inserter(out), "{:>{}.{}f}{}", number, width, digits, behind);
    return;
  }
  char text[kFixedTextMax];
  const auto room = static_cast<ptrdiff_t>(width) - static_cast<ptrdiff_t>(behind.size());
  const ptrdiff_t bytes = write_fixed(text, number, digits) - text;
  if (room > bytes) out.append(static_cast<size_t>(room - bytes), ' ');
  out.append(text, static_cast<size_t>(bytes));
  if (-room > bytes) out.append(static_cast<size_t>(-room - bytes), ' ');
  out += behind;
}

// The same where it is sure to fit: nearly every number of nearly every archive, written once.
void put_short(std::string& out, int width, int digits, double number, std::string_view behind) {
  const bool plain = number >= 0 && !std::signbit(number);  // no -0, nor NaN
  if (width < kShortWidth || !plain) return put_fixed(out, width, digits, number, behind);
  const size_t size = out.size(), all = size + static_cast<size_t>(width);
  // Not the size that it is given: libstdc++ 12 gives its capacity at times.
  out.resize_and_overwrite(all, [&](char* text, size_t) {
    std::fill(text + size, text + all, ' ');
    char* point = text + all - behind.size();
    std::ranges::copy(behind, point);
    (void)write_fixed_before(point, number, digits);
    return all;
  });
}

// %*.3E
void put_scientific(std::string& out, int width, double number) {
  constexpr int kDigits = 3;
  char text[kFloatTextMax];
  char* end =
      std::to_chars(text, std::end(text), number, std::chars_format::scientific, kDigits).ptr;
  std::transform(text, end, text,
                 [](char c) { return c >= 'a' ? static_cast<char>(c - 'a' + 'A') : c; });
  if (width > end - text) out.append(static_cast<size_t>(width - (end - text)), ' ');
  out.append(text, end);
}

std::string semantics_line(const ValSeries& series) {
  switch (series.desc.semantics) {
    case Semantics::counter:
      return std::string("cumulative counter") + (series.rate ? " (converting to rate)" : "");
    case Semantics::instant: return "instantaneous value";
    case Semantics::discrete: return "discrete instantaneous value";
  }
  return "unknown";
}

std::string units_line(const ValSeries& series) {
  std::string text = units_text(series.desc.units);
  if (text.empty()) text = "none";
  if (!series.rate) return text;
  const std::string rate = units_text(series.rate_units);
  return fmt::format("{} (converting to {})", text, rate.empty() ? "time utilization" : rate);
}

}  // namespace

ValColumns::ValColumns(const ValSeries& series, const ValRequest& request)
    : series_(series),
      request_(request),
      width_(request.width.value_or(natural_width(series.desc.pm_type))),
      usual_(series.columns.size(), 0) {}

void ValColumns::put_labels(std::string& out) {
  if (series_.columns.empty()) return;
  size_t longest = 0;
  for (const auto& column : series_.columns) longest = std::max(longest, column.name.size());
  const auto width = static_cast<size_t>(width_);
  if (longest > width && !told_full_names_) {
    for (size_t i = 0; i < series_.columns.size(); ++i) {
      out += fmt::format("full label for instance[{}]: {}\n", i, series_.columns[i].name);
    }
    told_full_names_ = true;
  }
  constexpr size_t kShift = 3;  // the blanks that rates have behind them at most
  const size_t shift = series_.rate && !request_.digits && longest + kShift <= width ? kShift : 0;
  constexpr int kStampWidths[] = {12, 31, 34};
  out += "\n";
  if (!request_.live) {
    out.append(static_cast<size_t>(kStampWidths[std::min(request_.stamp_detail, 2)]), ' ');
  }
  for (const auto& column : series_.columns) {  // bytes, as printf counts
    const auto name = std::string_view(column.name).substr(0, width - shift);
    out.append(width - shift - name.size(), ' ').append(name).append(shift + 1, ' ');
  }
  out += "\n";
}

void ValColumns::put_stamp(std::string& out, Stamp stamp, Zone& zone) const {
  if (request_.live) return;
  if (request_.stamp_detail == 0) {
    put_time_of_day(out, stamp, Fraction::milli, zone);
  } else {
    const Fraction fraction = request_.stamp_detail == 1 ? Fraction::micro : Fraction::nano;
    put_date_and_time(out, stamp, fraction, zone);
  }
}

// Instances come in an order of their own, which stays the same from one fetch to the next.
const Value* ValColumns::find(const FetchedSet& set, size_t column) {
  const int32_t instance = series_.columns[column].instance;
  size_t& usual = usual_[column];
  if (usual < set.values.size() && set.values[usual].instance == instance) {
    return &set.values[usual];
  }
  const auto found = std::ranges::find(set.values, instance, &Value::instance);
  if (found == set.values.end()) return nullptr;
  usual = static_cast<size_t>(found - set.values.begin());
  return &*found;
}

void ValColumns::put_missing(std::string& out) const {
  fmt::format_to(std::back_inserter(out), "{:>{}}", '?', width_);
}

Result<void> ValColumns::put_value(std::string& out, const FetchedSet& set, const Value& value,
                                   Zone& zone) const {
  const int type = series_.desc.pm_type;
  if (!is_real(type)) {
    append_value(out, set.format, type, value, {.min_width = width_, .zone = zone});
    return {};
  }
  const Reading reading = reading_of(set, &value);
  if (reading.code == 0) {
    put_number(out, reading.number);
    return {};
  }
  if (series_.singular()) return no_number("printvals", reading.code);
  // Counted as the reference sorts them.
  const auto before = std::ranges::count_if(
      set.values, [&](const Value& other) { return other.instance < value.instance; });
  return no_number(fmt::format("printvals[{}]", before), reading.code);
}

Result<void> ValColumns::put_values(std::string& out, const FetchedSet& set, Zone& zone) {
  if (series_.singular()) {
    if (auto done = put_value(out, set, set.values.front(), zone); !done) return done;
    out += '\n';
    return {};
  }
  size_t known = 0;
  for (size_t i = 0; i < series_.columns.size(); ++i) {
    const Value* value = find(set, i);
    known += value != nullptr;
    if (value == nullptr) {
      put_missing(out);
    } else if (auto done = put_value(out, set, *value, zone); !done) {
      return done;
    }
    out += ' ';
  }
  out += '\n';
  if (known < set.values.size()) put_unknown(out, set, zone);
  return {};
}

// Instances that no domain record names have no column.
bool ValColumns::is_unknown(const Value& value) const {
  if (series_.singular() || series_.chosen) return false;
  const auto by_instance = &ValSeries::Column::instance;
  return !std::ranges::binary_search(series_.columns, value.instance, {}, by_instance);
}

bool ValColumns::has_unknown(const FetchedSet& set) {
  size_t known = 0;  // nearly always all of them, found where they were
  for (size_t i = 0; i < series_.columns.size(); ++i) known += find(set, i) != nullptr;
  if (known >= set.values.size()) return false;
  return std::ranges::any_of(set.values, [this](const Value& v) { return is_unknown(v); });
}

void ValColumns::put_unknown(std::string& out, const FetchedSet& set, Zone& zone) const {
  for (const Value& value : set.values) {
    if (!is_unknown(value)) continue;
    out += "Warning: value=";
    append_value(out, set.format, series_.desc.pm_type, value, {.min_width = 1, .zone = zone});
    fmt::format_to(std::back_inserter(out), ", but instance={} is unknown\n", value.instance);
  }
}

ValColumns::Reading ValColumns::reading_of(const FetchedSet& set, const Value* value) const {
  if (value == nullptr) return {};
  const auto atom = atom_of(set.format, series_.desc.pm_type, *value, pm_type::f64);
  if (!atom) return {.code = atom.error(), .there = true};
  return {.number = atom->f64, .there = true};
}

void ValColumns::read_numbers(const FetchedSet& set) {
  std::swap(before_, now_);
  now_.clear();
  if (series_.singular()) {
    now_.push_back(reading_of(set, set.values.empty() ? nullptr : &set.values.front()));
  }
  for (size_t i = 0; i < series_.columns.size(); ++i) {
    now_.push_back(reading_of(set, find(set, i)));
  }
}

Result<void> ValColumns::put_rates(std::string& out, double seconds) const {
  const double time = seconds * series_.time_scale;
  for (size_t i = 0; i < now_.size(); ++i) {
    const Reading &from = before_[i], &to = now_[i];
    if (!from.there || !to.there) {
      put_missing(out);
    } else {
      // The reference takes the two the other way round.
      if (to.code != 0) return no_number("printrate prev", to.code);
      if (from.code != 0) return no_number("printrate this", from.code);
      double change = to.number - from.number;
      if (change < 0 && wrap_) change += wrap_of(series_.desc.pm_type);
      put_number(out, change / time);
    }
    if (!series_.singular()) out += ' ';
  }
  out += '\n';
  return {};
}

// As many digits as say something, the point always in the same column.
void ValColumns::put_number(std::string& out, double number) const {
  const bool counter = series_.desc.semantics == Semantics::counter;
  if (number < 0 && counter) {
    fmt::format_to(std::back_inserter(out), "{:>{}}", '!', width_);
  } else if (request_.digits) {
    put_fixed(out, width_, *request_.digits, number, "");
  } else if (number == 0) {
    put_short(out, width_, 0, number, ".0   ");
  } else if (number < 0.1 || number > 9999) {
    put_scientific(out, width_, number);
  } else if (number <= 0.9999) {
    put_short(out, width_, 4, number, "");
  } else if (number <= 9.999) {
    put_short(out, width_, 3, number, " ");
  } else if (number <= 99.99) {
    put_short(out, width_, 2, number, "  ");
  } else if (number <= 999.9) {
    put_short(out, width_, 1, number, "   ");
  } else {
    put_short(out, width_, 0, number, ".    ");
  }
}

std::string val_header(const ValSeries& series, const ValRequest& request, const ValPlan& plan,
                       const std::string& archive, const std::string& host, Zone& zone) {
  const bool events = is_event_type(series.desc.pm_type);
  std::string out;
  if (!events) out += fmt::format("metric:    {}\n", series.name);
  if (request.live) {
    out += fmt::format("host:      {}\n", host);
  } else {
    out += fmt::format("archive:   {}\nhost:      {}\nstart:     {}", archive, host,
                       pm_ctime(plan.start.sec, zone));
  }
  if (!request.live && plan.end.sec != kStampMax.sec)
    out += "end:       " + pm_ctime(plan.end.sec, zone);
  if (!events) {
    out +=
        fmt::format("semantics: {}\nunits:     {}\n", semantics_line(series), units_line(series));
  }
  out += plan.samples ? fmt::format("samples:   {}\n", *plan.samples) : "samples:   all\n";
  const bool grid = !request.records && (!events || request.live);
  if (grid && plan.samples.value_or(1) > 1) {
    out += fmt::format("interval:  {:.2f} sec\n", to_real(plan.interval));
  }
  return out;
}

}  // namespace pmjit
