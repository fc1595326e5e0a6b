// LaneLines: a writer of a line a value. All but the time and the value is made once a lane; what a
// line looks like, `Line` says:
//
//   explicit Line(const WriterOptions&);
//   static constexpr RowEnds kRowEnds;
//   std::string begin(const Schema&);                             the first line
//   std::string label(const ResultInfo&, instance) const;
//   uint64_t put(const LanePart&, time, page) const;              how many of the values are known
//   static void put_unknown(const ResultInfo&, status, time, out);    a row unknown as a whole
#pragma once

#include <algorithm>
#include <vector>

#include "runtime/report/lane_labels.h"
#include "runtime/report/paged_writer.h"
#include "runtime/report/text/values.h"

namespace pmjit {

// LabelSheet: the labels of every row of a block, for writers of a line a value.
class LabelSheet final : public Sheet {
 public:
  LabelSheet(Labels& labels, const ResultBlock& block);
  // Null: the row is unknown as a whole, or nobody is there.
  [[nodiscard]] const LaneLabels* of(size_t column, size_t row) const {
    return labels_[column * rows + row];
  }

 private:
  std::vector<const LaneLabels*> labels_;
  std::vector<std::shared_ptr<const LaneLabels>> kept_;
};

// Some lanes of one row of one column.
struct LanePart {
  const ResultBlock& block;
  size_t k;  // the column
  const Row& row;
  const LaneLabels& labels;
  size_t first, last;  // the lane behind
};

template <class Line>
class LaneLines final : public PagedWriter {
 public:
  LaneLines(Sink& sink, const WriterOptions& options) : PagedWriter(sink), line_(options) {}

  void begin(const Schema& schema) override {
    Writer::begin(schema);
    sink_.rows_end(Line::kRowEnds);
    sink_.put(line_.begin(schema_));
    labels_.emplace(schema_, [this](const ResultInfo& info, const auto& instance) {
      return line_.label(info, instance);
    });
  }

  std::unique_ptr<Sheet> settle(const ResultBlock& block) override {
    return std::make_unique<LabelSheet>(*labels_, block);
  }

  void format(const ResultBlock& block, const Sheet& sheet, const PageRange& range,
              Page& page) const override {
    const auto& labels = static_cast<const LabelSheet&>(sheet);
    IsoClock clock;
    std::string_view time;
    range.walk(
        block.columns.size(), [&](const BlockPlace& at) { time = clock.text(block.times[at.row]); },
        [&](size_t i, size_t k, size_t first, size_t last) {
          const Row& row = block.columns[k].rows[i];
          if (row.status != 0) {
            line_.put_unknown(schema_.infos[k], row.status, time, page.text);
          } else if (const LaneLabels* of_row = labels.of(k, i)) {
            page.values += line_.put(
                {block, k, row, *of_row, first, std::min(last, of_row->size())}, time, page);
          }
        },
        [](size_t, bool) {});
    page.whole = page.text.size();
  }

 private:
  // Of a label that every lane of the column has, and of time and value.
  std::vector<ColumnText> columns() const override {
    constexpr size_t kTimeAndValue = 40;
    std::vector<ColumnText> out;
    for (const ResultInfo& info : schema_.infos) {
      const size_t label = line_.label(info, "").size();
      out.push_back({.bytes = static_cast<uint32_t>(label + kTimeAndValue),
                     .lanes = info.domain == kNullId ? 1 : ColumnText::kAsDelivered});
    }
    return out;
  }

  Line line_;
  std::optional<Labels> labels_;
};

}  // namespace pmjit
