// Flatbuffers end here: no header of ours names them.
#include "runtime/report/arrow/messages.h"

#include <arrow_generated.h>

#include <bit>
#include <cstring>

#include "runtime/base/result.h"

namespace pmjit::arrow {

namespace {

// Buffers lie as they are in memory, and a schema that does not say so means this order.
static_assert(std::endian::native == std::endian::little);

using flatbuffers::FlatBufferBuilder;
template <class T>
using At = flatbuffers::Offset<T>;
template <class T>
using Places = At<flatbuffers::Vector<At<T>>>;

constexpr size_t kAlign = 64;
constexpr uint32_t kContinuation = UINT32_MAX;
constexpr char kZeros[kAlign] = {};

std::string_view padding_after(size_t bytes) {
  return {kZeros, (kAlign - bytes % kAlign) % kAlign};
}

struct TypeAt {
  fbs::Type kind;
  At<void> table;
};

TypeAt add_int(FlatBufferBuilder& out, int bits, bool is_signed) {
  return {fbs::Type::Int, fbs::CreateInt(out, bits, is_signed).Union()};
}

TypeAt add_type(FlatBufferBuilder& out, const Field& field) {
  if (field.timestamp) {
    const auto zone = out.CreateString("UTC");
    return {fbs::Type::Timestamp,
            fbs::CreateTimestamp(out, fbs::TimeUnit::NANOSECOND, zone).Union()};
  }
  switch (field.elem) {
    case Elem::i32: return add_int(out, 32, true);
    case Elem::u32: return add_int(out, 32, false);
    case Elem::i64: return add_int(out, 64, true);
    case Elem::u64: return add_int(out, 64, false);
    case Elem::f32:
      return {fbs::Type::FloatingPoint,
              fbs::CreateFloatingPoint(out, fbs::Precision::SINGLE).Union()};
    case Elem::f64:
      return {fbs::Type::FloatingPoint,
              fbs::CreateFloatingPoint(out, fbs::Precision::DOUBLE).Union()};
    case Elem::truth: return {fbs::Type::Bool, fbs::CreateBool(out).Union()};
    case Elem::text: return {fbs::Type::Utf8, fbs::CreateUtf8(out).Union()};
    case Elem::bytes: return {fbs::Type::Binary, fbs::CreateBinary(out).Union()};
  }
  check(false, "a type of values that Arrow streams lack");
  return {};
}

Places<fbs::KeyValue> add_metadata(FlatBufferBuilder& out, const KeyValues& metadata) {
  std::vector<At<fbs::KeyValue>> pairs;
  for (const auto& [key, value] : metadata) {
    const auto key_at = out.CreateString(key);
    pairs.push_back(fbs::CreateKeyValue(out, key_at, out.CreateString(value)));
  }
  return out.CreateVector(pairs.data(), pairs.size());
}

At<fbs::Field> add_field(FlatBufferBuilder& out, const Field& field) {
  const auto name = out.CreateString(field.name);
  const TypeAt type = add_type(out, field);
  At<fbs::DictionaryEncoding> dictionary;
  if (field.dictionary) {
    const auto index = fbs::CreateInt(out, 32, true);
    dictionary = fbs::CreateDictionaryEncoding(out, *field.dictionary, index);
  }
  // Readers insist on a list of children, even an empty one.
  const auto children = out.CreateVector(static_cast<const At<fbs::Field>*>(nullptr), 0);
  const auto metadata = add_metadata(out, field.metadata);
  return fbs::CreateField(out, name, field.nullable, type.kind, type.table, dictionary, children,
                          metadata);
}

At<fbs::RecordBatch> add_batch(FlatBufferBuilder& out, size_t rows, const MessageBody& body) {
  std::vector<fbs::FieldNode> nodes;
  for (const auto& [count, nulls] : body.nodes()) nodes.emplace_back(count, nulls);
  std::vector<fbs::Buffer> buffers;
  for (const auto& [offset, bytes] : body.places()) buffers.emplace_back(offset, bytes);
  const auto nodes_at = out.CreateVectorOfStructs(nodes.data(), nodes.size());
  const auto buffers_at = out.CreateVectorOfStructs(buffers.data(), buffers.size());
  return fbs::CreateRecordBatch(out, static_cast<int64_t>(rows), nodes_at, buffers_at);
}

void put_message(Sink& sink, FlatBufferBuilder& out, fbs::MessageHeader kind, At<void> header,
                 const MessageBody& body) {
  out.Finish(fbs::CreateMessage(out, fbs::MetadataVersion::V5, kind, header, body.bytes()));
  uint32_t prefix[] = {kContinuation, 0};
  const std::string_view padding = padding_after(sizeof prefix + out.GetSize());
  prefix[1] = static_cast<uint32_t>(out.GetSize() + padding.size());
  sink.put({reinterpret_cast<const char*>(prefix), sizeof prefix});
  sink.put({reinterpret_cast<const char*>(out.GetBufferPointer()), out.GetSize()});
  sink.put(padding);
  body.put(sink);
  sink.end_message();
}

}  // namespace

void MessageBody::add_column(size_t rows, size_t nulls) {
  nodes_.push_back({static_cast<int64_t>(rows), static_cast<int64_t>(nulls)});
}

void MessageBody::add_buffer(std::string_view bytes) {
  buffers_.push_back(bytes);
  places_.push_back({bytes_, static_cast<int64_t>(bytes.size())});
  bytes_ += static_cast<int64_t>(bytes.size() + padding_after(bytes.size()).size());
}

void MessageBody::add_bits(std::span<const uint64_t> map, size_t count) {
  add_buffer({reinterpret_cast<const char*>(map.data()), (count + 7) / 8});
}

void MessageBody::put(Sink& sink) const {
  for (const std::string_view buffer : buffers_) {
    if (buffer.empty()) continue;  // it may have no place in memory either
    sink.put_block(buffer);
    sink.put(padding_after(buffer.size()));
  }
}

void put_schema(Sink& sink, std::span<const Field> fields, const KeyValues& metadata) {
  FlatBufferBuilder out;
  std::vector<At<fbs::Field>> places;
  for (const Field& field : fields) places.push_back(add_field(out, field));
  const auto fields_at = out.CreateVector(places.data(), places.size());
  const auto metadata_at = add_metadata(out, metadata);
  const auto schema = fbs::CreateSchema(out, fbs::Endianness::Little, fields_at, metadata_at);
  put_message(sink, out, fbs::MessageHeader::Schema, schema.Union(), {});
}

void put_dictionary(Sink& sink, int64_t id, size_t names, const MessageBody& body) {
  FlatBufferBuilder out;
  const auto dictionary = fbs::CreateDictionaryBatch(out, id, add_batch(out, names, body));
  put_message(sink, out, fbs::MessageHeader::DictionaryBatch, dictionary.Union(), body);
}

void put_record_batch(Sink& sink, size_t rows, const MessageBody& body) {
  FlatBufferBuilder out;
  const auto batch = add_batch(out, rows, body);
  put_message(sink, out, fbs::MessageHeader::RecordBatch, batch.Union(), body);
}

void put_end(Sink& sink) {
  const uint32_t end[] = {kContinuation, 0};
  sink.put({reinterpret_cast<const char*>(end), sizeof end});
  sink.end_message();
}

}  // namespace pmjit::arrow
