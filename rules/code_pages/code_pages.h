// The pages of docs/codes, one for each code that a message carries. The build embeds them, so that
// `pmjit explain D02` needs no files.
//
//   const CodePage* page = find_code_page("d02");   // page->title is "&& beside ||"
//   for (const CodePage& each : code_pages()) …     // by letter, then by number
//
// tests/cmd/explain_codes holds the pages to the tables of codes.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace pmjit {

struct CodePage {
  std::string_view code, title;
  std::string_view text;  // the whole file, in the part of Markdown that code_pages/README.md names
};

std::span<const CodePage> code_pages();
// None: no page has this code. Upper and lower case are the same.
const CodePage* find_code_page(std::string_view code);
// A letter and up to four digits, as in D02 or d2. There may be no such code.
bool looks_like_code(std::string_view word);
// Codes that are near one that there is not, nearest first.
std::vector<std::string> near_codes(std::string_view code);

// For a terminal: the page without the signs of its headings. Below it stands what the strict
// dialect is and where archives of examples are, if the page names them.
std::string page_for_terminal(const CodePage& page);
// `  D02  && beside ||`, a line per code, under a heading per letter.
std::string list_of_codes();
// For a man page: a subsection per code.
std::string pages_for_man();

}  // namespace pmjit
