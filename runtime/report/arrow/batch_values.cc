#include "runtime/report/arrow/batch_values.h"

#include <algorithm>
#include <cstring>

#include "runtime/base/bits.h"
#include "runtime/base/result.h"

namespace pmjit::arrow {

namespace {

template <class From, class To>
void widen_from(To* to, const Column& from, uint64_t first, size_t count) {
  const From* values = from.values.as<From>() + first;
  for (size_t i = 0; i < count; ++i) to[i] = static_cast<To>(values[i]);
}

// To a type that has every value of the other: value_columns() chose it so.
template <class To>
void widen(To* to, const Column& from, uint64_t first, size_t count) {
  switch (from.elem) {
    case Elem::i32: return widen_from<int32_t>(to, from, first, count);
    case Elem::u32: return widen_from<uint32_t>(to, from, first, count);
    case Elem::f32: return widen_from<float>(to, from, first, count);
    default: check(false, "no type is widened to this one");
  }
}

void take_numbers(Buffer& data, Elem elem, size_t row, const Column& from, uint64_t first,
                  size_t count) {
  const size_t width = elem_bytes(elem);
  if (from.elem == elem) {
    std::memcpy(data.data() + row * width, from.values.data() + first * width, count * width);
  } else if (elem == Elem::i64) {
    widen(data.as<int64_t>() + row, from, first, count);
  } else if (elem == Elem::u64) {
    widen(data.as<uint64_t>() + row, from, first, count);
  } else {
    widen(data.as<double>() + row, from, first, count);
  }
}

void take_truths(uint64_t* bits, size_t row, const Column& from, uint64_t first, size_t count) {
  const auto* truths = from.values.as<uint8_t>() + first;
  for (size_t i = 0; i < count; ++i) {
    if (truths[i] != 0) bits::set(bits, row + i);
  }
}

size_t bytes_of(Elem elem, size_t rows) {
  return elem == Elem::truth ? (rows + 7) / 8 : rows * elem_bytes(elem);
}

}  // namespace

BatchValues::BatchValues(Elem elem, bool is_partial, size_t rows_max)
    : elem_(elem),
      is_partial_(is_partial),
      data_(is_text() ? 0 : bytes_of(elem, rows_max)),
      present_(is_partial ? bits::words_for(rows_max) : 0) {
  clear(rows_max);
}

void BatchValues::take(size_t row, const Column& from, uint64_t first, size_t count) {
  if (is_text()) {
    take_texts(row, from, first, count);
  } else if (elem_ == Elem::truth) {
    take_truths(data_.as<uint64_t>(), row, from, first, count);
  } else {
    take_numbers(data_, elem_, row, from, first, count);
  }
  if (is_partial_) bits::set_range(present_.data(), row, count, true);
  taken_ += count;
}

void BatchValues::take_texts(size_t row, const Column& from, uint64_t first, size_t count) {
  const uint32_t* texts = from.values.as<uint32_t>() + first;
  for (size_t i = 0; i < count; ++i) {
    end_texts(row + i);
    texts_ += from.dictionary[texts[i]];
    ends_.push_back(static_cast<int32_t>(texts_.size()));
  }
}

void BatchValues::end_texts(size_t rows) {
  ends_.resize(rows + 1, static_cast<int32_t>(texts_.size()));
}

void BatchValues::add_to(MessageBody& body, size_t rows) {
  body.add_column(rows, rows - taken_);
  body.add_bits(present_, taken_ == rows ? 0 : rows);
  if (is_text()) {
    end_texts(rows);
    body.add_array<int32_t>(ends_);
    body.add_buffer(texts_);
  } else {
    body.add_buffer({data_.as<char>(), bytes_of(elem_, rows)});
  }
}

void BatchValues::clear(size_t rows) {
  if (!is_text()) std::memset(data_.data(), 0, bytes_of(elem_, rows));
  std::fill(present_.begin(), present_.end(), 0);
  ends_.resize(1);
  texts_.clear();
  taken_ = 0;
}

}  // namespace pmjit::arrow
