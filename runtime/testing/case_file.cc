#include "runtime/testing/case_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <span>

#include "runtime/base/blanks.h"
#include "runtime/base/near.h"

namespace pmjit::cases {

namespace {

constexpr std::string_view kTitle = "--- ";
constexpr std::string_view kBlanks = " \t\r";
constexpr std::string_view kExpect = "expect ";
constexpr std::string_view kTest = "test";  // a test of its own, of users' tests of rules

// What a case is made of; what comes out is `expect …`, and the run knows which there are.
constexpr std::string_view kGiven[] = {"metrics", "samples", "definitions", "expr", "sweep",
                                       "ir",      "rules",   "bytes",       kTest};
constexpr std::string_view kTags[] = {"run",  "rules",      "delta",    "all", "dialect",
                                      "wrap", "window",     "carriers", "row", "newline",
                                      "grid", "equivalent", "reasons",  "from"};
constexpr size_t kTagsOfTests = 5;  // the first of them: of users' tests of rules

// A comment starts with # at the start or after a blank, outside quotes.
std::string_view without_comment(std::string_view line) {
  bool quoted = false;
  for (size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '"') quoted = !quoted;
    const bool starts = i == 0 || kBlanks.contains(line[i - 1]);
    if (line[i] == '#' && starts && !quoted) return line.substr(0, i);
  }
  return line;
}

// "expect" takes the next word into the title: "expect result", "expect llvm-has".
Section section_of(std::string_view title_line, uint32_t line) {
  std::string_view rest = without_blanks(without_comment(title_line.substr(kTitle.size())));
  size_t end = rest.find_first_of(kBlanks);
  if (rest.substr(0, end) == "expect" && end != std::string_view::npos) {
    end = rest.find_first_of(kBlanks, end + 1);
  }
  Section section{.title = std::string(rest.substr(0, end)), .line = line + 1};
  if (end != std::string_view::npos) section.arguments = without_blanks(rest.substr(end));
  return section;
}

// "-- samples every 10s", "---samples": a title that is not written as one.
bool is_wrong_title(std::string_view line) {
  if (!line.starts_with("--") || line.starts_with(kTitle)) return false;
  line.remove_prefix(std::min(line.find_first_not_of('-'), line.size()));
  const std::string_view words = without_blanks(line);
  const std::string_view title = words.substr(0, words.find_first_of(kBlanks));
  return words.starts_with(kExpect) || std::ranges::find(kGiven, title) != std::end(kGiven);
}

// `#: delta: 5s`: delta and 5s. Empty: the line has no tag.
std::pair<std::string_view, std::string_view> tag_of(std::string_view line) {
  if (!line.starts_with("#:")) return {};
  line.remove_prefix(2);
  const size_t colon = line.find(':');
  if (colon == std::string_view::npos) return {};
  return {without_blanks(line.substr(0, colon)), without_blanks(line.substr(colon + 1))};
}

void read_head_line(CaseFile& file, std::string_view line) {
  file.head.append(line).append("\n");
  if (line.starts_with("#:")) {
    const auto [tag, value] = tag_of(line);
    if (tag.data() != nullptr) file.tags[std::string(tag)] = value;
  } else if (line.starts_with("#") && file.sentence.empty()) {
    file.sentence = without_blanks(line.substr(1));
  }
}

std::unexpected<Error> wrong(const Section& section, std::string what) {
  return fail(
      Error(Fault::format, std::move(what)).at("line", fmt::format("{}", section.line - 1)));
}

// A misspelt title or tag would be a case that shows nothing, in silence. Titles differ up to the
// next `--- test`.
Result<void> check_words(const CaseFile& file) {
  for (const auto& [tag, value] : file.tags) {
    if (std::ranges::find(kTags, tag) != std::end(kTags)) continue;
    const auto near = near_names(tag, {std::begin(kTags), std::end(kTags)});
    const std::span all(kTags);
    const bool of_tests = file.tag("run", "") == "rules";
    return fail(Error(Fault::format, fmt::format("no such tag: {}{}{}", tag,
                                                 near.empty() ? "" : "; ", near_names_text(near)))
                    .help(fmt::format("tags are {}",
                                      fmt::join(of_tests ? all.first(kTagsOfTests) : all, ", ")))
                    .at("line", fmt::format("{}", file.tag_line(tag))));
  }
  std::set<std::string_view> titles;
  for (const Section& section : file.sections) {
    if (section.title == kTest) titles.clear();
    const bool known = section.title.starts_with(kExpect) ||
                       std::ranges::find(kGiven, section.title) != std::end(kGiven);
    if (!known) {
      std::vector<std::string> all(std::begin(kGiven), std::end(kGiven));
      all.emplace_back("expect");
      const std::string near = near_names_text(near_names(section.title, all));
      return wrong(section, fmt::format("no such section: {}{}", section.title,
                                        near.empty() ? "" : "; " + near));
    }
    if (!titles.insert(section.title).second) {
      return wrong(section, "there are two sections " + section.title);
    }
  }
  return {};
}

// lengths[i][j]: the longest common part of expected[i…] and actual[j…].
using Lengths = std::vector<std::vector<uint32_t>>;

Lengths common_lengths(const std::vector<std::string>& expected,
                       const std::vector<std::string>& actual, const SameLine& same) {
  Lengths lengths(expected.size() + 1, std::vector<uint32_t>(actual.size() + 1, 0));
  for (size_t i = expected.size(); i-- > 0;) {
    for (size_t j = actual.size(); j-- > 0;) {
      lengths[i][j] = same(expected[i], actual[j]) ? lengths[i + 1][j + 1] + 1
                                                   : std::max(lengths[i + 1][j], lengths[i][j + 1]);
    }
  }
  return lengths;
}

// Of what follows the first difference: the table of common parts has so many rows and columns.
constexpr size_t kLinesMax = 1000;

std::vector<std::string> piece(const std::vector<std::string>& lines, size_t from) {
  const size_t end = std::min(lines.size(), from + kLinesMax);
  return {lines.begin() + static_cast<ptrdiff_t>(from),
          lines.begin() + static_cast<ptrdiff_t>(end)};
}

std::string cut_text(const std::vector<std::string>& lines, size_t from, std::string_view what) {
  if (lines.size() <= from + kLinesMax) return {};
  return fmt::format("  and {} more lines that were {}\n", lines.size() - from - kLinesMax, what);
}

// From the first difference on.
std::string rest(const std::vector<std::string>& expected, const std::vector<std::string>& actual,
                 const SameLine& same) {
  const Lengths lengths = common_lengths(expected, actual, same);
  std::string out;
  size_t i = 0, j = 0;
  while (i < expected.size() || j < actual.size()) {
    if (i < expected.size() && j < actual.size() && same(expected[i], actual[j])) {
      out += "  " + actual[j] + "\n";
      ++i, ++j;
    } else if (j == actual.size() ||
               (i < expected.size() && lengths[i + 1][j] >= lengths[i][j + 1])) {
      out += "- " + expected[i++] + "\n";
    } else {
      out += "+ " + actual[j++] + "\n";
    }
  }
  return out;
}

}  // namespace

const Section* CaseFile::find(std::string_view title) const {
  for (const Section& section : sections) {
    if (section.title == title) return &section;
  }
  return nullptr;
}

uint32_t CaseFile::tag_line(std::string_view key) const {
  uint32_t line = 0, found = 0;
  for (const std::string& one : split_lines(head)) {
    ++line;
    if (tag_of(one).first == key) found = line;  // the last one counts
  }
  return found;
}

std::string CaseFile::tag(const std::string& key, std::string fallback) const {
  const auto found = tags.find(key);
  return found == tags.end() ? std::move(fallback) : found->second;
}

bool CaseFile::must_fail() const {
  return std::filesystem::path(path).filename().string().starts_with("fail_");
}

Result<CaseFile> parse_case(std::string path, std::string_view text) {
  CaseFile file{.path = std::move(path)};
  uint32_t number = 0;
  for (const std::string& line : split_lines(text)) {
    ++number;
    if (is_wrong_title(line)) {
      const size_t dashes = line.find_first_not_of('-');
      return fail(Error(Fault::format, fmt::format("`{}` does not begin a section", line))
                      .at("line", fmt::format("{}", number))
                      .help(fmt::format("write {}{}", kTitle,
                                        without_blanks(std::string_view(line).substr(dashes)))));
    }
    if (line.starts_with(kTitle)) {
      file.sections.push_back(section_of(line, number));
    } else if (file.sections.empty()) {
      read_head_line(file, line);
    } else {
      file.sections.back().body.append(line).append("\n");
    }
  }
  if (file.sentence.empty()) {
    return fail(Error(Fault::format, "no line says what it shows")
                    .help("write a sentence behind # in the first line"));
  }
  if (!file.tags.contains("run")) return fail(Fault::format, "there is no line `#: run: …`");
  if (auto words = check_words(file); !words) return fail(words.error());
  return file;
}

std::string write_case(const CaseFile& file) {
  std::string out = file.head;
  for (const Section& section : file.sections) {
    out += fmt::format("{}{}{}{}\n", kTitle, section.title, section.arguments.empty() ? "" : " ",
                       section.arguments);
    out += section.body;
  }
  return out;
}

Result<std::string> read_text_file(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) return fail(Error(Fault::io, "cannot be read").at("file", path));
  return std::string(std::istreambuf_iterator<char>(in), {});
}

std::vector<std::string> split_lines(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const size_t end = text.find('\n');
    lines.emplace_back(text.substr(0, end));
    if (end == std::string_view::npos) break;
    text.remove_prefix(end + 1);
  }
  return lines;
}

std::vector<CaseLine> plain_lines(const Section& section) {
  std::vector<CaseLine> lines;
  uint32_t number = section.line;
  for (const std::string& line : split_lines(section.body)) {
    const std::string_view text = without_blanks(without_comment(line));
    if (!text.empty()) lines.push_back({number, std::string(text)});
    ++number;
  }
  return lines;
}

std::vector<std::string> split_words(std::string_view text) {
  std::vector<std::string> words;
  std::string word;
  bool quoted = false;
  int brackets = 0;
  for (char c : text) {
    if (c == '"') quoted = !quoted;
    if (!quoted && c == '[') ++brackets;
    if (!quoted && c == ']') --brackets;
    if (kBlanks.contains(c) && !quoted && brackets == 0) {
      if (!word.empty()) words.push_back(std::move(word));
      word.clear();
    } else {
      word += c;
    }
  }
  if (!word.empty()) words.push_back(std::move(word));
  return words;
}

std::string diff(const std::vector<std::string>& expected, const std::vector<std::string>& actual,
                 const SameLine& same) {
  const size_t least = std::min(expected.size(), actual.size());
  size_t first = 0;
  while (first < least && same(expected[first], actual[first])) ++first;
  if (first == expected.size() && first == actual.size()) return {};
  std::string out;
  for (size_t i = 0; i < first; ++i) out += "  " + actual[i] + "\n";
  out += rest(piece(expected, first), piece(actual, first), same);
  return out + cut_text(expected, first, "expected") + cut_text(actual, first, "found");
}

std::string diff_text(const std::string& expected, const std::string& actual) {
  return diff(split_lines(expected), split_lines(actual),
              [](const std::string& a, const std::string& b) { return a == b; });
}

}  // namespace pmjit::cases
