// ArrowStream: reads an Arrow stream from the description of the format alone: the framing, and the
// few flatbuffers that are in it, by hand, so that it shares nothing with the writer. What is not
// as it has to be is a failure of the test at hand.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

namespace pmjit {

// A table of a flatbuffer: its members are found by their number.
class FlatTable {
 public:
  FlatTable(std::string_view bytes, size_t at) : bytes_(bytes), at_(at) {}
  static FlatTable root(std::string_view bytes);

  template <class T>
  [[nodiscard]] T scalar(size_t member, T otherwise = {}) const {
    const size_t place = find(member);
    return place == 0 ? otherwise : read<T>(place);
  }
  [[nodiscard]] bool has(size_t member) const { return find(member) != 0; }
  [[nodiscard]] FlatTable table(size_t member) const { return {bytes_, target(find(member))}; }
  [[nodiscard]] std::string text(size_t member) const;
  [[nodiscard]] std::vector<FlatTable> tables(size_t member) const;
  // A vector of structs of two 64-bit numbers.
  [[nodiscard]] std::vector<std::pair<int64_t, int64_t>> pairs(size_t member) const;

 private:
  template <class T>
  [[nodiscard]] T read(size_t at) const {
    T value{};
    if (at + sizeof value <= bytes_.size()) std::memcpy(&value, bytes_.data() + at, sizeof value);
    return value;
  }
  [[nodiscard]] size_t find(size_t member) const;  // 0: it is not there
  [[nodiscard]] size_t target(size_t at) const { return at + read<uint32_t>(at); }

  std::string_view bytes_;
  size_t at_;
};

struct ArrowMessage {
  enum Kind : uint8_t { schema = 1, dictionary = 2, record_batch = 3 };
  Kind kind;
  FlatTable header;
  std::string_view body;
};

struct ArrowField {
  std::string name, type, metadata;  // "i32", "timestamp", …; "KEY=VALUE" each
  bool nullable = false, by_dictionary = false;
};

struct ArrowStream {
  explicit ArrowStream(std::string_view bytes) { read(bytes); }

  std::vector<ArrowMessage> messages;
  std::vector<ArrowField> fields;
  std::string metadata;
  std::vector<size_t> batch_rows;
  std::vector<size_t> instance_names;  // in each dictionary of instances
  std::vector<std::string> rows;       // "TIME HOST METRIC INSTANCE COLUMN=VALUE"; "-" is null

 private:
  void read(std::string_view bytes);
  void read_schema(const FlatTable& schema);
  void read_dictionary(const ArrowMessage& message);
  void read_batch(const ArrowMessage& message);

  std::vector<std::vector<std::string>> dictionaries_ = std::vector<std::vector<std::string>>(3);
};

}  // namespace pmjit
