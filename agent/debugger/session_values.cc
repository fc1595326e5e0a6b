// DebugSession: values, fetched and stored.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstring>

#include "agent/debugger/session_ask.h"
#include "runtime/base/byte_writer.h"
#include "runtime/text/float_text.h"
#include "runtime/text/print_value.h"
#include "runtime/wire/codec.h"
#include "runtime/wire/result_encoder.h"

namespace pmjit {

namespace {

constexpr int kUnknownType = -1;

std::string value_text(const FetchedSet& set, const Desc* desc, const Value& value) {
  int type = desc != nullptr ? desc->pm_type : kUnknownType;
  if (desc == nullptr && set.format != ValueFormat::in_place) type = value.type;
  std::string out;
  const Zone zone;
  append_value(out, set.format, type, value, {.zone = zone});
  return out;
}

template <class Number>
Bytes number_bytes(Number number, Arena& arena) {
  std::byte* const room = arena.take(sizeof number);
  std::memcpy(room, &number, sizeof number);
  return {room, sizeof number};
}

// Whole numbers of 32 bits lose their upper bits, as in C.
OrPmError<Atom> stored_atom(int type, const std::string& text) {
  if (type != pm_type::i32 && type != pm_type::u32) return atom_from_text(type, text);
  const auto wide = atom_from_text(pm_type::i64, text);
  if (!wide) return wide;
  Atom out;
  out.u32 = static_cast<uint32_t>(wide->i64);
  return out;
}

}  // namespace

std::string DebugSession::metric_names(PmId pmid) const {
  const auto names = names_.names_of(pmid);
  return names.empty() ? "<noname>" : fmt::format("{}", fmt::join(names, ", "));
}

bool DebugSession::send_profile(bool told) {
  if (!profile_is_new_) return true;
  if (told) fmt::print("Sending Profile...\n");
  if (!agent_->send(wire::ProfileMessage{.context = 0, .domains = profile_})) {
    fmt::print("Error: __pmSendProfile() failed: the agent has ended\n");
    return false;
  }
  profile_is_new_ = false;
  return true;
}

bool DebugSession::fetch_sets(const std::vector<PmId>& pmids, std::vector<FetchedSet>& out) {
  wire::FetchRequest request;
  request.pmids = pmids;
  const auto* const result = ask<wire::ResultMessage>("fetch", request);
  if (result == nullptr) return false;
  arena_.clear();
  const auto all = [](int32_t) { return true; };
  for (const ValueSet& set : result->sets.layout.sets) {
    take_set(result->sets.head, result->sets.layout, set, arena_, out.emplace_back(), all);
  }
  return true;
}

void DebugSession::do_fetch() {
  std::vector<PmId> pmids;
  while (peek() != nullptr) {
    const auto pmid = take_metric();
    if (!pmid) return;
    pmids.push_back(*pmid);
    if (peek() != nullptr && peek()->kind == CommandWord::Kind::comma) ++next_;
  }
  if (!ready()) return;
  std::string list;
  for (const PmId pmid : pmids) list += fmt::format(" {}", pmid_text(pmid));
  fmt::print("PMID(s):{}\n", list);
  std::map<PmId, Desc> descs;
  for (const PmId pmid : pmids) {
    if (!getdesc_ && !getiname_) break;
    const auto desc = describe(pmid);
    if (!desc) return put_timer();
    descs[pmid] = *desc;
  }
  std::vector<FetchedSet> sets;
  if (send_profile(false) && fetch_sets(pmids, sets)) put_sets(sets, descs);
  put_timer();
}

void DebugSession::put_sets(const std::vector<FetchedSet>& sets,
                            const std::map<PmId, Desc>& descs) {
  const auto place = reinterpret_cast<uintptr_t>(sets.data());
  if (agent_->is_object()) {
    fmt::print("pmResult dump from 0x{:x} timestamp: 0.000000 00:00:00.000 numpmid: {}\n", place,
               sets.size());
  } else {
    fmt::print(
        "__pmResult dump from 0x{:x} timestamp: 0.000000000 00:00:00.000000000 numpmid: {}\n",
        place, sets.size());
  }
  for (const FetchedSet& set : sets) {
    fmt::print("  {} ({}): ", pmid_text(set.pmid), metric_names(set.pmid));
    if (set.count <= 0) {
      fmt::print("{}\n", set.count == 0 ? "No values returned!" : pm_error_text(set.count));
      continue;
    }
    fmt::print("numval: {} valfmt: {} vlist[]:\n", set.count, static_cast<int>(set.format));
    const auto desc = descs.find(set.pmid);
    const Desc* const known = desc != descs.end() ? &desc->second : nullptr;
    for (const Value& value : set.values) {
      if (value.instance == kSingular) {
        fmt::print("   value {}\n", value_text(set, known, value));
        continue;
      }
      put_instance(known, value.instance);
      fmt::print("value {}\n", value_text(set, known, value));
    }
  }
}

void DebugSession::put_instance(const Desc* desc, int32_t instance) {
  std::string name = "???";
  if (getiname_ && desc != nullptr && desc->indom != kNullId) {
    const auto* const found = ask<wire::InstanceMessage>(
        "instance", wire::InstanceRequest{.indom = desc->indom, .instance = instance});
    if (found != nullptr && !found->instances.empty()) {
      name = fmt::format("\"{}\"", found->instances.front().name);
    }
  }
  fmt::print("    inst [{} or {}] ", instance, name);
}

bool DebugSession::store_text(const Desc& desc, const std::string& text, FetchedSet& set,
                              Arena& arena) {
  const auto atom = stored_atom(desc.pm_type, text);
  if (!atom) return false;
  const bool wide = is_of_8(static_cast<uint32_t>(desc.pm_type));
  const bool textual = desc.pm_type == pm_type::string;
  Bytes block;
  if (textual) {
    std::byte* const room = arena.take(text.size() + 1);
    std::memcpy(room, text.c_str(), text.size() + 1);
    block = {room, text.size() + 1};
  } else if (wide) {
    block = number_bytes(atom->u64, arena);
  } else {
    block = number_bytes(atom->u32, arena);
  }
  for (Value& value : set.values) {
    if (set.format == ValueFormat::in_place) {
      value.word = atom->u32;
    } else {
      value.type = static_cast<uint8_t>(desc.pm_type);
      value.block = block;
    }
  }
  return true;
}

void DebugSession::do_store() {
  const auto pmid = take_metric();
  const CommandWord* const text = pmid ? take(CommandWord::Kind::string) : nullptr;
  if (text == nullptr || !ready()) return;
  fmt::print("PMID: {}\nGetting description...\n", pmid_text(*pmid));
  const auto desc = describe(*pmid);
  if (!desc || !send_profile(true)) return put_timer();
  fmt::print("Getting Result Structure...\n");
  std::vector<FetchedSet> sets;
  if (!fetch_sets({*pmid}, sets) || sets.empty()) return put_timer();
  FetchedSet& set = sets.front();
  if (set.count < 0) {
    fmt::print("Error: {}: {}\n", pmid_text(*pmid), pm_error_text(set.count));
    return put_timer();
  }
  if (desc->pm_type == pm_type::aggregate || is_event_type(desc->pm_type)) {
    fmt::print("Error: dbpmda does not support storing into {} metrics\n",
               pm_type_text(desc->pm_type));
    return put_timer();
  }
  const FetchedSet before = set;
  if (!store_text(*desc, text->text, set, arena_)) {
    fmt::print("Error: Value \"{}\" is incompatible with metric type (PM_TYPE_{})\n", text->text,
               pm_type_text(desc->pm_type));
    return put_timer();
  }
  for (size_t i = 0; i < set.values.size(); ++i) {
    const Value& value = set.values[i];
    const std::string place = set.values.size() == 1 ? "" : fmt::format(" [{}]", i);
    fmt::print("{}{}: {} -> {}\n", pmid_text(*pmid), place,
               value_text(before, &*desc, before.values[i]), value_text(set, &*desc, value));
  }
  if (!agent_->is_object()) fmt::print("Sending Result...\n");
  wire::ResultEncoder encoder(wire::PduType::result, {});
  encoder.add(set);
  ByteWriter pdu;
  encoder.finish(0, pdu);
  put_stored(pdu);
  put_timer();
}

void DebugSession::put_stored(const ByteWriter& pdu) {
  std::fflush(stdout);
  const auto begun = clock_.now();
  answer_.reset();
  if (agent_->send_bytes(Bytes(pdu.written()))) answer_ = agent_->receive();
  waited_ += clock_.now() - begun;
  const auto* const error = answer_ ? std::get_if<wire::ErrorMessage>(&*answer_) : nullptr;
  if (error == nullptr) {
    fmt::print("Error: __pmGetPDU() failed: PDU empty, PMDA may have died\n");
  } else if (error->code < 0) {
    tell_failure("store", error->code);
  }
}

}  // namespace pmjit
