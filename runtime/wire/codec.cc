// decode(), encode() and what goes between: the reader of pdu_reader.h, and a writer.
#include "runtime/wire/codec.h"

#include <algorithm>
#include <limits>

#include "runtime/base/result.h"
#include "runtime/wire/frame.h"
#include "runtime/wire/layouts.h"
#include "runtime/wire/pdu_reader.h"
#include "runtime/wire/result_encoder.h"

namespace pmjit::wire {

namespace {

size_t padding_of(size_t bytes) { return (4 - bytes % 4) % 4; }

// The `io` of layouts.h that writes. What walk() requires of a message, its maker sees to.
class PduWriter {
 public:
  PduWriter(uint32_t type, int32_t from, ByteWriter& out) : out_(out), start_(out.size()) {
    out_.u32(0);
    out_.u32(type);
    out_.i32(from);
  }

  template <class T>
  void number(std::string_view, const T& value) {
    using Bits = std::make_unsigned_t<T>;
    if constexpr (sizeof(T) == 1) out_.u8(static_cast<Bits>(value));
    if constexpr (sizeof(T) == 2) out_.u16(static_cast<Bits>(value));
    if constexpr (sizeof(T) == 4) out_.u32(static_cast<Bits>(value));
    if constexpr (sizeof(T) == 8) out_.u64(static_cast<Bits>(value));
  }
  template <class T>
  void hex(std::string_view name, const T& value) {
    number(name, value);
  }
  void pmid(std::string_view, PmId value) { out_.u32(value); }
  void indom(std::string_view, InDomId value) { out_.u32(value); }
  void flag(std::string_view, bool value) { out_.u32(value ? 1 : 0); }
  void features(std::string_view, FeatureSet value) { out_.u16(value.bits()); }
  void zeros(size_t bytes) { out_.fill(bytes, '\0'); }
  void constant(std::string_view, int32_t value) { out_.i32(value); }
  void require(bool holds, std::string_view what) { check(holds, what); }
  void desc(const Desc& desc) {
    out_.u32(desc.pmid);
    out_.i32(desc.pm_type);
    out_.u32(desc.indom);
    out_.u32(static_cast<uint32_t>(desc.semantics));
    out_.u32(units_to_word(desc.units));
  }
  void counted(std::string_view, std::string_view text) {
    out_.u32(size_of(text.size()));
    out_.text(text);
    out_.fill(padding_of(text.size()), kPaddingByte);
  }
  void rest(std::string_view, std::string_view text) { out_.text(text); }
  void texts(const std::array<std::string_view, 6>& texts) {
    for (const auto text : texts) out_.u32(size_of(text.size()));
    for (const auto text : texts) out_.text(text);
  }
  template <class T>
  void count(std::string_view, const std::vector<T>& list, size_t, size_t least) {
    check(list.size() >= least, "encoder: a list without elements");
    out_.u32(size_of(list.size()));
  }
  template <class T, class Each>
  void elements(std::string_view, const std::vector<T>& list, size_t, Each&& each) {
    for (const T& one : list) each(one);
  }
  template <class T, class Each>
  void list(std::string_view name, const std::vector<T>& all, size_t bytes, size_t least,
            Each&& each) {
    count(name, all, bytes, least);
    elements(name, all, bytes, each);
  }
  void pmids(std::string_view name, const std::vector<PmId>& all, size_t least) {
    list(name, all, 4, least, [&](PmId one) { out_.u32(one); });
  }
  void error_code(int32_t code, const std::optional<HelloWord>& hello) {
    out_.i32(hello ? hello_code(code) : code);
  }
  void names_head(const NamesMessage& names) {
    size_t bytes = 0;
    for (const NameAndStatus& one : names.names) bytes += one.name.size() + 1;
    out_.u32(size_of(bytes));
    out_.u32(names.with_status ? size_of(names.names.size()) : 0);
    out_.u32(size_of(names.names.size()));
  }
  void names_end(const NamesMessage&) {}
  void label_sets(const std::vector<SentLabels>& sets);

  void finish() { out_.set_u32(start_, size_of(out_.size() - start_)); }

 private:
  static uint32_t size_of(size_t bytes) {
    check(bytes <= INT32_MAX, "encoder: a PDU or text of more than 2^31 bytes");
    return static_cast<uint32_t>(bytes);
  }

  ByteWriter& out_;
  size_t start_;
};

void PduWriter::label_sets(const std::vector<SentLabels>& sets) {
  out_.u32(size_of(sets.size()));
  size_t json = out_.size() - start_;
  for (const SentLabels& set : sets) json += 16 + 8 * set.places.size();
  for (const SentLabels& set : sets) {
    check(set.json.size() <= UINT16_MAX, "encoder: labels of more than 65,535 bytes");
    out_.i32(set.instance);
    out_.i32(set.places.empty() ? set.status : static_cast<int32_t>(set.places.size()));
    out_.u32(size_of(json));
    out_.u32(size_of(set.json.size()));
    for (const LabelPlace& place : set.places) walk_place(*this, place);
    json += set.json.size();
  }
  for (const SentLabels& set : sets) out_.text(set.json);
}

void encode_result(PduType type, int32_t from, ResultTime time, const ResultSets& sets,
                   ByteWriter& out) {
  ResultEncoder encoder(type, time);
  for (size_t i = 0; i < sets.size(); ++i) encoder.add(sets, i);
  encoder.finish(from, out);
}

Error refused(Bytes bytes, std::string_view why) {
  return pdu_error(bytes, 4,
                   fmt::format("a PDU {} {}", pdu_name(load_be<uint32_t>(bytes.data() + 4)), why));
}

template <class Message>
Result<Pdu> decode_as(Bytes bytes, int32_t from) {
  Message message;
  PduReader reader(bytes);
  walk(reader, message);
  reader.finish();
  if (auto error = reader.take_error()) return fail(std::move(*error));
  return Pdu{.from = from, .body = std::move(message)};
}

}  // namespace

Result<Pdu> decode(Bytes bytes, const Channel& channel) {
  if (bytes.size() < kHeaderBytes) {
    return fail(pdu_error(bytes, bytes.size(), "it ends within its header"));
  }
  const auto header = read_header(bytes, std::numeric_limits<int32_t>::max());
  if (!header) return fail(header.error());
  if (header->bytes != bytes.size()) {
    return fail(pdu_error(
        bytes, 0,
        fmt::format("its length says {}, {} bytes are there", header->bytes, bytes.size())));
  }
  const PduRow* row = find_pdu(header->code);
  if (row == nullptr) return fail(refused(bytes, "is unknown"));
  if (!row->goes(channel.route)) return fail(refused(bytes, "does not come from this side"));
  if (!channel.features.has(row->feature)) {
    return fail(refused(bytes, "belongs to a feature that the collector has not offered"));
  }
  switch (row->type) {
#define PDU(name, text, code, message, routes, feature) \
  case PduType::name: return decode_as<message>(bytes, header->from);
#include "runtime/wire/pdu.def"
#undef PDU
  }
  return fail(refused(bytes, "is unknown"));
}

void encode(const Pdu& pdu, ByteWriter& out) {
  const PduType type = row_of(pdu).type;
  if (const auto* result = std::get_if<ResultMessage>(&pdu.body)) {
    return encode_result(type, pdu.from, {result->seconds, result->microseconds}, result->sets,
                         out);
  }
  if (const auto* result = std::get_if<HighresResultMessage>(&pdu.body)) {
    return encode_result(type, pdu.from, {result->seconds, result->nanoseconds}, result->sets, out);
  }
  PduWriter writer(static_cast<uint32_t>(type), pdu.from, out);
  std::visit(
      [&]<class Message>(const Message& message) {
        constexpr bool is_walked = !Of<Message, ResultMessage> &&
                                   !Of<Message, HighresResultMessage> &&
                                   !Of<Message, std::monostate>;
        if constexpr (is_walked) walk(writer, message);
      },
      pdu.body);
  writer.finish();
}

const PduRow& row_of(const Pdu& pdu) {
  check(pdu.body.index() < pdu_rows().size(), "a PDU without a message");
  return pdu_rows()[pdu.body.index()];
}

std::optional<Credential> version_of(const CredsMessage& creds) {
  constexpr uint8_t kVersion = 1;
  for (auto at = creds.credentials.rbegin(); at != creds.credentials.rend(); ++at) {
    if (at->type == kVersion) return *at;
  }
  return std::nullopt;
}

std::string_view plain_value(const AttributeMessage& attribute) {
  std::string_view value = attribute.value;
  if (value.ends_with('\0')) value.remove_suffix(1);
  return value;
}

}  // namespace pmjit::wire
