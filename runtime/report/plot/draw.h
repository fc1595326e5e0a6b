// Parts of the picture. Private to this folder: svg.h puts them together.
#pragma once

#include <string>

#include "runtime/report/plot/scene.h"

namespace pmjit {

// A line of text; `attributes` as they stand in the element, with a blank before each.
void put_text(std::string& out, double x, double y, std::string_view attributes,
              std::string_view text);

// Which of a panel's lines it is: colour and dashes, as classes.
std::string line_classes(size_t series);

// Lines of the values with their numbers, and the area that they lie in.
void put_value_axis(std::string& out, const Scene& scene, const Panel& panel, const Frame& frame);
// Ticks below the panel with times and dates, and lines above them.
void put_time_axis(std::string& out, Scene& scene, const Frame& frame);

void put_lines(std::string& out, const Scene& scene, const Panel& panel, size_t number,
               const Frame& frame);
void put_heat(std::string& out, const Scene& scene, const Panel& panel, const Frame& frame);

// The rows of the legend, the first at `top`; returns how high they are.
double put_legend(std::string& out, const Scene& scene, const Panel& panel, size_t number,
                  double top);

}  // namespace pmjit
