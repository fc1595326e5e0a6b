#include "runtime/report/sink/page_cut.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <numeric>

#include "tests/unit/report/fixture.h"

namespace pmjit {
namespace {

constexpr uint64_t kBytes = 60;  // of a lane

// A block whose columns have these many lanes in each row, and how it is cut.
struct Cut {
  Lab lab;
  std::vector<PageRange> pages;

  Cut(size_t rows, const std::vector<std::vector<size_t>>& lanes, std::vector<ColumnText> texts) {
    lab.block.times.resize(rows);
    for (const std::vector<size_t>& of_rows : lanes) {
      const size_t column = lab.add_column({.name = "m", .elem = Elem::i32});
      for (const size_t count : of_rows) {
        std::vector<int32_t> ids(count);
        for (size_t i = 0; i < count; ++i) ids[i] = static_cast<int32_t>(i);
        lab.add_row<int32_t>(column, lab.rosters.intern(ids), ids);
      }
    }
    make(std::move(texts));
  }
  explicit Cut(const std::vector<std::string>& texts) {
    lab.block.times.resize(1);
    for (const std::string& text : texts) {
      lab.add_texts(lab.add_column({.name = "t", .elem = Elem::text}), {text});
    }
    make(std::vector<ColumnText>(texts.size(), {.bytes = kBytes, .lanes = 1}));
  }

  void make(std::vector<ColumnText> texts) {
    PageCut cut(std::move(texts), lab.rosters);
    cut.begin(lab.block, lab.block.times.size());
    while (const auto page = cut.next()) pages.push_back(*page);
    EXPECT_TRUE(cut.at_end());
  }

  // Lanes of a page, as the pages' walks meet them; each has to come once and in order.
  std::vector<uint64_t> lanes_of_pages() {
    std::vector<uint64_t> out;
    BlockPlace next;
    for (const PageRange& page : pages) {
      EXPECT_EQ(page.begin, next);
      next = page.end;
      uint64_t count = 0;
      page.walk(
          lab.block.columns.size(), [](const BlockPlace&) {},
          [&](size_t row, size_t k, size_t first, size_t last) {
            const size_t all = lab.rosters.size(lab.block.columns[k].rows[row].roster_id);
            size_t& seen = seen_[{row, k}];
            EXPECT_EQ(first, seen) << "row " << row << ", column " << k;
            seen = std::min(all, last);
            count += std::min(all, last) - first;
          },
          [](size_t, bool) {});
      out.push_back(count);
    }
    EXPECT_EQ(next, (BlockPlace{.row = lab.block.times.size()}));
    for (const auto& [at, lanes] : seen_) {
      const Row& row = lab.block.columns[at.second].rows[at.first];
      EXPECT_EQ(lanes, lab.rosters.size(row.roster_id));
    }
    return out;
  }

 private:
  std::map<std::pair<size_t, size_t>, size_t> seen_;
};

constexpr ColumnText kDelivered{.bytes = kBytes};
constexpr uint64_t kLanesOfPage = PageCut::kPageBytes / kBytes;

TEST(PageCut, SmallRowsShareAPage) {
  Cut cut(10, {std::vector<size_t>(10, 100)}, {kDelivered});
  EXPECT_EQ(cut.lanes_of_pages(), (std::vector<uint64_t>{1'000}));
}

TEST(PageCut, NoRowsAreNoPages) {
  Cut cut(0, {{}}, {kDelivered});
  EXPECT_TRUE(cut.pages.empty());
}

TEST(PageCut, ALargeRowIsCutBetweenLanesAndStandsAlone) {
  Cut cut(3, {{2, 10'000, 2}, {1, 10'000, 1}, {0, 1, 0}}, {kDelivered, kDelivered, kDelivered});
  const std::vector<uint64_t> lanes = cut.lanes_of_pages();
  EXPECT_EQ(lanes.front(), 3u);
  EXPECT_EQ(lanes.back(), 3u);
  EXPECT_EQ(lanes.size(), 2 + 20'001 / kLanesOfPage + 1);
  EXPECT_LE(std::ranges::max(lanes), kLanesOfPage);
}

// A slow column has its values once, and lines at every time.
TEST(PageCut, LinesCountAndNotValues) {
  Cut cut(50, {std::vector<size_t>(50, 1'000)}, {kDelivered});
  Column& column = cut.lab.block.columns[0];
  for (Row& row : column.rows.edit()) row.offset = 0;
  column.count = 1'000;
  cut.pages.clear();
  cut.make({kDelivered});
  EXPECT_LE(std::ranges::max(cut.lanes_of_pages()), kLanesOfPage);
}

TEST(PageCut, ColumnsOfAFixedWidthAreCutLikewise) {
  Cut cut(2, {{1, 1}, {1, 1}},
          {{.bytes = kBytes, .lanes = 100'000}, {.bytes = kBytes, .lanes = 0}});
  EXPECT_EQ(cut.pages.size(), 2 * (100'000 / kLanesOfPage + 1));
  EXPECT_EQ(cut.pages[0].end, (BlockPlace{.lane = kLanesOfPage}));
}

TEST(PageCut, LongTextsCount) {
  Cut cut(std::vector<std::string>{"a", std::string(PageCut::kPageBytes * 3, 'b'), "c",
                                   std::string(PageCut::kPageBytes / 2, 'd')});
  EXPECT_EQ(cut.lanes_of_pages(), (std::vector<uint64_t>{1, 1, 2}));
}

// Two rows of as many instances, in the order of `ids` and the other way round; the second result
// is singular.
struct LongRows {
  static constexpr int32_t kCount = 20'000;
  Lab lab;

  LongRows() {
    lab.catalog.names.clear();
    for (int32_t i = 0; i < kCount; ++i) lab.catalog.names[i] = "i" + std::to_string(i);
    lab.block.times = {{0, 0}, {1, 0}};
    const size_t m = lab.add_column({.name = "m", .elem = Elem::i32, .domain = kDiskDomain});
    const size_t n = lab.add_column({.name = "n", .elem = Elem::i32});
    std::vector<int32_t> ids(kCount);
    std::iota(ids.begin(), ids.end(), 0);
    for (const int32_t last : {7, 8}) {
      lab.add_row<int32_t>(m, lab.rosters.intern(ids), ids);
      lab.add_row<int32_t>(n, Rosters::kSingularId, {last});
      std::ranges::reverse(ids);
    }
  }
};

constexpr const char* kTimes[] = {"1970-01-01T00:00:00Z", "1970-01-01T00:00:01Z"};

TEST(PagesOfLongRows, CsvIsTheSame) {
  LongRows rows;
  std::string wanted = "time,host,metric,instance,value\n";
  for (int row = 0; row < 2; ++row) {
    for (int i = 0; i < LongRows::kCount; ++i) {
      const std::string id = std::to_string(row == 0 ? i : LongRows::kCount - 1 - i);
      wanted += std::string(kTimes[row]) + ",app1,m,i" + id + "," + id + "\n";
    }
    wanted += std::string(kTimes[row]) + ",app1,n,," + std::to_string(7 + row) + "\n";
  }
  EXPECT_TRUE(rows.lab.print("csv") == wanted);
}

TEST(PagesOfLongRows, WideCsvIsTheSame) {
  LongRows rows;
  std::string wanted = "time", values;
  for (int i = 0; i < LongRows::kCount; ++i) {
    wanted += ",m[i" + std::to_string(i) + "]";
    values += "," + std::to_string(i);
  }
  wanted += ",n\n" + (kTimes[0] + values) + ",7\n" + (kTimes[1] + values) + ",8\n";
  EXPECT_TRUE(rows.lab.print("csv-wide") == wanted);
}

}  // namespace
}  // namespace pmjit
