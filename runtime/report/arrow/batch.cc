#include "runtime/report/arrow/batch.h"

#include <algorithm>

#include "runtime/base/bits.h"
#include "runtime/report/arrow/messages.h"
#include "runtime/report/arrow/names.h"

namespace pmjit::arrow {

namespace {

// Texts of a column: a batch ends with the one that goes beyond, long before 32-bit offsets do.
constexpr size_t kTextBytes = 16u << 20;

template <class T>
void add_whole_column(MessageBody& body, const std::vector<T>& values, size_t rows) {
  body.add_column(rows, 0);
  body.add_buffer({});
  body.add_array(std::span(values.data(), rows));
}

// Codes, where kNoName is null. The body looks at `is_named` until it is put.
void add_codes(MessageBody& body, std::vector<int32_t>& codes, size_t rows,
               std::vector<uint64_t>& is_named) {
  is_named.assign(bits::words_for(rows), 0);
  size_t unnamed = 0;
  for (size_t i = 0; i < rows; ++i) {
    const bool none = codes[i] == kNoName;
    unnamed += none;
    if (none) codes[i] = 0;  // readers may look at codes of nulls
    is_named[i / 64] |= uint64_t{!none} << (i % 64);
  }
  body.add_column(rows, unnamed);
  body.add_bits(is_named, unnamed == 0 ? 0 : rows);
  body.add_array(std::span<const int32_t>(codes.data(), rows));
}

}  // namespace

Batch::Batch(std::span<const ValueColumn> columns)
    : times_(kRows), hosts_(kRows), metrics_(kRows), instances_(kRows) {
  for (const ValueColumn& column : columns) {
    values_.emplace_back(column.elem, columns.size() > 1, kRows);
  }
}

size_t Batch::room(size_t column) const {
  const bool texts_full = std::ranges::any_of(
      values_, [](const BatchValues& values) { return values.text_bytes() >= kTextBytes; });
  if (texts_full) return 0;
  return std::min(kRows - rows_, values_[column].at_once());
}

void Batch::take(const Rows& rows) {
  values_[rows.column].take(rows_, rows.from, rows.first, rows.count);
  const auto at = static_cast<ptrdiff_t>(rows_);
  std::fill_n(times_.begin() + at, rows.count, rows.time);
  std::fill_n(hosts_.begin() + at, rows.count, rows.host);
  std::fill_n(metrics_.begin() + at, rows.count, rows.metric);
  if (rows.instances.empty()) {
    std::fill_n(instances_.begin() + at, rows.count, kNoName);
  } else {
    std::copy_n(rows.instances.begin(), rows.count, instances_.begin() + at);
  }
  rows_ += rows.count;
}

void Batch::put(Sink& sink) {
  MessageBody body;
  std::vector<uint64_t> hosts_named, instances_named;
  add_whole_column(body, times_, rows_);
  add_codes(body, hosts_, rows_, hosts_named);
  add_whole_column(body, metrics_, rows_);
  add_codes(body, instances_, rows_, instances_named);
  for (BatchValues& values : values_) values.add_to(body, rows_);
  put_record_batch(sink, rows_, body);
  for (BatchValues& values : values_) values.clear(rows_);
  rows_ = 0;
}

}  // namespace pmjit::arrow
