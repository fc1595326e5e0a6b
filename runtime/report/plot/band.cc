// Bands: lines with so many values that they would be blocks of colour. The band goes from the
// least to the largest value of each column, the line in it through their means.
#include <fmt/format.h>

#include "runtime/report/plot/draw.h"
#include "runtime/report/plot/svg_text.h"

namespace pmjit {

namespace {

// Some cells of a line, side by side: wide enough for a mean to be steady.
struct BandColumn {
  LineCell cell;
  Nanos first = 0, last = 0;
};

std::vector<BandColumn> columns_of(const Scene& scene, LineSeries& line) {
  std::vector<BandColumn> out;
  const auto& cells = line.cells(scene.gather.moments().shift());
  size_t number = SIZE_MAX;
  for (size_t i = 0; i < scene.cells.size(); ++i) {
    if (!scene.cells[i].any) continue;
    if (i >> kHeatShift != number) out.push_back({.cell = {}, .first = scene.cells[i].first});
    number = i >> kHeatShift;
    out.back().cell.join(cells[i]);
    out.back().last = scene.cells[i].last;
  }
  return out;
}

class BandPainter {
 public:
  BandPainter(const Scene& scene, const Panel& panel, const Frame& frame)
      : scene_(scene), panel_(panel), frame_(frame) {}

  void add(const BandColumn& column) {
    if (!column.cell.any) return end_piece();
    if (!column.cell.joined) end_piece();
    // A piece begins where its values do.
    if (tops_.empty()) add_at(column.first, column.cell);
    add_at(column.first / 2 + column.last / 2, column.cell);
    last_ = column;
  }
  void put(std::string& out) {
    end_piece();
    fmt::format_to(std::back_inserter(out), "<path class=\"band\" d=\"{}\"/>\n", band_.text());
    fmt::format_to(std::back_inserter(out), "<path class=\"l\" d=\"{}\"/>\n", line_.text());
  }

 private:
  struct Point {
    double x, y;
  };

  void add_at(Nanos time, const LineCell& cell) {
    const double x = frame_.x(scene_.share(time));
    if (!tops_.empty() && tops_.back().x == x) return;
    tops_.push_back({x, y(cell.most)});
    bottoms_.push_back({x, y(cell.least)});
    means_.push_back({x, y(cell.mean())});
  }
  double y(double value) const { return frame_.y(panel_.axis.share(value)); }

  void end_piece() {
    if (tops_.empty()) return;
    add_at(last_.last, last_.cell);
    band_.move(tops_[0].x, tops_[0].y);
    for (const Point& point : tops_) band_.line(point.x, point.y);
    for (size_t i = bottoms_.size(); i-- > 0;) band_.line(bottoms_[i].x, bottoms_[i].y);
    band_.close();
    line_.move(means_[0].x, means_[0].y);
    for (const Point& point : means_) line_.line(point.x, point.y);
    if (means_.size() == 1) line_.stay();
    tops_.clear();
    bottoms_.clear();
    means_.clear();
  }

  const Scene& scene_;
  const Panel& panel_;
  const Frame& frame_;
  Path band_, line_;
  std::vector<Point> tops_, bottoms_, means_;
  BandColumn last_;
};

}  // namespace

void put_band(std::string& out, const Scene& scene, const Panel& panel, const Frame& frame,
              LineSeries& line) {
  BandPainter painter(scene, panel, frame);
  for (const BandColumn& column : columns_of(scene, line)) painter.add(column);
  painter.put(out);
}

}  // namespace pmjit
