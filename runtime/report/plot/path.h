// Path: the data of an SVG path, short: tenths of a pixel, each point relative to the one before.
#pragma once

#include <cstdint>
#include <string>

namespace pmjit {

class Path {
 public:
  void move(double x, double y);
  void line(double x, double y);  // nothing where it would go nowhere
  void stay() { out_ += "h0"; }   // a stroke of no length: a dot, where ends are round
  void close() { out_ += 'z'; }
  [[nodiscard]] bool empty() const { return out_.empty(); }
  [[nodiscard]] const std::string& text() const { return out_; }

 private:
  void number(int64_t tenths);
  std::string out_;
  int64_t x_ = 0, y_ = 0;  // in tenths
};

// A length in an attribute, in tenths: "12.5", "12".
std::string px(double length);

}  // namespace pmjit
