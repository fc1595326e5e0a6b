#include "runtime/cmd/pmval/columns.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "runtime/model/atom.h"
#include "runtime/model/float_text.h"
#include "runtime/model/pm_type.h"
#include "runtime/model/print_value.h"
#include "runtime/model/time_text.h"

namespace pmjit {

namespace {

constexpr int kWidthOf32 = 11, kWidthOfFloat = 13, kWidthOfOthers = 21;

int natural_width(int pm_type) {
  if (pm_type == pm_type::i32 || pm_type == pm_type::u32) return kWidthOf32;
  if (is_event_type(pm_type)) return 0;
  return pm_type == pm_type::f32 ? kWidthOfFloat : kWidthOfOthers;
}

bool is_real(int pm_type) { return pm_type == pm_type::f32 || pm_type == pm_type::f64; }

std::optional<double> number_of(const FetchedSet& set, const Value& value, int pm_type) {
  const auto atom = atom_of(set.format, pm_type, value, pm_type::f64);
  if (!atom) return std::nullopt;
  return atom->f64;
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
  out.append(static_cast<size_t>(kStampWidths[std::min(request_.stamp_detail, 2)]), ' ');
  for (const auto& column : series_.columns) {
    fmt::format_to(std::back_inserter(out), "{:>{}.{}}{:{}} ", column.name, width - shift,
                   width - shift, "", shift);
  }
  out += "\n";
}

void ValColumns::put_stamp(std::string& out, Stamp stamp, Zone& zone) const {
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

void ValColumns::put_value(std::string& out, const FetchedSet& set, const Value& value,
                           Zone& zone) const {
  const int type = series_.desc.pm_type;
  const auto number = is_real(type) ? number_of(set, value, type) : std::nullopt;
  if (number)
    put_number(out, *number);
  else
    append_value(out, set.format, type, value, {.min_width = width_, .zone = zone});
}

void ValColumns::put_values(std::string& out, const FetchedSet& set, Zone& zone) {
  if (series_.singular()) {
    put_value(out, set, set.values.front(), zone);
  } else {
    for (size_t i = 0; i < series_.columns.size(); ++i) {
      const Value* value = find(set, i);
      if (value != nullptr)
        put_value(out, set, *value, zone);
      else
        put_missing(out);
      out += ' ';
    }
    out += '\n';
    put_unknown(out, set, zone);
    return;
  }
  out += '\n';
}

// Instances that no domain record names have no column.
void ValColumns::put_unknown(std::string& out, const FetchedSet& set, Zone& zone) const {
  if (series_.chosen) return;
  for (const Value& value : set.values) {
    const auto by_instance = &ValSeries::Column::instance;
    if (std::ranges::binary_search(series_.columns, value.instance, {}, by_instance)) continue;
    out += "Warning: value=";
    append_value(out, set.format, series_.desc.pm_type, value, {.min_width = 1, .zone = zone});
    fmt::format_to(std::back_inserter(out), ", but instance={} is unknown\n", value.instance);
  }
}

void ValColumns::put_rates(std::string& out, const FetchedSet& before, const FetchedSet& now,
                           double seconds) {
  const int type = series_.desc.pm_type;
  const auto put = [&](const Value* then, const Value* value) {
    const auto from = then != nullptr ? number_of(before, *then, type) : std::nullopt;
    const auto to = value != nullptr ? number_of(now, *value, type) : std::nullopt;
    if (!from || !to) return put_missing(out);
    double change = *to - *from;
    if (change < 0 && wrap_) change += wrap_of(type);
    put_number(out, change / (seconds * series_.time_scale));
  };
  if (series_.singular()) {
    put(before.values.empty() ? nullptr : &before.values.front(), &now.values.front());
  } else {
    for (size_t i = 0; i < series_.columns.size(); ++i) {
      put(find(before, i), find(now, i));
      out += ' ';
    }
  }
  out += '\n';
}

// As many digits as say something, the point always in the same column.
void ValColumns::put_number(std::string& out, double number) const {
  const bool counter = series_.desc.semantics == Semantics::counter;
  if (number < 0 && counter) {
    fmt::format_to(std::back_inserter(out), "{:>{}}", '!', width_);
  } else if (request_.digits) {
    put_fixed(out, width_, *request_.digits, number, "");
  } else if (number == 0) {
    put_fixed(out, width_, 0, number, ".0   ");
  } else if (number < 0.1 || number > 9999) {
    fmt::format_to(std::back_inserter(out), "{:>{}.3E}", number, width_);
  } else if (number <= 0.9999) {
    put_fixed(out, width_, 4, number, "");
  } else if (number <= 9.999) {
    put_fixed(out, width_, 3, number, " ");
  } else if (number <= 99.99) {
    put_fixed(out, width_, 2, number, "  ");
  } else if (number <= 999.9) {
    put_fixed(out, width_, 1, number, "   ");
  } else {
    put_fixed(out, width_, 0, number, ".    ");
  }
}

}  // namespace pmjit
