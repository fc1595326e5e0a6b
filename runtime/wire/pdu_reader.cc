#include "runtime/wire/pdu_reader.h"

#include <algorithm>

#include "runtime/wire/frame.h"

namespace pmjit::wire {

namespace {

constexpr size_t kLabelPlaceBytes = 8;

}  // namespace

Error pdu_error(Bytes pdu, size_t offset, std::string what) {
  const uint32_t code = pdu.size() < kHeaderBytes ? 0 : load_be<uint32_t>(pdu.data() + 4);
  return Error(Fault::format, std::move(what))
      .at("offset", fmt::format("{}", offset))
      .at("PDU", pdu_name(code))
      .pm_code(pm_err::E_IPC)
      .help("the sender breaks PCP's protocol; this PDU is not used");
}

PduReader::PduReader(Bytes pdu) : pdu_(pdu), pos_(std::min(kHeaderBytes, pdu.size())) {}

void PduReader::refuse_at(size_t offset, std::string what) {
  if (!error_) error_ = pdu_error(pdu_, offset, std::move(what));
}

bool PduReader::has(size_t bytes, std::string_view name) {
  if (ok() && bytes > left()) {
    refuse(fmt::format("it ends within {}: {} bytes of {} are there", name, left(), bytes));
  }
  return ok();
}

std::string_view PduReader::take(size_t bytes, std::string_view name) {
  if (!has(bytes, name)) return {};
  const auto* at = reinterpret_cast<const char*>(pdu_.data() + pos_);
  pos_ += bytes;
  return {at, bytes};
}

size_t PduReader::announce(std::string_view name, int32_t announced, size_t at, size_t each,
                           size_t least) {
  const auto wanted = static_cast<size_t>(std::max(announced, 0));
  if (announced < 0 || wanted < least) {
    refuse_at(at, fmt::format("the number of {} is {}", name, announced));
    return 0;
  }
  const size_t room = left() > promised_ ? left() - promised_ : 0;
  if (wanted > room / each) {
    refuse_at(at, fmt::format("{} {} do not fit the {} bytes that follow", announced, name, room));
    return 0;
  }
  promised_ += wanted * each;
  return wanted;
}

void PduReader::finish() {
  if (ok() && left() != 0) refuse(fmt::format("{} bytes follow its last field", left()));
}

void PduReader::flag(std::string_view name, bool& out) {
  int32_t value = 0;
  number(name, value);
  out = value != 0;
  if (ok() && value != 0 && value != 1) {
    refuse_at(pos_ - sizeof value, fmt::format("{} is {}, not 0 or 1", name, value));
  }
}

void PduReader::features(std::string_view name, FeatureSet& out) {
  uint16_t bits = 0;
  number(name, bits);
  out = FeatureSet::of_bits(bits);
}

void PduReader::constant(std::string_view name, int32_t expected) {
  int32_t value = 0;
  number(name, value);
  if (ok() && value != expected) {
    refuse_at(pos_ - sizeof value, fmt::format("{} is {}, not {}", name, value, expected));
  }
}

void PduReader::desc(Desc& out) {
  uint32_t semantics = 0, units = 0;
  number("metric", out.pmid);
  number("type", out.pm_type);
  number("domain", out.indom);
  number("semantics", semantics);
  if (semantics > UINT8_MAX) refuse_at(pos_ - 4, fmt::format("semantics is {}", semantics));
  number("units", units);
  out.semantics = static_cast<Semantics>(semantics);
  out.units = units_from_word(units, ExtraUnits::known);
}

void PduReader::counted(std::string_view name, std::string_view& out) {
  int32_t bytes = 0;
  number(name, bytes);
  if (!ok()) return;
  if (bytes < 0) return refuse_at(pos_ - 4, fmt::format("{} has {} bytes", name, bytes));
  const auto length = static_cast<size_t>(bytes);
  out = take((length + 3) / 4 * 4, name).substr(0, length);
}

void PduReader::texts(std::array<std::string_view, 6>& out) {
  std::array<int32_t, 6> bytes{};
  for (int32_t& one : bytes) number("length of a text", one);
  for (size_t i = 0; i < out.size(); ++i) {
    if (bytes[i] < 0) return refuse(fmt::format("a text has {} bytes", bytes[i]));
    out[i] = take(static_cast<size_t>(bytes[i]), "text");
  }
}

void PduReader::error_code(int32_t& code, std::optional<HelloWord>& hello) {
  number("code", code);
  if (!ok() || left() == 0) return;
  if (left() != 4) {
    return refuse(fmt::format("{} bytes follow the code; there are 0 or, of a hello, 4", left()));
  }
  hello.emplace();
  if (code < INT32_MIN + kOldCodesDistance) return refuse("the code of the hello is impossible");
  code = code_of_hello(code);
}

void PduReader::names_head(NamesMessage& out) {
  int32_t states = 0;
  number("bytes of names", name_bytes_);
  const size_t at = pos_;
  number("number of states", states);
  count("names", out.names, 4, 0);
  out.with_status = states != 0;
  if (ok() && states != 0 && static_cast<size_t>(states) != out.names.size()) {
    refuse_at(at, fmt::format("{} states of {} names", states, out.names.size()));
  }
}

void PduReader::names_end(const NamesMessage& out) {
  int64_t bytes = 0;
  for (const NameAndStatus& one : out.names) bytes += static_cast<int64_t>(one.name.size()) + 1;
  if (ok() && bytes > name_bytes_) {
    refuse_at(kHeaderBytes,
              fmt::format("its names have {} bytes, announced are {}", bytes, name_bytes_));
  }
}

// The JSON texts stand behind all sets, one after the other; nothing stands behind the last.
void PduReader::label_sets(std::vector<SentLabels>& out) {
  struct Span {
    uint32_t offset, length;
  };
  count("label sets", out, 16, 0);
  promised_ = 0;
  std::vector<Span> spans(out.size());
  for (size_t i = 0; i < out.size() && ok(); ++i) {
    SentLabels& set = out[i];
    int32_t labels = 0;
    number("instance", set.instance);
    number("number of labels", labels);
    number("offset of JSON", spans[i].offset);
    number("length of JSON", spans[i].length);
    if (!ok()) return;
    set.status = std::min(labels, 0);
    const auto wanted = static_cast<size_t>(std::max(labels, 0));
    if (wanted > left() / kLabelPlaceBytes) {
      return refuse_at(
          pos_ - 12, fmt::format("{} labels do not fit the {} bytes that follow", labels, left()));
    }
    set.places.resize(wanted);
    for (LabelPlace& place : set.places) walk_place(*this, place);
  }
  for (size_t i = 0; i < out.size() && ok(); ++i) {
    read_label_json(out[i], spans[i].offset, spans[i].length);
  }
  if (ok() && left() < 4) pos_ = pdu_.size();  // some writers round up to a word
}

void PduReader::read_label_json(SentLabels& set, uint32_t offset, uint32_t length) {
  // Of no text the place does not matter.
  if (length != 0 && offset != pos_) {
    return refuse(fmt::format("JSON is at {}, where another text or nothing stands", offset));
  }
  if (length > UINT16_MAX) return refuse(fmt::format("labels have {} bytes of JSON", length));
  set.json = take(length, "JSON of labels");
  for (const LabelPlace& place : set.places) {
    if (size_t{place.name_at} + place.name_bytes > length ||
        size_t{place.value_at} + place.value_bytes > length) {
      return refuse("a label is outside of its JSON");
    }
  }
}

void PduReader::sets(ResultSets& out) {
  number("metrics", out.head.sets);
  read_sets(out);
}

void PduReader::read_sets(ResultSets& out) {
  if (!ok()) return;
  if (out.head.sets > left() / 8) {
    return refuse(
        fmt::format("{} metrics do not fit the {} bytes that follow", out.head.sets, left()));
  }
  out.head.bytes = pdu_;
  out.head.sets_at = static_cast<uint32_t>(pos_);
  out.head.body_end = static_cast<uint32_t>(pdu_.size());
  if (const auto sets = read_value_sets(out.head, out.layout); !sets) {
    return refuse_at(sets.error().offset, std::string(sets.error().what));
  }
  if (const auto placed = place_blocks(out.head, out.layout); !placed) {
    return refuse_at(placed.error().offset, std::string(placed.error().what));
  }
  pos_ = pdu_.size();
}

}  // namespace pmjit::wire
