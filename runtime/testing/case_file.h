// CaseFile: a conformance case as it stands on disk. A head of comments (the first line is the
// sentence that it shows) and `#: key: value` tags, then sections, each from a line `--- title
// arguments` to the next.
//
//   # rate() is absent until two consecutive samples of a counter exist
//   #: run: eval
//   --- metrics
//   …
//
// Tags: run (syntax, sema, ir, check, eval, wire) · from (who sends a PDU) · wrap: on
// (PCP_COUNTER_WRAP) · window: FROM TO (evaluation times) · carriers: memory … (where a carrier
// cannot hold the samples) · row: 35 36 (of the dialect table, which this case shows) · newline:
// off (the last definition ends without one). tests/README.md describes the sections.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/base/result.h"

namespace pmjit::cases {

struct Section {
  std::string title;      // "metrics", "samples", "expr", "expect result" …
  std::string arguments;  // the rest of the title line: "every 10s"
  std::string body;
  uint32_t line = 0;  // of the first line of the body
};

struct CaseFile {
  std::string path;
  std::string sentence;
  std::map<std::string, std::string> tags;
  std::string head;  // every line before the first section, for writing the file again
  std::vector<Section> sections;

  [[nodiscard]] const Section* find(std::string_view title) const;
  [[nodiscard]] std::string tag(const std::string& key, std::string fallback) const;
  [[nodiscard]] uint32_t tag_line(std::string_view key) const;  // of a tag that is there
  // Named fail_…: it has to give errors, and only those cases may.
  [[nodiscard]] bool must_fail() const;
};

Result<CaseFile> parse_case(std::string path, std::string_view text);
std::string write_case(const CaseFile& file);

Result<std::string> read_text_file(const std::string& path);

// The lines of a text, comments (from # at the start of a line or after a blank) and outer blanks
// removed.
struct CaseLine {
  uint32_t number;
  std::string text;
};
std::vector<CaseLine> plain_lines(const Section& section);
std::vector<std::string> split_lines(std::string_view text);
// Words between blanks; "…" and […] hold blanks together.
std::vector<std::string> split_words(std::string_view text);

// A line-by-line difference for people: lines with "- " were expected, lines with "+ " came out.
using SameLine = std::function<bool(const std::string& expected, const std::string& actual)>;

// Empty: no difference.
std::string diff(const std::vector<std::string>& expected, const std::vector<std::string>& actual,
                 const SameLine& same);
std::string diff_text(const std::string& expected, const std::string& actual);

}  // namespace pmjit::cases
