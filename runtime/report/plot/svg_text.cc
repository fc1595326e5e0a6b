#include "runtime/report/plot/svg_text.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <string_view>

#include "runtime/report/text/human_text.h"
#include "runtime/report/text/quoting.h"

namespace pmjit {

namespace {

constexpr double kColumn = 0.58;  // of the font's size: a letter of a sans-serif one, on average

bool is_xml(uint32_t code) {
  if (code < 0x20) return code == '\t' || code == '\n';
  return (code < 0x7f || code > 0x9f) && code != 0xfffe && code != 0xffff;
}

void put_tenths(std::string& out, int64_t tenths) {
  const int64_t size = tenths < 0 ? -tenths : tenths;
  if (tenths < 0) out += '-';
  fmt::format_to(std::back_inserter(out), "{}", size / 10);
  if (size % 10 != 0) fmt::format_to(std::back_inserter(out), ".{}", size % 10);
}

struct Colour {
  std::string_view light, dark;
};

struct StyleRule {
  std::string_view selector, property;
  Colour colour;
};

constexpr std::array<StyleRule, 19> kRules{{
    {"svg", "background", {"#ffffff", "#15181d"}}, {".page", "fill", {"#ffffff", "#15181d"}},
    {"text", "fill", {"#1f2328", "#e3e6ea"}},      {".mute", "fill", {"#59636e", "#9aa4af"}},
    {".grid", "stroke", {"#e4e7eb", "#2a2f37"}},   {".axis", "stroke", {"#8b949e", "#6b7480"}},
    {".plot", "fill", {"#fbfcfd", "#191d23"}},     {".gap", "fill", {"#f3f4f6", "#1c2027"}},
    {".hatch", "stroke", {"#d3d8de", "#3c434d"}},  {".pausing", "stroke", {"#c6ccd4", "#4a535f"}},
    {".ground", "fill", {"#f0f2f4", "#1d2229"}},   {".over", "stroke", {"#ffffff", "#15181d"}},
    {".edge", "stroke", {"#1f2328", "#e3e6ea"}},   {".rule", "stroke", {"#ffffff", "#15181d"}},
    {".t0", "stroke", {"#d5dbe2", "#39424e"}},     {".t1", "stroke", {"#d55e00", "#ff9a4d"}},
    {".cross", "stroke", {"#59636e", "#9aa4af"}},  {".tip", "background", {"#ffffff", "#22272e"}},
    {".tip", "color", {"#1f2328", "#e3e6ea"}},
}};

// Found by search: CIELAB differences of 32 at least to everybody (Machado's matrices for those who
// see two colours), contrast to the ground of 3 at least.
constexpr std::array<Colour, kLineColours> kLineColoursAt{{{"#00357c", "#0078cc"},
                                                           {"#8e2700", "#c94112"},
                                                           {"#3ea466", "#32eb8e"},
                                                           {"#e265b2", "#a65477"},
                                                           {"#af9000", "#e9c800"},
                                                           {"#4f2f33", "#c5d6ea"}}};

// On a dark page the least are dark.
constexpr std::array<std::string_view, kHeatColours> kHeat{"#ffffd9", "#edf8b1", "#c7e9b4",
                                                           "#7fcdbb", "#41b6c4", "#1d91c0",
                                                           "#225ea8", "#253494", "#081d58"};

constexpr std::string_view kShapes =
    "svg{color-scheme:light dark}\n"
    "text{font-family:system-ui,-apple-system,\"Segoe UI\",Roboto,\"DejaVu Sans\",sans-serif;"
    "font-size:11px;stroke:none}\n"
    ".head{font-size:18px;font-weight:600}\n"
    ".title{font-size:13px;font-weight:600}\n"
    ".unit{font-weight:400;font-size:11px}\n"
    ".right{text-anchor:end}.mid{text-anchor:middle}\n"
    ".grid,.axis,.hatch,.cross,.rule,.pausing,.edge{stroke-width:1;fill:none}\n"
    ".over{stroke-width:2;fill:none;stroke-opacity:.75}.edge{stroke-dasharray:3 2}\n"
    ".grid,.axis,.rule{shape-rendering:crispEdges}\n"
    ".l,.dots{fill:none;stroke-linejoin:round;stroke-linecap:round}\n"
    ".l{stroke-width:1.5}.dense{stroke-width:1.1}\n"
    ".dots{stroke-width:4.4}\n"
    ".w1 .l{stroke-width:3.8}.w2 .l{stroke-width:6.2}.w3 .l{stroke-width:8.6}\n"
    ".w1 .dots{stroke-width:7.4}.w2 .dots{stroke-width:10.2}.w3 .dots{stroke-width:13}\n"
    ".band{stroke:none;fill-opacity:.3}\n"
    ".small{font-weight:600}\n"
    ".mark{stroke:none}\n"
    ".heat path{fill:none;shape-rendering:crispEdges}\n"
    ".hit{fill:transparent}\n";

void put_colours(std::string& out, bool dark) {
  const auto add = [&](std::string_view selector, std::string_view property, const Colour& colour) {
    fmt::format_to(std::back_inserter(out), "{}{{{}:{}}}\n", selector, property,
                   dark ? colour.dark : colour.light);
  };
  for (const StyleRule& rule : kRules) add(rule.selector, rule.property, rule.colour);
  for (size_t i = 0; i < kLineColoursAt.size(); ++i) {
    add(fmt::format(".s{}", i), "stroke", kLineColoursAt[i]);
    add(fmt::format(".s{}", i), "fill", kLineColoursAt[i]);
  }
  for (size_t i = 0; i < kHeat.size(); ++i) {
    add(fmt::format(".c{}", i), "stroke", {kHeat[i], kHeat[kHeat.size() - 1 - i]});
  }
}

}  // namespace

std::string xml_safe(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const Utf8Char c = first_char(text);
    out += c.valid && is_xml(c.code) ? text.substr(0, c.bytes) : "\xef\xbf\xbd";
    text.remove_prefix(c.bytes);
  }
  return out;
}

std::string xml_text(std::string_view text) {
  std::string out;
  for (const char c : xml_safe(text)) {
    if (c == '<' || c == '>' || c == '&' || c == '"' || c == '\'') {
      fmt::format_to(std::back_inserter(out), "&#{};", int{c});
    } else {
      out += c;
    }
  }
  return out;
}

double text_width(std::string_view text, double size) {
  return static_cast<double>(display_width(text)) * size * kColumn;
}

std::string fitted(std::string_view text, double width, double size) {
  return fit(text, width <= 0 ? 0 : static_cast<size_t>(width / (size * kColumn)));
}

std::string fitted_middle(std::string_view text, double width, double size) {
  const auto room = width <= 0 ? size_t{0} : static_cast<size_t>(width / (size * kColumn));
  if (display_width(text) <= room || room < 3) return fit(text, room);
  const size_t tail = (room - 1) / 2;
  std::string_view end = text;
  while (display_width(end) > tail) end.remove_prefix(first_char(end).bytes);
  // fit() ends it with the "…" that stands in the middle.
  return fit(text, room - display_width(end)) + fit(end, tail);
}

// A sign separates numbers as well as a blank does.
void Path::number(int64_t tenths) {
  const bool after_number = !out_.empty() && out_.back() >= '0' && out_.back() <= '9';
  if (after_number && tenths >= 0) out_ += ' ';
  put_tenths(out_, tenths);
}

void Path::move(double x, double y) {
  x_ = std::llround(x * 10);
  y_ = std::llround(y * 10);
  out_ += 'M';
  number(x_);
  number(y_);
}

void Path::line(double x, double y) {
  const int64_t dx = std::llround(x * 10) - x_, dy = std::llround(y * 10) - y_;
  if (dx == 0 && dy == 0) return;
  out_ += dy == 0 ? 'h' : dx == 0 ? 'v' : 'l';
  if (dx != 0) number(dx);
  if (dy != 0) number(dy);
  x_ += dx;
  y_ += dy;
}

std::string px(double length) {
  std::string out;
  put_tenths(out, std::llround(length * 10));
  return out;
}

std::string style_text() {
  std::string out(kShapes);
  put_colours(out, false);
  out += "@media (prefers-color-scheme: dark){\n";
  put_colours(out, true);
  return out + "}\n";
}

}  // namespace pmjit
