// The lines of a panel. A path goes through the first, least, largest and last value of each cell,
// in the order in which they came; where a value is missing it ends. A value between two gaps, and
// every value of a short series, is a dot. Lines that others would cover are wider than those.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "runtime/report/plot/draw.h"
#include "runtime/report/plot/svg_text.h"

namespace pmjit {

namespace {

constexpr uint64_t kDotsMax = 60;      // times, beyond which values are not dotted
constexpr uint64_t kDenseLeast = 512;  // times, from which on lines are thinner
constexpr double kMark = 4;            // half a triangle
constexpr double kNear = 1.5;          // pixels: less apart, one line covers the other
constexpr double kCovered = 0.7;       // of a line: then it needs to be wider
constexpr size_t kWidestLevel = 3;     // classes w1 … w3

class LinePainter {
 public:
  // `dots`: of every value; else only of one that stands alone.
  LinePainter(const Scene& scene, const Panel& panel, const Frame& frame, bool steps, bool dots)
      : scene_(scene), panel_(panel), frame_(frame), steps_(steps), all_dots_(dots) {}

  void add(const LineCell& cell, const TimeCell& time) {
    if (!cell.any) return;
    const double from = x(time.first), to = x(time.last);
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
  }

 private:
  double x(Nanos time) const { return frame_.x(scene_.share(time)); }
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

  const Scene& scene_;
  const Panel& panel_;
  const Frame& frame_;
  bool steps_, all_dots_;
  Path line_, dots_;
  uint64_t points_ = 0;  // of the piece at hand
  double x_ = 0, y_ = 0;
};

// A triangle at the edge that points out of it.
void add_mark(Path& marks, double x, double edge, double height) {
  marks.move(x, edge);
  marks.line(x + kMark, edge + height);
  marks.line(x - kMark, edge + height);
  marks.close();
}

// Where values are infinite.
void put_marks(std::string& out, const Scene& scene, const Frame& frame,
               const Buckets<LineCell, kLineCells>& cells) {
  Path marks;
  for (size_t i = 0; i < scene.cells.size(); ++i) {
    const TimeCell& time = scene.cells[i];
    const double x = frame.x((scene.share(time.first) + scene.share(time.last)) / 2);
    if (cells[i].above) add_mark(marks, x, frame.top + 1, 2 * kMark);
    if (cells[i].below) add_mark(marks, x, frame.bottom() - 1, -2 * kMark);
  }
  if (marks.empty()) return;
  fmt::format_to(std::back_inserter(out), "<path class=\"mark\" d=\"{}\"/>\n", marks.text());
}

LineSeries& line_of(const Scene& scene, const PanelSeries& series) {
  return scene.gather.results()[series.result].lines[series.lane];
}

// Would a line hide a good part of the one that is drawn before it?
bool covers(const Scene& scene, const Panel& panel, const Frame& frame, size_t before,
            size_t after) {
  const uint32_t shift = scene.gather.moments().shift();
  const auto& below = line_of(scene, panel.series[before]).cells(shift);
  const auto& above = line_of(scene, panel.series[after]).cells(shift);
  const auto y = [&](double value) { return frame.y(panel.axis.share(value)); };
  size_t all = 0, near = 0;
  for (size_t i = 0; i < scene.cells.size(); ++i) {
    if (!below[i].any) continue;
    ++all;
    near += above[i].any && std::abs(y(below[i].least) - y(above[i].least)) < kNear &&
            std::abs(y(below[i].most) - y(above[i].most)) < kNear;
  }
  return near > 0 && static_cast<double>(near) >= kCovered * static_cast<double>(all);
}

// How much wider each line is: one step more than the widest that covers it.
std::vector<size_t> levels_of(const Scene& scene, const Panel& panel, const Frame& frame) {
  std::vector<size_t> levels(panel.series.size());
  for (size_t i = levels.size(); i-- > 0;) {
    for (size_t after = i + 1; after < levels.size(); ++after) {
      if (levels[after] < levels[i]) continue;  // it changes nothing
      if (covers(scene, panel, frame, i, after)) levels[i] = levels[after] + 1;
    }
    levels[i] = std::min(levels[i], kWidestLevel);
  }
  return levels;
}

}  // namespace

std::string line_classes(size_t series) {
  static_assert(kTogetherMax <= kLineColours);
  return fmt::format("s{}", series % kLineColours);
}

void put_lines(std::string& out, const Scene& scene, const Panel& panel, size_t number,
               const Frame& frame) {
  const std::vector<size_t> levels = levels_of(scene, panel, frame);
  for (size_t i = 0; i < panel.series.size(); ++i) {
    LineSeries& line = line_of(scene, panel.series[i]);
    const auto& cells = line.cells(scene.gather.moments().shift());
    fmt::format_to(std::back_inserter(out), "<g id=\"p{}s{}\" class=\"{}{}\">\n", number, i,
                   line_classes(i), levels[i] > 0 ? fmt::format(" w{}", levels[i]) : "");
    if (scene.bands && !line.discrete()) {
      put_band(out, scene, panel, frame, line);
    } else {
      const bool dots =
          scene.gather.moments().count() <= kDotsMax && !panel.small && levels[i] == 0;
      LinePainter painter(scene, panel, frame, line.discrete(), dots);
      for (size_t cell = 0; cell < scene.cells.size(); ++cell) {
        painter.add(cells[cell], scene.cells[cell]);
      }
      painter.put(out);
    }
    put_marks(out, scene, frame, cells);
    out += "</g>\n";
  }
}

}  // namespace pmjit
