// The lines of a panel. A path goes through the first, least, largest and last value of each cell,
// in the order in which they came; where a value is missing it ends. A value between two gaps, and
// every value of a short series, is a dot.
#include <fmt/format.h>

#include "runtime/report/plot/draw.h"
#include "runtime/report/plot/svg_text.h"

namespace pmjit {

namespace {

constexpr uint64_t kDotsMax = 60;      // times, beyond which values are not dotted
constexpr uint64_t kDenseLeast = 512;  // times, from which on lines are thinner
constexpr double kMark = 4;            // half a triangle

class LinePainter {
 public:
  LinePainter(const Scene& scene, const Panel& panel, const Frame& frame, bool steps)
      : scene_(scene),
        panel_(panel),
        frame_(frame),
        steps_(steps),
        all_dots_(scene.gather.moments().count() <= kDotsMax) {}

  void add(const LineCell& cell, const TimeCell& time) {
    const double from = scene_.x(time.first), to = scene_.x(time.last);
    if (cell.above) mark((from + to) / 2, frame_.top + 1, 2 * kMark);
    if (cell.below) mark((from + to) / 2, frame_.top + frame_.height - 1, -2 * kMark);
    if (!cell.any) return;
    point(from, cell.first, cell.joined);
    if (from == to && cell.first == cell.last && cell.least == cell.most) return;
    const double early = from + (to - from) / 3, late = to - (to - from) / 3;
    point(early, cell.least_first ? cell.least : cell.most, cell.whole);
    point(late, cell.least_first ? cell.most : cell.least, true);
    point(to, cell.last, cell.whole);
  }

  void put(std::string& out) {
    end_piece();
    const bool dense = scene_.gather.moments().count() >= kDenseLeast;
    if (!line_.empty()) {
      fmt::format_to(std::back_inserter(out), "<path class=\"l{}\" d=\"{}\"/>\n",
                     dense ? " dense" : "", line_.text());
    }
    if (!dots_.empty()) {
      fmt::format_to(std::back_inserter(out), "<path class=\"dots\" d=\"{}\"/>\n", dots_.text());
    }
    if (!marks_.empty()) {
      fmt::format_to(std::back_inserter(out), "<path class=\"mark\" d=\"{}\"/>\n", marks_.text());
    }
  }

 private:
  void point(double x, double value, bool joined) {
    const double y = frame_.y(panel_.axis.share(value));
    if (!joined || points_ == 0) {
      end_piece();
      line_.move(x, y);
    } else {
      if (steps_) line_.line(x, y_);
      line_.line(x, y);
    }
    ++points_;
    x_ = x, y_ = y;
    if (all_dots_) dot();
  }
  // A piece of one point is no line.
  void end_piece() {
    if (points_ == 1 && !all_dots_) dot();
    points_ = 0;
  }
  void dot() {
    dots_.move(x_, y_);
    dots_.stay();
  }
  // A triangle at the edge that points out of it.
  void mark(double x, double edge, double height) {
    marks_.move(x, edge);
    marks_.line(x + kMark, edge + height);
    marks_.line(x - kMark, edge + height);
    marks_.close();
  }

  const Scene& scene_;
  const Panel& panel_;
  const Frame& frame_;
  bool steps_, all_dots_;
  Path line_, dots_, marks_;
  uint64_t points_ = 0;  // of the piece at hand
  double x_ = 0, y_ = 0;
};

}  // namespace

std::string line_classes(size_t series) {
  return fmt::format("s{}{}", series % kLineColours, series < kLineColours ? "" : " d");
}

void put_lines(std::string& out, const Scene& scene, const Panel& panel, size_t number,
               const Frame& frame) {
  for (size_t i = 0; i < panel.series.size(); ++i) {
    LineSeries& line = scene.gather.results()[panel.series[i].result].lines[panel.series[i].lane];
    const auto& cells = line.cells(scene.gather.moments().shift());
    LinePainter painter(scene, panel, frame, line.discrete());
    for (size_t cell = 0; cell < scene.cells.size(); ++cell) {
      painter.add(cells[cell], scene.cells[cell]);
    }
    fmt::format_to(std::back_inserter(out), "<g id=\"p{}s{}\" class=\"{}\">\n", number, i,
                   line_classes(i));
    painter.put(out);
    out += "</g>\n";
  }
}

}  // namespace pmjit
