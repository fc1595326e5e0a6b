// The picture in a page of HTML with a script of its own: the values under the pointer, and series
// that go and come by a click on the legend. Without scripts it is the picture. The page is also
// well-formed XML.
#pragma once

#include <string>

#include "runtime/report/plot/scene.h"

namespace pmjit {

std::string html_text(Scene& scene);

}  // namespace pmjit
