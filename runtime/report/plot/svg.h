// The picture of a scene as SVG: a title, a panel below the other, each with its legend, axes and
// notes. It needs nothing else: no font, no script, no other file.
#pragma once

#include <string>

#include "runtime/report/plot/scene.h"

namespace pmjit {

// What the picture is in one line, for its title.
std::string title_text(const Scene& scene);

// `in_page`: within a page of HTML, whose style and script are its own. Fills in the frames.
std::string svg_text(Scene& scene, bool in_page);

}  // namespace pmjit
