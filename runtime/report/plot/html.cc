#include "runtime/report/plot/draw.h"

#include <fmt/format.h>

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
std::string shown(double value, const Panel& panel) {
  if (panel.kind == Panel::Kind::truth) return value != 0 ? "\"true\"" : "\"false\"";
  if (!std::isfinite(value)) return value > 0 ? "\"inf\"" : "\"-inf\"";
  return fmt::format("{:.6g}", value * panel.axis.factor);
}

class Data {
 public:
  explicit Data(Scene& scene) : scene_(scene), start_(nanos(scene.gather.moments().first())) {}

  // {"lines":{"x":[…],"t":[…]},"heat":{…},"panels":[{…}]}
  std::string text() {
    std::string out = "{\"lines\":" + line_times() + ",\"heat\":" + heat_times() + ",\"panels\":[";
    for (size_t i = 0; i < scene_.panels.size(); ++i) {
      out += (i > 0 ? ",\n" : "\n") + panel(scene_.panels[i], scene_.frames[i]);
    }
    return out + "]}";
  }

 private:
  // An object of two lists: where in the picture, and the time there.
  class Times {
   public:
    void add(double x, const std::string& time) {
      const std::string_view comma = x_.empty() ? "" : ",";
      x_ += fmt::format("{}{}", comma, px(x));
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
      out.add((scene_.x(cell.first) + scene_.x(cell.last)) / 2, time_text(cell.first));
    }
    return out.text();
  }
  std::string heat_times() {
    Times out;
    for (const HeatSpan& span : scene_.heat_spans)
      out.add(scene_.x(span.from), time_text(span.from));
    return out.text();
  }

  std::string panel(const Panel& panel, const Frame& frame) {
    std::string out =
        fmt::format("{{\"heat\":{},\"top\":{},\"height\":{},\"row\":{},\"units\":{},\"series\":[",
                    panel.kind != Panel::Kind::lines, px(frame.top), px(frame.height),
                    px(frame.row), script_json(panel.units));
    for (size_t i = 0; i < panel.series.size(); ++i) {
      const PanelSeries& series = panel.series[i];
      out += fmt::format("{}{{\"label\":{},\"values\":[{}]}}", i > 0 ? ",\n" : "\n",
                         script_json(series.label.empty() ? panel.title : series.label),
                         values(panel, series));
    }
    return out + "]}";
  }

  // A value a time; a list of the least and the largest where there are several.
  std::string values(const Panel& panel, const PanelSeries& series) {
    std::string out;
    const auto add = [&](const std::string& value) {
      if (!first_) out += ',';
      first_ = false;
      out += value;
    };
    first_ = true;
    Gathered& from = scene_.gather.results()[series.result];
    const uint32_t shift = scene_.gather.moments().shift();
    if (panel.kind != Panel::Kind::lines) {
      const auto& cells = from.rows[series.lane].cells(shift);
      for (const HeatSpan& span : scene_.heat_spans) {
        const HeatCell& cell = cells[span.cell];
        add(cell.any ? shown(cell.most, panel) : "null");
      }
      return out;
    }
    const auto& cells = from.lines[series.lane].cells(shift);
    for (size_t i = 0; i < scene_.cells.size(); ++i) {
      if (scene_.cells[i].any) add(line_value(cells[i], panel));
    }
    return out;
  }

  static std::string line_value(const LineCell& cell, const Panel& panel) {
    if (!cell.any) return cell.above ? "\"inf\"" : cell.below ? "\"-inf\"" : "null";
    if (cell.least == cell.most) return shown(cell.least, panel);
    return fmt::format("[{},{}]", shown(cell.least, panel), shown(cell.most, panel));
  }

  Scene& scene_;
  Nanos start_;
  bool first_ = true;
};

}  // namespace

std::string html_text(Scene& scene) {
  const std::string picture = svg_text(scene, true);
  std::string out = "<!DOCTYPE html>\n<html xmlns=\"http://www.w3.org/1999/xhtml\" lang=\"en\">\n";
  out += "<head>\n<meta charset=\"utf-8\"/>\n";
  out += "<meta name=\"viewport\" content=\"width=device-width\"/>\n";
  out += "<meta name=\"color-scheme\" content=\"light dark\"/>\n";
  out += "<title>" + xml_text(title_text(scene)) + "</title>\n";
  out += "<style>\n" + style_text() + std::string(page_style()) + "</style>\n</head>\n<body>\n";
  out += "<main>\n" + picture + "</main>\n<div class=\"tip\" hidden=\"hidden\"></div>\n";
  out += "<script type=\"application/json\" id=\"data\">" + Data(scene).text() + "</script>\n";
  out += "<script>\n" + std::string(page_script()) + "</script>\n</body>\n</html>\n";
  return out;
}

}  // namespace pmjit
