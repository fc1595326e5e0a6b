// What a page has beyond the picture: the style of what the script adds, and the script.
#pragma once

#include <string_view>

namespace pmjit {

std::string_view page_style();

// Without "<" and "&", so that it is the same text in HTML and in XML.
std::string_view page_script();

}  // namespace pmjit
