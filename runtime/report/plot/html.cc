#include "runtime/report/plot/draw.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cmath>

#include "runtime/report/plot/svg_text.h"
#include "runtime/report/text/quoting.h"
#include "runtime/text/zone.h"

namespace pmjit {

namespace {

// In an element of its own neither a tag nor an entity may begin.
std::string script_json(std::string_view text) {
  std::string out;
  for (const char c : json_text(xml_safe(text))) {
    if (c == '<' || c == '&') {
      fmt::format_to(std::back_inserter(out), "\\u{:04x}", int(c));
    } else {
      out += c;
    }
  }
  return out;
}

// As many digits as anybody compares.
void put_value(std::string& out, double value, const Panel& panel) {
  if (panel.kind == Panel::Kind::truth) {
    out += value != 0 ? "\"true\"" : "\"false\"";
  } else if (!std::isfinite(value)) {
    out += value > 0 ? "\"inf\"" : "\"-inf\"";
  } else {
    constexpr int kDigits = 6;
    std::array<char, 32> text;
    const auto end = std::to_chars(text.begin(), text.end(), value * panel.axis.factor,
                                   std::chars_format::general, kDigits);
    out.append(text.begin(), end.ptr);
  }
}

void put_pair(std::string& out, double first, double second, const Panel& panel) {
  if (first == second) return put_value(out, first, panel);
  out += '[';
  put_value(out, first, panel);
  out += ',';
  put_value(out, second, panel);
  out += ']';
}

class Data {
 public:
  explicit Data(Scene& scene) : scene_(scene), start_(nanos(scene.gather.moments().first())) {}

  // {"lines":{"x":[…],"t":[…]},"heat":{…},"pauses":[[[…,…]]],"panels":[{…}]}
  std::string text() {
    std::string out = "{\"lines\":" + line_times() + ",\"heat\":" + heat_times() + ",\"pauses\":[" +
                      pauses() + "],\"panels\":[";
    for (size_t i = 0; i < scene_.panels.size(); ++i) {
      out += (i > 0 ? ",\n" : "\n") + panel(scene_.panels[i], scene_.frames[i]);
    }
    return out + "]}";
  }

 private:
  // An object of two lists: where in a panel, in shares of its width, and the time there.
  class Times {
   public:
    void add(double share, const std::string& time) {
      const std::string_view comma = x_.empty() ? "" : ",";
      x_ += fmt::format("{}{:.5g}", comma, share);
      t_ += fmt::format("{}\"{}\"", comma, time);
    }
    [[nodiscard]] std::string text() const { return "{\"x\":[" + x_ + "],\"t\":[" + t_ + "]}"; }

   private:
    std::string x_, t_;
  };

  std::string time_text(Nanos since_first) {
    return iso_local(stamp_from_nanos(start_ + since_first), scene_.zone);
  }
  std::string line_times() {
    Times out;
    for (const TimeCell& cell : scene_.cells) {
      if (!cell.any) continue;
      out.add((scene_.share(cell.first) + scene_.share(cell.last)) / 2, time_text(cell.first));
    }
    return out.text();
  }
  std::string heat_times() {
    Times out;
    for (const HeatSpan& span : scene_.heat_spans)
      out.add(scene_.share(span.from), time_text(span.from));
    return out.text();
  }

  // Of each host, from one share of the width to another.
  std::string pauses() {
    std::string out;
    for (const std::vector<ChartSpan>& of_host : scene_.pauses) {
      std::string list;
      for (const ChartSpan& pause : of_host) {
        list += fmt::format("{}[{:.5g},{:.5g}]", list.empty() ? "" : ",", scene_.share(pause.from),
                            scene_.share(pause.to));
      }
      out += (out.empty() ? "[" : ",[") + list + "]";
    }
    return out;
  }

  std::string panel(const Panel& panel, const Frame& frame) {
    std::string out = fmt::format(
        "{{\"heat\":{},\"left\":{},\"width\":{},\"top\":{},\"height\":{},\"row\":{},"
        "\"units\":{},\"series\":[",
        panel.kind != Panel::Kind::lines, px(frame.left), px(frame.width), px(frame.top),
        px(frame.height), px(frame.row), script_json(panel.units));
    for (size_t i = 0; i < panel.series.size(); ++i) {
      const PanelSeries& series = panel.series[i];
      out += fmt::format("{}{{\"label\":{},\"host\":{},\"values\":[{}]}}", i > 0 ? ",\n" : "\n",
                         script_json(series.label.empty() ? panel.title : series.label),
                         scene_.gather.host_of(series.result), values(panel, series));
    }
    return out + "]}";
  }

  // A value a time; a list of two where there are several: of lines the least and the largest, of
  // heat maps the largest and the mean.
  std::string values(const Panel& panel, const PanelSeries& series) {
    std::string out;
    Gathered& from = scene_.gather.results()[series.result];
    const uint32_t shift = scene_.gather.moments().shift();
    if (panel.kind != Panel::Kind::lines) {
      const auto& cells = from.rows[series.lane].cells(shift);
      for (const HeatSpan& span : scene_.heat_spans) put_cell(out, cells[span.cell], panel);
    } else {
      const auto& cells = from.lines[series.lane].cells(shift);
      for (size_t i = 0; i < scene_.cells.size(); ++i) {
        if (scene_.cells[i].any) put_cell(out, cells[i], panel);
      }
    }
    if (!out.empty()) out.pop_back();  // the last comma
    return out;
  }

  static void put_cell(std::string& out, const HeatCell& cell, const Panel& panel) {
    if (cell.any()) {
      put_pair(out, cell.most, panel.kind == Panel::Kind::truth ? cell.most : cell.mean(), panel);
    } else {
      out += "null";
    }
    out += ',';
  }

  static void put_cell(std::string& out, const LineCell& cell, const Panel& panel) {
    if (cell.any) {
      put_pair(out, cell.least, cell.most, panel);
    } else {
      out += cell.above ? "\"inf\"" : cell.below ? "\"-inf\"" : "null";
    }
    out += ',';
  }

  Scene& scene_;
  Nanos start_;
};

}  // namespace

std::string html_text(Scene& scene, uint32_t reload_s) {
  const std::string picture = svg_text(scene, true);
  std::string out = "<!DOCTYPE html>\n<html xmlns=\"http://www.w3.org/1999/xhtml\" lang=\"en\">\n";
  out += "<head>\n<meta charset=\"utf-8\"/>\n";
  out += "<meta name=\"viewport\" content=\"width=device-width\"/>\n";
  out += "<meta name=\"color-scheme\" content=\"light dark\"/>\n";
  if (reload_s > 0) out += fmt::format("<meta http-equiv=\"refresh\" content=\"{}\"/>\n", reload_s);
  out += "<title>" + xml_text(title_text(scene)) + "</title>\n";
  out += "<style>\n" + style_text() + std::string(page_style()) + "</style>\n</head>\n<body>\n";
  out += "<main>\n" + picture + "</main>\n<div class=\"tip\" hidden=\"hidden\"></div>\n";
  out += "<script type=\"application/json\" id=\"data\">" + Data(scene).text() + "</script>\n";
  out += "<script>\n" + std::string(page_script()) + "</script>\n</body>\n</html>\n";
  return out;
}

}  // namespace pmjit
