// row_guard ROOT: sees that the rows of the dialect table (spec dialects.md §6 to §13) are shown in
// the strict dialect. tests/cases/dialects/rows.txt says of every row how: `case`, `test`, `rules`
// or `pending`. A row that says `case` needs a case with its tag `#: row:`, no other row may be in
// a tag, and what shows a `test` must speak of the row. Prints what is wrong, then the figures;
// exit 0: nothing is.

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <map>
#include <optional>
#include <set>

#include "runtime/testing/case_file.h"

namespace pmjit::cases {
namespace {

constexpr int kRows = 158;
constexpr std::string_view kTable = "tests/cases/dialects/rows.txt";
constexpr std::string_view kBehind = " -- ";  // why a row is pending; FILE TEST of a test

// How strict's column of a row is shown.
enum class Shown { by_case, by_test, with_rules, pending };
struct ShownName {
  std::string_view name;
  Shown shown;
  bool says_more;  // behind kBehind
};
constexpr ShownName kShown[] = {{"case", Shown::by_case, false},
                                {"test", Shown::by_test, true},
                                {"rules", Shown::with_rules, false},
                                {"pending", Shown::pending, true}};

class RowGuard {
 public:
  explicit RowGuard(std::filesystem::path root) : root_(std::move(root)) {}

  int run() {
    read_table();
    for (int row = 1; row <= kRows; ++row) {
      if (!rows_.contains(row)) complain(fmt::format("row {} is missing", row));
    }
    for (const auto& entry :
         std::filesystem::recursive_directory_iterator(root_ / "tests" / "cases")) {
      if (entry.path().extension() == ".case") read_tag(entry.path());
    }
    for (const auto& [row, shown] : rows_) {
      if (shown == Shown::by_case && !tagged_.contains(row)) {
        complain(fmt::format("row {} says `case`, and no case has its tag", row));
      }
    }
    fmt::print("{} rows in {} cases, {} in tests, {} of rules, {} pending\n", count(Shown::by_case),
               cases_, count(Shown::by_test), count(Shown::with_rules), count(Shown::pending));
    return complaints_ == 0 ? 0 : 1;
  }

 private:
  void complain(const std::string& what) {
    fmt::print("{}\n", what);
    ++complaints_;
  }

  // NUMBER HOW a few words [-- more]
  void read_table() {
    auto text = read_text_file(root_ / kTable);
    if (!text) return complain(text.error().text());
    for (const CaseLine& line :
         plain_lines({.title = {}, .arguments = {}, .body = *text, .line = 1})) {
      const std::vector<std::string> words = split_words(line.text);
      const auto row = number_of(words[0]);
      const auto how =
          std::ranges::find(kShown, words.size() > 2 ? words[1] : "", &ShownName::name);
      if (!row || *row < 1 || *row > kRows || how == std::end(kShown)) {
        complain(fmt::format("{}:{}: no row, or it says neither case, test, rules nor pending",
                             kTable, line.number));
        continue;
      }
      if (!rows_.emplace(*row, how->shown).second) {
        complain(fmt::format("row {} is there twice", *row));
      }
      const size_t behind = line.text.find(kBehind);
      if ((behind != std::string::npos) != how->says_more) {
        complain(fmt::format("row {}: `{}` stands behind pending and test, and only there", *row,
                             kBehind));
      } else if (how->shown == Shown::by_test) {
        check_test(*row, split_words(line.text.substr(behind + kBehind.size())));
      }
    }
  }

  void check_test(int row, const std::vector<std::string>& words) {
    if (words.size() != 2) return complain(fmt::format("row {}: not FILE TEST", row));
    const auto text = read_text_file(root_ / words[0]);
    if (!text || text->find(fmt::format("row {}", row)) == std::string::npos) {
      complain(fmt::format("row {}: {} does not speak of it", row, words[0]));
    }
  }

  void read_tag(const std::filesystem::path& path) {
    const auto text = read_text_file(path);
    // A file that is no case fails as a test of its own.
    const auto file = text ? parse_case(path, *text) : fail(text.error());
    if (!file || !file->tags.contains("row")) return;
    ++cases_;
    if (file->tag("dialect", "").starts_with("pcp")) {
      complain(fmt::format("{} is not of the strict dialect", path.string()));
    }
    for (const std::string& word : split_words(file->tag("row", ""))) {
      const auto row = number_of(word);
      const auto found = row ? rows_.find(*row) : rows_.end();
      if (found == rows_.end() || found->second != Shown::by_case) {
        complain(fmt::format("{}: row {} does not say `case`", path.string(), word));
      } else {
        tagged_.insert(*row);
      }
    }
  }

  static std::optional<int> number_of(const std::string& word) {
    int number = 0;
    const char* end = word.data() + word.size();
    const auto [stop, error] = std::from_chars(word.data(), end, number);
    if (error != std::errc{} || stop != end) return std::nullopt;
    return number;
  }

  [[nodiscard]] long count(Shown shown) const {
    return std::ranges::count(rows_, shown, &std::pair<const int, Shown>::second);
  }

  std::filesystem::path root_;
  std::map<int, Shown> rows_;
  std::set<int> tagged_;
  int cases_ = 0, complaints_ = 0;
};

}  // namespace
}  // namespace pmjit::cases

int main(int argc, char** argv) {
  if (argc != 2) {
    fmt::print(stderr, "usage: {} ROOT\n", argv[0]);
    return 2;
  }
  return pmjit::cases::RowGuard(argv[1]).run();
}
