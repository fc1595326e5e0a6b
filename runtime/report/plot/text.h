// Text for XML: escaped, and without characters that XML has no place for.
#pragma once

#include <string>
#include <string_view>

namespace pmjit {

// As content, or in an attribute with double or single quotes. What is not UTF-8 and what XML
// forbids (control characters, U+FFFE, U+FFFF) becomes U+FFFD.
std::string xml_text(std::string_view text);

// The same replacements without the escapes.
std::string xml_safe(std::string_view text);

// About how wide the text is in a font of `size` pixels: nobody knows the reader's fonts.
double text_width(std::string_view text, double size);

// As much of it as is about `width` wide, with "…" where something is missing.
std::string fitted(std::string_view text, double width, double size);

}  // namespace pmjit
