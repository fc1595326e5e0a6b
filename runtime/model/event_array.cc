#include "runtime/model/event_array.h"

#include <algorithm>
#include <string_view>

namespace pmjit {

namespace {

struct FlagName {
  uint32_t flag;
  std::string_view text;
};
constexpr FlagName kFlagNames[] = {{kEventPoint, "point"},
                                   {kEventStart, "start"},
                                   {kEventEnd, "end"},
                                   {kEventId, "id"},
                                   {kEventParent, "parent"}};

// Bytes of a value of this type; 0: any number.
size_t number_bytes(int type) {
  switch (type) {
    case pm_type::i32:
    case pm_type::u32:
    case pm_type::f32: return 4;
    case pm_type::i64:
    case pm_type::u64:
    case pm_type::f64: return 8;
    default: return 0;
  }
}

OrPmError<EventParameter> unpack_parameter(EventBytes& in) {
  const RawParameter raw = take_parameter(in);
  if (!in.ok() || raw.length < kLengthWord) return pm_fail(pm_err::E_TOOBIG);
  EventParameter out{.pmid = raw.pmid, .type = raw.type};
  const size_t number = number_bytes(raw.type);  // more bytes than a number has are left alone
  if (raw.bytes.size() < number) return pm_fail(pm_err::E_TOOBIG);
  if (raw.type == pm_type::i32 || raw.type == pm_type::u32) {
    std::memcpy(&out.value.word, raw.bytes.data(), sizeof out.value.word);
    return out;
  }
  out.format = ValueFormat::block;
  out.value.type = raw.type;
  out.value.block = number == 0 ? raw.bytes : raw.bytes.first(number);
  return out;
}

OrPmError<EventRecord> unpack_record(EventBytes& in, bool highres) {
  const EventHeader header = take_event_header(in, highres);
  if (!in.ok()) return pm_fail(pm_err::E_TOOBIG);
  EventRecord out{.stamp = header.stamp, .flags = header.flags};
  if ((header.flags & kEventMissed) != 0) {
    if (header.flags != kEventMissed) return pm_fail(pm_err::E_CONV);
    out.missed = header.parameters;
    return out;
  }
  for (int32_t i = 0; i < header.parameters; ++i) {
    auto parameter = unpack_parameter(in);
    if (!parameter) return pm_fail(parameter.error());
    out.parameters.push_back(*parameter);
  }
  return out;
}

bool is_parameter(const EventParameter& parameter) {
  return parameter.type <= pm_type::aggregate_static;
}
bool has_parameters(const EventRecord& record) {
  return std::all_of(record.parameters.begin(), record.parameters.end(), is_parameter);
}

}  // namespace

std::string event_flags_text(uint32_t flags) {
  if ((flags & kEventMissed) != 0) return "missed";
  std::string out;
  for (const FlagName& name : kFlagNames) {
    if ((flags & name.flag) == 0) continue;
    if (!out.empty()) out += ',';
    out += name.text;
  }
  return out;
}

OrPmError<std::vector<EventRecord>> unpack_events(ValueFormat format, const Value& value,
                                                  int type) {
  if (format != ValueFormat::block && format != ValueFormat::shared_block) {
    return pm_fail(pm_err::E_CONV);
  }
  if (!is_event_type(type) || value.type != type) return pm_fail(pm_err::E_TYPE);
  EventBytes in(value.block);
  const auto count = in.take<int32_t>();
  if (!in.ok() || count < 0) return pm_fail(pm_err::E_TOOSMALL);
  std::vector<EventRecord> out;
  for (int32_t i = 0; i < count; ++i) {
    auto record = unpack_record(in, type == pm_type::highres_event);
    if (!record) return pm_fail(record.error());
    out.push_back(std::move(*record));
  }
  // Of two mistakes, one in the structure anywhere goes first.
  if (!std::all_of(out.begin(), out.end(), has_parameters)) return pm_fail(pm_err::E_TYPE);
  return out;
}

}  // namespace pmjit
