#include "rules/code_pages/code_pages.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <iterator>
#include <ranges>

#include "runtime/base/near.h"

namespace pmjit {

namespace {

constexpr CodePage kPages[] = {
#define CODE_PAGE(code, title, text) {code, title, text},
#include "code_pages.inc"
#undef CODE_PAGE
};

// Which messages a letter is for.
struct CodeLetter {
  char letter;
  std::string_view what;
};
constexpr CodeLetter kLetters[] = {
    {'C', "TOML files: pmjit run CONFIG.toml, reports of pmjit eval -p"},
    {'D', "What PCP, pmie and the strict dialect do differently"},
    {'P', "Text that pmjit cannot read"},
    {'R', "Rules of the strict dialect"},
    {'S', "What does not fit the metrics of the archive or host"},
};

constexpr size_t kDigitsMax = 6;

// Whoever looks a code up has read no other page.
constexpr std::string_view kStrict = "strict dialect";
constexpr std::string_view kWhatStrictIs = R"(
The strict dialect is pmjit's own way to read rules and definitions. It refuses
what is easily misread, and says what is unknown. A file is strict if it begins
with `// pmjit: dialect=strict` (rules) or `#pmjit: dialect=strict`
(definitions). Expressions on the command line are strict.
)";
constexpr std::string_view kOverArchive = " -a ";
constexpr std::string_view kWhereArchivesAre = R"(
The archives of examples, such as lab, are in share/pmjit/examples/codes of an
installation. The source code has them in tests/golden.
)";

bool is_digit(char c) { return c >= '0' && c <= '9'; }

std::string in_capitals(std::string_view code) {
  std::string out(code);
  for (char& c : out) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return out;
}

}  // namespace

std::span<const CodePage> code_pages() { return kPages; }

const CodePage* find_code_page(std::string_view code) {
  const auto found = std::ranges::find(kPages, in_capitals(code), &CodePage::code);
  return found == std::end(kPages) ? nullptr : &*found;
}

bool looks_like_code(std::string_view word) {
  if (word.size() < 2 || word.size() > 1 + kDigitsMax) return false;
  return std::isalpha(static_cast<unsigned char>(word[0])) != 0 &&
         std::ranges::all_of(word.substr(1), is_digit);
}

std::vector<std::string> near_codes(std::string_view code) {
  std::vector<std::string> codes;
  for (const CodePage& page : kPages) codes.emplace_back(page.code);
  return near_names(in_capitals(code), codes);
}

std::string page_for_terminal(const CodePage& page) {
  std::string out;
  for (const auto part : std::views::split(page.text, '\n')) {
    std::string_view line(part.begin(), part.end());
    // Lines of an example are indented: theirs stay.
    const size_t heading = line.find_first_not_of('#');
    if (heading != 0 && heading != line.npos) line.remove_prefix(heading + 1);
    out += fmt::format("{}\n", line);
  }
  out.pop_back();  // what follows the last newline is no line
  if (page.text.contains(kStrict)) out += kWhatStrictIs;
  if (page.text.contains(kOverArchive)) out += kWhereArchivesAre;
  return out;
}

std::string list_of_codes() {
  std::string out;
  for (const CodeLetter& group : kLetters) {
    out += fmt::format("{}{}\n", out.empty() ? "" : "\n", group.what);
    for (const CodePage& page : kPages) {
      if (page.code[0] == group.letter) out += fmt::format("  {:<4}  {}\n", page.code, page.title);
    }
  }
  return out + "\n`pmjit explain D02` prints the page of a code.\n";
}

}  // namespace pmjit
