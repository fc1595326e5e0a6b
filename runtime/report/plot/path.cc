#include "runtime/report/plot/path.h"

#include <fmt/format.h>

#include <cmath>

namespace pmjit {

namespace {

void put_tenths(std::string& out, int64_t tenths) {
  const int64_t size = tenths < 0 ? -tenths : tenths;
  if (tenths < 0) out += '-';
  fmt::format_to(std::back_inserter(out), "{}", size / 10);
  if (size % 10 != 0) fmt::format_to(std::back_inserter(out), ".{}", size % 10);
}

}  // namespace

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

}  // namespace pmjit
