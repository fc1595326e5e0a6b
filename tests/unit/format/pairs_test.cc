// data/pairs.txt: a text and what it becomes, in the dialects that its head names.
#include <fmt/format.h>

#include "tests/unit/format/formatted.h"

namespace pmjit {
namespace {

struct Pair {
  std::string title, before, after;
  std::vector<Dialect> dialects;
  bool refused = false;
};

void read_head(Pair& pair, const std::string& head) {
  std::istringstream words(head.substr(0, head.find(':')));
  for (std::string word; words >> word;) {
    if (word == "refused") {
      pair.refused = true;
    } else if (const auto dialect = dialect_from_text(word)) {
      pair.dialects.push_back(*dialect);
    } else {
      EXPECT_EQ(word, "===") << head;
    }
  }
}

// `=== DIALECT … [refused]: title`, the text, `---`, what it becomes; no second part: the same.
std::vector<Pair> pairs() {
  std::ifstream in(FORMAT_DATA "/pairs.txt");
  std::vector<Pair> out;
  bool changes = false;
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with("===")) {
      out.emplace_back().title = line;
      read_head(out.back(), line);
      changes = false;
    } else if (line == "---") {
      changes = true;
      out.back().after.clear();
    } else if (!out.empty()) {
      if (!changes) out.back().before += line + "\n";
      out.back().after += line + "\n";
    }
  }
  EXPECT_GT(out.size(), 40u);
  return out;
}

TEST(FormatPairs, EveryTextBecomesWhatItsPairSays) {
  for (const Pair& pair : pairs()) {
    EXPECT_FALSE(pair.dialects.empty()) << pair.title;
    for (const Dialect dialect : pair.dialects) {
      SCOPED_TRACE(fmt::format("{} in {}", pair.title, dialect_text(dialect)));
      const FormattedText got(pair.before, dialect);
      EXPECT_EQ(got.text, pair.after);
      EXPECT_EQ(got.errors, pair.refused) << got.said;
      EXPECT_EQ(FormattedText(pair.after, dialect).text, pair.after);
    }
  }
}

}  // namespace
}  // namespace pmjit
