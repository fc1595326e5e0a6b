// Parts of the picture. Private to this folder: svg.cc puts them together.
#pragma once

#include <string>
#include <string_view>

#include "runtime/report/plot/scene.h"

namespace pmjit {

// A line of text; `attributes` as they stand in the element, with a blank before each.
void put_text(std::string& out, double x, double y, std::string_view attributes,
              std::string_view text);

// Which of a panel's lines it is: its colour, as a class.
std::string line_classes(size_t series);

// Lines of the values with their numbers and units, and the area that they lie in.
void put_value_axis(std::string& out, const Scene& scene, const Panel& panel, const Frame& frame);
// Ticks below the panel with times and dates, lines above them, and the zone of the times.
void put_time_axis(std::string& out, const Scene& scene, const Panel& panel, const Frame& frame);

void put_lines(std::string& out, const Scene& scene, const Panel& panel, size_t number,
               const Frame& frame);
// Of one line that is too dense.
void put_band(std::string& out, const Scene& scene, const Panel& panel, const Frame& frame,
              LineSeries& line);
// `in_page`: both the largest values and the means, one of them hidden.
void put_heat(std::string& out, const Scene& scene, const Panel& panel, size_t number,
              const Frame& frame, bool in_page);

// Areas over the height of a panel; `attributes` as they stand in the element.
void put_spans(std::string& out, const Scene& scene, const Frame& frame,
               const std::vector<ChartSpan>& spans, std::string_view attributes);
// Of a panel with several hosts: when each of them recorded nothing.
void put_strips(std::string& out, const Scene& scene, const Frame& frame, const Panel& panel);
// Pauses, hatched over the values that go on through them, between two lines.
void put_pauses_over(std::string& out, const Scene& scene, const Frame& frame,
                     const std::vector<ChartSpan>& pauses);

// What a legend names beside the series.
struct LegendExtras {
  bool no_value = false, no_recording = false;
  bool recording_crossed = false;  // pauses that the values of rows go on through
  bool switches = false;           // to the means of a heat map
};
// The rows of the legend, the first at `frame.top`; returns how high they are.
double put_legend(std::string& out, const Scene& scene, const Panel& panel, size_t number,
                  const Frame& frame, const LegendExtras& extras);

// What stands for missing time alone, beside the head of a group.
void put_missing_legend(std::string& out, const Panel& panel, const Frame& frame,
                        const LegendExtras& extras);

// How long a cell of a heat map is, or a column of a band.
std::string cell_text(const Scene& scene);

// The picture in a page of HTML with a script of its own: the values under the pointer, and series
// that go and come by a click on the legend. Without scripts it is the picture. The page is also
// well-formed XML.
std::string html_text(Scene& scene, uint32_t reload_s);

// What a page has beyond the picture: the style of what the script adds, and the script.
std::string_view page_style();

// Without "<" and "&", so that it is the same text in HTML and in XML.
std::string_view page_script();

// The picture of a scene as SVG: a title, a panel below the other, each with its legend, axes and
// notes. It needs nothing else: no font, no script, no other file.

// What the picture is in one line, for its title.
std::string title_text(const Scene& scene);

// `in_page`: within a page of HTML, whose style and script are its own. Fills in the frames.
std::string svg_text(Scene& scene, bool in_page);

}  // namespace pmjit
