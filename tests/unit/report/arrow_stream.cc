#include "tests/unit/report/arrow_stream.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace pmjit {

namespace {

constexpr size_t kAlign = 64;

template <class T>
T at(std::string_view bytes, size_t i) {
  T value{};
  EXPECT_LE((i + 1) * sizeof value, bytes.size());
  if ((i + 1) * sizeof value <= bytes.size()) {
    std::memcpy(&value, bytes.data() + i * sizeof value, sizeof value);
  }
  return value;
}

bool bit(std::string_view bytes, size_t i) {
  return (at<uint8_t>(bytes, i / 8) >> (i % 8) & 1) != 0;
}

// The buffers of a record batch, column after column.
class Columns {
 public:
  Columns(const FlatTable& batch, std::string_view body)
      : nodes_(batch.pairs(1)), places_(batch.pairs(2)), body_(body) {
    for (const auto& [offset, bytes] : places_) {
      EXPECT_EQ(static_cast<size_t>(offset) % kAlign, 0u);
      EXPECT_LE(static_cast<size_t>(offset + bytes), body.size());
    }
  }
  std::pair<int64_t, int64_t> node() { return nodes_.at(node_++); }
  std::string_view buffer() {
    const auto [offset, bytes] = places_.at(buffer_++);
    return body_.substr(static_cast<size_t>(offset), static_cast<size_t>(bytes));
  }
  [[nodiscard]] bool at_end() const { return node_ == nodes_.size() && buffer_ == places_.size(); }

 private:
  std::vector<std::pair<int64_t, int64_t>> nodes_, places_;
  std::string_view body_;
  size_t node_ = 0, buffer_ = 0;
};

std::string text_at(std::string_view ends, std::string_view texts, size_t i) {
  const auto from = static_cast<size_t>(at<int32_t>(ends, i));
  const auto to = static_cast<size_t>(at<int32_t>(ends, i + 1));
  EXPECT_LE(from, to);
  EXPECT_LE(to, texts.size());
  return std::string(texts.substr(from, to - from));
}

// The values of one column of a batch, as text.
std::vector<std::string> column(Columns& columns, const ArrowField& field, size_t rows,
                                const std::vector<std::string>* names) {
  const auto [length, nulls] = columns.node();
  EXPECT_EQ(static_cast<size_t>(length), rows);
  const std::string_view valid = columns.buffer(), data = columns.buffer();
  const bool is_text = names == nullptr && (field.type == "text" || field.type == "bytes");
  const std::string_view texts = is_text ? columns.buffer() : std::string_view();
  std::vector<std::string> out;
  int64_t missing = 0;
  for (size_t i = 0; i < rows; ++i) {
    if (nulls != 0 && !bit(valid, i)) {
      ++missing;
      out.emplace_back("-");
    } else if (names != nullptr) {
      out.push_back(names->at(static_cast<size_t>(at<int32_t>(data, i))));
    } else if (is_text) {
      out.push_back(text_at(data, texts, i));
    } else if (field.type == "truth") {
      out.emplace_back(bit(data, i) ? "true" : "false");
    } else if (field.type == "i32") {
      out.push_back(fmt::to_string(at<int32_t>(data, i)));
    } else if (field.type == "u32") {
      out.push_back(fmt::to_string(at<uint32_t>(data, i)));
    } else if (field.type == "i64" || field.type == "timestamp") {
      out.push_back(fmt::to_string(at<int64_t>(data, i)));
    } else if (field.type == "u64") {
      out.push_back(fmt::to_string(at<uint64_t>(data, i)));
    } else if (field.type == "f32") {
      out.push_back(fmt::to_string(at<float>(data, i)));
    } else {
      out.push_back(fmt::to_string(at<double>(data, i)));
    }
  }
  EXPECT_EQ(missing, nulls);
  EXPECT_TRUE(field.nullable || nulls == 0) << field.name;
  return out;
}

std::string type_text(const FlatTable& field) {
  const FlatTable type = field.table(3);
  switch (field.scalar<uint8_t>(2)) {
    case 2:
      return fmt::format("{}{}", type.scalar<uint8_t>(1) != 0 ? 'i' : 'u', type.scalar<int32_t>(0));
    case 3: return type.scalar<int16_t>(0) == 2 ? "f64" : "f32";
    case 4: return "bytes";
    case 5: return "text";
    case 6: return "truth";
    case 10:
      EXPECT_EQ(type.scalar<int16_t>(0), 3);  // nanoseconds
      EXPECT_EQ(type.text(1), "UTC");
      return "timestamp";
    default: return "?";
  }
}

std::string metadata_text(const std::vector<FlatTable>& pairs) {
  std::string out;
  for (const FlatTable& pair : pairs) out += pair.text(0) + "=" + pair.text(1);
  return out;
}

}  // namespace

FlatTable FlatTable::root(std::string_view bytes) {
  const FlatTable start(bytes, 0);
  return {bytes, start.target(0)};
}

size_t FlatTable::find(size_t member) const {
  const size_t map = at_ - static_cast<size_t>(int64_t{read<int32_t>(at_)});
  const size_t entry = 4 + 2 * member;
  if (entry + 2 > read<uint16_t>(map)) return 0;
  const uint16_t offset = read<uint16_t>(map + entry);
  return offset == 0 ? 0 : at_ + offset;
}

std::string FlatTable::text(size_t member) const {
  const size_t start = target(find(member));
  return std::string(bytes_.substr(start + 4, read<uint32_t>(start)));
}

std::vector<FlatTable> FlatTable::tables(size_t member) const {
  const size_t start = target(find(member));
  std::vector<FlatTable> out;
  for (uint32_t i = 0; i < read<uint32_t>(start); ++i) {
    out.emplace_back(bytes_, target(start + 4 + 4 * size_t{i}));
  }
  return out;
}

std::vector<std::pair<int64_t, int64_t>> FlatTable::pairs(size_t member) const {
  const size_t start = target(find(member));
  std::vector<std::pair<int64_t, int64_t>> out;
  for (uint32_t i = 0; i < read<uint32_t>(start); ++i) {
    const size_t place = start + 4 + 16 * size_t{i};
    EXPECT_EQ(place % 8, 0u);
    out.emplace_back(read<int64_t>(place), read<int64_t>(place + 8));
  }
  return out;
}

void ArrowStream::read(std::string_view bytes) {
  constexpr size_t kPrefix = 8;
  size_t place = 0;
  while (true) {
    ASSERT_LE(place + kPrefix, bytes.size()) << "no end of the stream";
    EXPECT_EQ(place % kAlign, 0u);
    EXPECT_EQ(at<uint32_t>(bytes.substr(place), 0), UINT32_MAX);
    const size_t head = at<uint32_t>(bytes.substr(place), 1);
    place += kPrefix;
    if (head == 0) break;
    ASSERT_LE(place + head, bytes.size());
    const FlatTable message = FlatTable::root(bytes.substr(place, head));
    place += head;
    EXPECT_EQ(message.scalar<int16_t>(0), 4);  // version 5
    const auto body = static_cast<size_t>(message.scalar<int64_t>(3));
    ASSERT_LE(place + body, bytes.size());
    EXPECT_EQ(place % kAlign, 0u);
    messages.push_back({.kind = static_cast<ArrowMessage::Kind>(message.scalar<uint8_t>(1)),
                        .header = message.table(2),
                        .body = bytes.substr(place, body)});
    place += body;
    const ArrowMessage& got = messages.back();
    if (got.kind == ArrowMessage::schema) read_schema(got.header);
    if (got.kind == ArrowMessage::dictionary) read_dictionary(got);
    if (got.kind == ArrowMessage::record_batch) read_batch(got);
  }
  EXPECT_EQ(place, bytes.size()) << "bytes after the end of the stream";
}

void ArrowStream::read_schema(const FlatTable& schema) {
  EXPECT_EQ(messages.size(), 1u);
  metadata = metadata_text(schema.tables(2));
  for (const FlatTable& field : schema.tables(1)) {
    EXPECT_TRUE(field.has(5));  // a list of children, even an empty one
    fields.push_back({.name = field.text(0),
                      .type = type_text(field),
                      .metadata = metadata_text(field.tables(6)),
                      .nullable = field.scalar<uint8_t>(1) != 0,
                      .by_dictionary = field.has(4)});
    if (!field.has(4)) continue;
    EXPECT_EQ(field.table(4).scalar<int64_t>(0), static_cast<int64_t>(fields.size()) - 2);
    EXPECT_EQ(field.table(4).table(1).scalar<int32_t>(0), 32);
  }
}

void ArrowStream::read_dictionary(const ArrowMessage& message) {
  const auto id = static_cast<size_t>(message.header.scalar<int64_t>(0));
  EXPECT_FALSE(message.header.has(2));  // no delta
  const FlatTable batch = message.header.table(1);
  Columns columns(batch, message.body);
  const auto names = static_cast<size_t>(batch.scalar<int64_t>(0));
  dictionaries_.at(id) = column(columns, {.type = "text"}, names, nullptr);
  EXPECT_TRUE(columns.at_end());
  if (id == 2) instance_names.push_back(names);
}

void ArrowStream::read_batch(const ArrowMessage& message) {
  const auto count = static_cast<size_t>(message.header.scalar<int64_t>(0));
  batch_rows.push_back(count);
  Columns columns(message.header, message.body);
  std::vector<std::string> lines(count);
  for (size_t f = 0; f < fields.size(); ++f) {
    const auto* names = fields[f].by_dictionary ? &dictionaries_.at(f - 1) : nullptr;
    const auto values = column(columns, fields[f], count, names);
    const bool is_value = f >= 4;
    for (size_t i = 0; i < count; ++i) {
      if (is_value && values[i] == "-") continue;  // of another column
      lines[i] += (f == 0 ? "" : " ") + (is_value ? fields[f].name + "=" : "") + values[i];
    }
  }
  EXPECT_TRUE(columns.at_end());
  rows.insert(rows.end(), lines.begin(), lines.end());
}

}  // namespace pmjit
