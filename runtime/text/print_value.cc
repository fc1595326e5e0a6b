#include "runtime/text/print_value.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstring>
#include <iterator>

#include "runtime/model/event_array.h"
#include "runtime/model/pm_codes.h"
#include "runtime/model/value.h"
#include "runtime/text/float_text.h"
#include "runtime/text/zone.h"

namespace pmjit {

namespace {

// Appends what `write` puts into a buffer, padded as printf's %*d pads.
template <class Write>
void append_number(std::string& out, int width, Write write) {
  char text[kFloatTextMax];
  const auto size = static_cast<size_t>(write(text) - text);
  const auto wanted = static_cast<size_t>(std::abs(width));
  if (wanted <= size) {
    out.append(text, size);
    return;
  }
  if (width > 0) out.append(wanted - size, ' ');
  out.append(text, size);
  if (width < 0) out.append(wanted - size, ' ');
}

template <class T>
void append_integer(std::string& out, int width, T value, int base = 10) {
  append_number(out, width,
                [=](char* to) { return std::to_chars(to, to + kFloatTextMax, value, base).ptr; });
}
void append_f32(std::string& out, int width, float value) {
  append_number(out, width, [=](char* to) { return write_f32(to, value); });
}
void append_f64(std::string& out, int width, double value) {
  append_number(out, width, [=](char* to) { return write_f64(to, value); });
}

// Blanks so that a text with two marks around it (quotes, brackets) takes `width`.
void append_blanks(std::string& out, int width, size_t text) {
  const auto size = static_cast<int64_t>(text) + 2;
  if (width > size) out.append(static_cast<size_t>(width - size), ' ');
}

void append_quoted(std::string& out, int width, std::string_view text) {
  append_blanks(out, width, text.size());
  out += '"';
  out += text;
  out += '"';
}

void append_hex(std::string& out, int width, Bytes bytes) {
  static constexpr char kDigits[] = "0123456789abcdef";
  append_blanks(out, width, 2 * bytes.size());
  out += '[';
  for (const std::byte b : bytes) {
    out += kDigits[std::to_integer<unsigned>(b) >> 4];
    out += kDigits[std::to_integer<unsigned>(b) & 0xf];
  }
  out += ']';
}

template <class T>
T read_as(Bytes bytes) {
  T value;
  std::memcpy(&value, bytes.data(), sizeof value);
  return value;
}

bool is_printable(std::byte b) { return b >= std::byte{' '} && b <= std::byte{'~'}; }

// A block of a type that nobody knows, shown as everything that it could be.
void append_anything(std::string& out, int width, Bytes bytes) {
  if (bytes.size() == sizeof(uint64_t)) {
    append_integer(out, width, read_as<uint64_t>(bytes));
    out += ' ';
    if (const auto number = read_as<double>(bytes); !std::isnan(number)) {
      append_f64(out, width, number);
      out += ' ';
    }
  }
  if (bytes.size() == sizeof(float)) {
    if (const auto number = read_as<float>(bytes); !std::isnan(number)) {
      append_f32(out, width, number);
      out += ' ';
    }
  }
  if (std::all_of(bytes.begin(), bytes.end(), is_printable)) {
    append_quoted(out, width, {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
    out += ' ';
  }
  append_hex(out, width, bytes);
}

// A word of a type that words do not have, the same.
void append_any_word(std::string& out, int width, uint32_t word) {
  append_integer(out, width, word);
  if (const auto number = std::bit_cast<float>(word); !std::isnan(number)) {
    out += ' ';
    append_f32(out, width, number);
  }
  out += " 0x";
  append_integer(out, width > 2 ? width - 2 : width, word, 16);
}

// In the place of an event array: what pmlogger says to its control program.
void append_control_report(std::string& out, uint32_t word) {
  static constexpr std::array<std::string_view, 4> kStates{"nl", "nl", "na", ""};
  fmt::format_to(std::back_inserter(out), "[pmlc control {} {} {} {}]",
                 (word & 2) != 0 ? "mand" : "adv", (word & 1) != 0 ? "on" : "off",
                 kStates[(word >> 2) & 3], word >> 4);
}

// The reference walks from record to record to find the last time, but stays where it is at one
// that says "missed": the time printed as the last is then that of the first missed record, which
// is also counted again for every record behind it. The output is its, so the walk is too.
struct EventsWalk {
  EventHeader last{};
  bool ok = true;       // false: the array ends before the last record
  uint32_t missed = 0;  // wraps as the reference's int does
};

EventsWalk walk_to_last(EventBytes in, bool highres, uint32_t count) {
  EventsWalk out;
  for (uint32_t i = 0; i < count && in.ok(); ++i) {
    out.last = take_event_header(in, highres);
    const uint32_t behind = count - 1 - i;
    if ((out.last.flags & kEventMissed) != 0) {
      out.missed = behind * static_cast<uint32_t>(out.last.parameters);
      break;
    }
    if (behind == 0) break;
    for (int32_t p = 0; p < out.last.parameters && in.ok(); ++p) (void)take_parameter(in);
  }
  out.ok = in.ok();
  return out;
}

}  // namespace

void append_value(std::string& out, ValueFormat format, int type, const Value& value,
                  const ValuePrinting& how) {
  const int width = how.min_width;
  const bool in_place = format == ValueFormat::in_place;
  if (!in_place && format != ValueFormat::block && format != ValueFormat::shared_block) {
    fmt::format_to(std::back_inserter(out), "pmPrintValue: bad valfmt ({})?\n",
                   static_cast<int>(format));
    return;
  }
  if (is_event_type(type)) {
    if (in_place) return append_control_report(out, value.word);
    return append_event_summary(out, value, type == pm_type::highres_event, how.zone);
  }
  if (const OrPmError<Atom> atom = load_atom(format, type, value); atom) {
    switch (type) {
      case pm_type::i32: return append_integer(out, width, atom->i32);
      case pm_type::u32: return append_integer(out, width, atom->u32);
      case pm_type::i64: return append_integer(out, width, atom->i64);
      case pm_type::u64: return append_integer(out, width, atom->u64);
      case pm_type::f32: return append_f32(out, width, atom->f32);
      case pm_type::f64: return append_f64(out, width, atom->f64);
      case pm_type::string: return append_quoted(out, width, atom->text());
      default: break;  // aggregates, and words of an unknown type
    }
  }
  if (in_place) return append_any_word(out, width, value.word);
  append_anything(out, width, value.block);
}

void append_event_summary(std::string& out, const Value& value, bool highres, const Zone& zone) {
  EventBytes in(value.block);
  const auto count = in.take<int32_t>();
  fmt::format_to(std::back_inserter(out), "[{} event record{}", count, count == 1 ? "" : "s");
  const auto append_time = [&](Stamp stamp, bool known) {
    if (!known) {
      out += '?';  // the array is cut short
      return;
    }
    put_time_of_day(out, stamp, highres ? Fraction::nano : Fraction::milli, zone);
  };
  if (count > 0) {
    EventBytes at_first = in;
    const EventHeader first = take_event_header(at_first, highres);
    const EventsWalk walk = walk_to_last(in, highres, static_cast<uint32_t>(count));
    if (const auto missed = static_cast<int32_t>(walk.missed); missed > 0) {
      fmt::format_to(std::back_inserter(out), " ({} missed)", missed);
    }
    out += count == 1 ? " timestamp " : " timestamps ";
    append_time(first.stamp, at_first.ok());
    if (count > 1) {
      out += "...";
      append_time(walk.last.stamp, walk.ok);
    }
  }
  out += ']';
}

std::string desc_type_text(int pm_type) {
  const std::string_view title = pm_type_title(pm_type);
  return title.empty() ? fmt::format("??? ({})", pm_type) : std::string(title);
}

std::string desc_semantics_text(Semantics semantics) {
  const std::string_view text = semantics_text(semantics);
  return text == "???" ? fmt::format("??? ({})", static_cast<int>(semantics)) : std::string(text);
}

std::string desc_units_text(Units units) {
  std::string text = units_text(units);
  return text.empty() ? "none" : text;
}

void append_desc(std::string& out, const Desc& desc) {
  out += "    Data Type: ";
  if (desc.pm_type == pm_type::nosupport) {
    out += "Not Supported\n";
    return;
  }
  fmt::format_to(std::back_inserter(out), "{}  InDom: {} {:#x}\n    Semantics: {}  Units: {}\n",
                 desc_type_text(desc.pm_type), indom_text(desc.indom), desc.indom,
                 desc_semantics_text(desc.semantics), desc_units_text(desc.units));
}

}  // namespace pmjit
