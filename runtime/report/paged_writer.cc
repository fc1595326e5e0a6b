#include "runtime/report/paged_writer.h"

namespace pmjit {

namespace {
constexpr uint64_t kPageValues = 4'096;  // a quarter of a megabyte of text, more or less
}

RowRange page_at(const ResultBlock& block, const Sheet& sheet, size_t begin) {
  uint64_t values = 0;
  for (const Column& column : block.columns) values += column.count + column.rows.size();
  const size_t rows = block.times.size() * kPageValues / (values + 1);
  return {.begin = begin, .end = std::min(sheet.rows, begin + std::max<size_t>(1, rows))};
}

Result<void> PagedWriter::put(const TextBuffer& text, uint64_t values) {
  values_ += values;
  sink_.put_lines(text.text());
  return sink_.status();
}

Result<void> PagedWriter::write(const ResultBlock& block) {
  const auto sheet = settle(block);
  for (RowRange rows; rows.end < sheet->rows;) {
    rows = page_at(block, *sheet, rows.end);
    page_.clear();
    const uint64_t values = format(block, *sheet, rows, page_);
    if (auto ok = put(page_, values); !ok) return ok;
  }
  if (sheet->failure) return fail(*sheet->failure);
  return sink_.status();
}

}  // namespace pmjit
