// The messages of an Arrow IPC stream: schema, dictionary, record batch, end. Each is a head
// (flatbuffers, made here) and a body of buffers, which are borrowed and go out as they lie.
//
//   MessageBody body;
//   body.add_column(rows, 0);
//   body.add_buffer({});         // of validity: every row has a value
//   body.add_buffer(bytes);
//   put_record_batch(sink, rows, body);
//
// Heads and buffers are padded so that each begins at a multiple of 64 bytes of the stream.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "runtime/model/desc.h"
#include "runtime/report/sink/sink.h"

namespace pmjit::arrow {

using KeyValues = std::vector<std::pair<std::string, std::string>>;

struct Field {
  std::string name;
  Elem elem = Elem::f64;
  bool timestamp = false;  // elem i64: nanoseconds since 1970, UTC
  bool nullable = false;
  std::optional<int64_t> dictionary{};  // values are int32 indices into the dictionary of this id
  KeyValues metadata{};
};

class MessageBody {
 public:
  struct Node {
    int64_t rows, nulls;
  };
  struct Place {
    int64_t offset, bytes;
  };
  void add_column(size_t rows, size_t nulls);
  void add_buffer(std::string_view bytes);  // to live until the message is put
  template <class T>
  void add_array(std::span<const T> values) {
    add_buffer({reinterpret_cast<const char*>(values.data()), values.size_bytes()});
  }
  void add_bits(std::span<const uint64_t> map, size_t count);  // 0: no bitmap, all are there

  [[nodiscard]] std::span<const Node> nodes() const { return nodes_; }
  [[nodiscard]] std::span<const Place> places() const { return places_; }
  [[nodiscard]] int64_t bytes() const { return bytes_; }
  void put(Sink& sink) const;

 private:
  std::vector<Node> nodes_;
  std::vector<Place> places_;
  std::vector<std::string_view> buffers_;
  int64_t bytes_ = 0;
};

void put_schema(Sink& sink, std::span<const Field> fields, const KeyValues& metadata);
// The whole dictionary: it replaces the one of this id that was put before, if any.
void put_dictionary(Sink& sink, int64_t id, size_t names, const MessageBody& body);
void put_record_batch(Sink& sink, size_t rows, const MessageBody& body);
void put_end(Sink& sink);

}  // namespace pmjit::arrow
