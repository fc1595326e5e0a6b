// pmdaMain: requests of pmcd are answered one after the other. What pmcd has garbled gets an error
// where it waits for an answer, so that the two never lose step. Source: spec
// collector-and-agents.md §2.4, wire-protocol.md §11.3.
#include <span>

#include "agent/pmda/channel.h"
#include "runtime/model/fetched_values.h"
#include "runtime/pmapi/convert.h"
#include "runtime/wire/result_encoder.h"

using namespace pmjit;

namespace {

constexpr uint32_t kChangeBits = wire::kLabelsChanged | wire::kNamesChanged;

// pmcd waits for no answer to these.
bool is_answered(wire::PduType type) {
  switch (type) {
    case wire::PduType::error:
    case wire::PduType::profile:
    case wire::PduType::creds:
    case wire::PduType::attribute: return false;
    default: return true;
  }
}

// A list of malloc's that an agent has handed over.
template <class T>
class Given {
 public:
  Given() = default;
  Given(const Given&) = delete;
  Given& operator=(const Given&) = delete;
  ~Given() { std::free(list_); }
  [[nodiscard]] T** place() { return &list_; }
  [[nodiscard]] T* get() const { return list_; }

 private:
  T* list_ = nullptr;
};

// Memory that results are put together in; fetches are mostly as large as the one before.
struct ResultRoom {
  wire::ResultEncoder encoder{wire::PduType::result, {}};
  ByteWriter out;
};
ResultRoom& result_room() {
  static auto* const room = new ResultRoom();
  return *room;
}

// Both words of each at once.
void put_numbers(const pmValueSet& from, wire::ResultEncoder& encoder) {
  const std::span values(from.vlist, static_cast<size_t>(from.numval));
  std::byte* at = encoder.add_words(from.pmid, values.size()).data();
  for (const pmValue& value : values) {
    const uint64_t pair =
        uint64_t{static_cast<uint32_t>(value.inst)} << 32 | static_cast<uint32_t>(value.value.lval);
    const auto turned = load_be<uint64_t>(reinterpret_cast<const std::byte*>(&pair));
    std::memcpy(at, &turned, sizeof turned);
    at += sizeof turned;
  }
}

void put_set(const pmValueSet* from, wire::ResultEncoder& encoder) {
  if (from == nullptr) return encoder.add(PM_ID_NULL, 0);
  if (from->numval <= 0) return encoder.add(from->pmid, from->numval);
  if (from->valfmt == PM_VAL_INSITU) return put_numbers(*from, encoder);
  encoder.add_blocks(from->pmid, static_cast<size_t>(from->numval),
                     static_cast<ValueFormat>(from->valfmt),
                     [&](size_t i) { return value_of(from->valfmt, from->vlist[i]); });
}

void free_instances(pmInResult* found) {
  if (found == nullptr) return;
  for (int i = 0; i < found->numinst && found->namelist != nullptr; ++i) {
    std::free(found->namelist[i]);
  }
  std::free(found->namelist);
  std::free(found->instlist);
  std::free(found);
}

// Answers one PDU; each answer() is that of one message.
class Answers {
 public:
  Answers(pmdaInterface& agent, int32_t from)
      : agent_(agent), ext_(*ext_of(&agent)), version_(agent.comm.pmda_interface), from_(from) {}

  int answer(const wire::ProfileMessage& message);
  int answer(const wire::FetchRequest& request);
  int answer(const wire::DescRequest& request);
  int answer(const wire::InstanceRequest& request);
  int answer(const wire::TextRequest& request);
  int answer(const wire::ResultMessage& stored);
  int answer(const wire::NamesMessage& request);
  int answer(const wire::IdsMessage& request);
  int answer(const wire::ChildRequest& request);
  int answer(const wire::TraverseRequest& request);
  int answer(const wire::LabelRequest& request);
  int answer(const wire::AttributeMessage& message);
  int answer(const wire::ErrorMessage& message);
  template <class Other>
  int answer(const Other&) {
    return unexpected("Unrecognised pdu type");
  }

 private:
  int send(wire::PduBody body) { return send_pdu(ext_, {.body = std::move(body)}); }
  int refuse(int code) { return send_code(ext_, code); }
  int unexpected(const char* what) {
    pmNotifyErr(LOG_ERR, "%s: %s", ext_.e_name == nullptr ? "" : ext_.e_name, what);
    return 0;
  }
  int send_names(int count, char* const* names, const int* status);
  // What the agent has below a name: the next ones, or all leaves. How many, or an error.
  int children_of(std::string_view name, bool all, Given<char*>& names, Given<int>& status);

  pmdaInterface& agent_;
  pmdaExt& ext_;
  unsigned version_;
  int32_t from_;
};

int Answers::answer(const wire::ProfileMessage& message) {
  OwnedProfile next;
  next.instances.reserve(message.domains.size());
  for (const wire::DomainProfile& domain : message.domains) {
    auto& listed = next.instances.emplace_back(domain.instances.begin(), domain.instances.end());
    next.domains.push_back({.indom = domain.indom,
                            .state = domain.excludes ? PM_PROFILE_EXCLUDE : PM_PROFILE_INCLUDE,
                            .instances_len = static_cast<int>(listed.size()),
                            .instances = listed.data()});
  }
  // The agent may look at the old one until it has the new one.
  OwnedProfile& kept = state_of(&ext_)->profile;
  std::swap(kept, next);
  kept.profile = {.state = message.excludes ? PM_PROFILE_EXCLUDE : PM_PROFILE_INCLUDE,
                  .profile_len = static_cast<int>(kept.domains.size()),
                  .profile = kept.domains.data()};
  const auto profile = agent_.version.any.profile;
  if (profile != nullptr) profile(&kept.profile, &ext_);
  if (ext_.e_prof == &next.profile) ext_.e_prof = &kept.profile;
  return 0;
}

int Answers::answer(const wire::FetchRequest& request) {
  std::vector<pmID> pmids(request.pmids.begin(), request.pmids.end());
  pmResult* result = nullptr;
  const auto fetch = agent_.version.any.fetch;
  const int status = fetch == nullptr
                         ? PM_ERR_GENERIC
                         : fetch(static_cast<int>(pmids.size()), pmids.data(), &result, &ext_);
  if (status < 0) return refuse(status);
  if (result == nullptr) return refuse(PM_ERR_GENERIC);
  // An agent that makes results itself may put the time there: pmcd would take it for changes.
  const auto bits = static_cast<uint64_t>(result->timestamp.tv_sec);
  const bool is_changes = (bits & ~uint64_t{kChangeBits}) == 0;
  ResultRoom& room = result_room();
  room.encoder.begin({.seconds = is_changes ? static_cast<int64_t>(bits) : 0});
  for (int i = 0; i < result->numpmid; ++i) {
    put_set(result->vset[i], room.encoder);
  }
  room.out.clear();
  room.encoder.finish(0, room.out);
  if (ext_.e_resultCallBack != nullptr) ext_.e_resultCallBack(result);
  return send_bytes(ext_, room.out.written());
}

int Answers::answer(const wire::DescRequest& request) {
  pmDesc desc{};
  const auto describe = agent_.version.any.desc;
  const int status = describe == nullptr ? PM_ERR_PMID : describe(request.pmid, &desc, &ext_);
  return status < 0 ? refuse(status) : send(wire::DescMessage{desc_of(desc)});
}

int Answers::answer(const wire::InstanceRequest& request) {
  std::string name(request.name);
  pmInResult* found = nullptr;
  const auto instance = agent_.version.any.instance;
  const int status = instance == nullptr
                         ? PM_ERR_INDOM
                         : instance(request.indom, request.instance,
                                    name.empty() ? nullptr : name.data(), &found, &ext_);
  if (status < 0) return refuse(status);
  if (found == nullptr) return refuse(PM_ERR_INST);
  wire::InstanceMessage reply{.indom = request.indom};
  for (int i = 0; i < found->numinst; ++i) {
    wire::InstanceName& each = reply.instances.emplace_back();
    if (found->instlist != nullptr) each.instance = found->instlist[i];
    if (found->namelist != nullptr && found->namelist[i] != nullptr) each.name = found->namelist[i];
  }
  const int sent = send(std::move(reply));
  free_instances(found);
  return sent;
}

int Answers::answer(const wire::TextRequest& request) {
  char* text = nullptr;
  const auto look_up = agent_.version.any.text;
  const int status = look_up == nullptr ? PM_ERR_TEXT
                                        : look_up(static_cast<int>(request.ident),
                                                  static_cast<int>(request.kind), &text, &ext_);
  if (status < 0) return refuse(status);
  if (text == nullptr) return refuse(PM_ERR_TEXT);
  return send(wire::TextMessage{.ident = request.ident, .text = text});
}

int Answers::answer(const wire::ResultMessage& stored) {
  Arena arena;
  Fetched fetched;
  for (const ValueSet& set : stored.sets.layout.sets) {
    take_set(stored.sets.head, stored.sets.layout, set, arena, fetched.sets.emplace_back(),
             [](int32_t) { return true; });
  }
  auto* result = static_cast<pmResult*>(give_result(fetched, false));
  const auto store = agent_.version.any.store;
  const int status = store == nullptr ? PM_ERR_PERMISSION : store(result, &ext_);
  free_result(result);
  return refuse(std::min(status, 0));
}

int Answers::answer(const wire::NamesMessage& request) {
  if (version_ < PMDA_INTERFACE_4) return refuse(PM_ERR_NAME);
  if (request.names.size() != 1) return refuse(PM_ERR_IPC);
  const std::string name(request.names[0].name);
  pmID pmid = PM_ID_NULL;
  const auto look_up = agent_.version.four.pmid;
  const int status = look_up == nullptr ? PM_ERR_NAME : look_up(name.c_str(), &pmid, &ext_);
  if (status < 0) return refuse(status);
  return send(wire::IdsMessage{.resolved = status, .pmids = {pmid}});
}

int Answers::send_names(int count, char* const* names, const int* status) {
  wire::NamesMessage reply{.with_status = status != nullptr};
  for (int i = 0; i < count && names != nullptr; ++i) {
    reply.names.push_back(
        {.name = names[i] == nullptr ? "" : names[i], .status = status == nullptr ? 0 : status[i]});
  }
  return send(std::move(reply));
}

int Answers::answer(const wire::IdsMessage& request) {
  if (version_ < PMDA_INTERFACE_4) return refuse(PM_ERR_PMID);
  if (request.pmids.size() != 1 || request.resolved < 0) return refuse(PM_ERR_IPC);
  Given<char*> names;
  const auto look_up = agent_.version.four.name;
  const int count =
      look_up == nullptr ? PM_ERR_PMID : look_up(request.pmids[0], names.place(), &ext_);
  return count < 0 ? refuse(count) : send_names(count, names.get(), nullptr);
}

int Answers::children_of(std::string_view name, bool all, Given<char*>& names, Given<int>& status) {
  if (version_ < PMDA_INTERFACE_4) return PM_ERR_NAME;
  const auto children = agent_.version.four.children;
  if (children == nullptr) return PM_ERR_NAME;
  return children(std::string(name).c_str(), all ? 1 : 0, names.place(), status.place(), &ext_);
}

int Answers::answer(const wire::ChildRequest& request) {
  Given<char*> names;
  Given<int> status;
  const int count = children_of(request.name, false, names, status);
  if (count < 0) return refuse(count);
  // An agent without a word on leaves and branches: all are leaves.
  const std::vector<int> leaves(static_cast<size_t>(count), PMNS_LEAF_STATUS);
  const int* known = status.get() != nullptr ? status.get() : leaves.data();
  return send_names(count, names.get(), request.subtype != 0 && count > 0 ? known : nullptr);
}

int Answers::answer(const wire::TraverseRequest& request) {
  Given<char*> names;
  Given<int> status;
  const int count = children_of(request.name, true, names, status);
  return count < 0 ? refuse(count) : send_names(count, names.get(), nullptr);
}

int Answers::answer(const wire::LabelRequest& request) {
  pmLabelSet* sets = nullptr;
  int count = 0;
  const auto label = agent_.version.seven.label;
  if (version_ >= PMDA_INTERFACE_7 && label != nullptr) {
    count = label(static_cast<int>(request.ident), static_cast<int>(request.type), &sets, &ext_);
    if (count < 0) return refuse(count);
    if (sets == nullptr) count = 0;
  }
  const std::span found(sets, static_cast<size_t>(count));
  wire::LabelMessage reply{.ident = request.ident, .type = request.type};
  for (pmLabelSet& set : found) {
    pmdaAddLabelFlags(&set, static_cast<int>(request.type));
    wire::SentLabels& out = reply.sets.emplace_back();
    if (request.type == PM_LABEL_INSTANCES) out.instance = static_cast<int32_t>(set.inst);
    out.status = std::min(set.nlabels, 0);
    if (set.json != nullptr) out.json = {set.json, set.jsonlen};
    for (int i = 0; i < set.nlabels; ++i) {
      const pmLabel& place = set.labels[i];
      out.places.push_back({.name_at = static_cast<uint16_t>(place.name),
                            .name_bytes = static_cast<uint8_t>(place.namelen),
                            .flags = static_cast<uint8_t>(place.flags),
                            .value_at = static_cast<uint16_t>(place.value),
                            .value_bytes = static_cast<uint16_t>(place.valuelen)});
    }
  }
  const int sent = send(std::move(reply));
  if (sets != nullptr) pmFreeLabelSets(sets, count);
  return sent;
}

int Answers::answer(const wire::AttributeMessage& message) {
  const auto attribute = agent_.version.six.attribute;
  if (version_ < PMDA_INTERFACE_6 || attribute == nullptr) return 0;
  const std::string value(wire::plain_value(message));
  attribute(ext_.e_context, message.code, value.c_str(), static_cast<int>(value.size()) + 1, &ext_);
  return 0;
}

int Answers::answer(const wire::ErrorMessage& message) {
  if (message.code == PM_ERR_NOTCONN) {
    if (version_ >= PMDA_INTERFACE_5 && ext_.e_endCallBack != nullptr) ext_.e_endCallBack(from_);
    return 0;
  }
  pmNotifyErr(LOG_ERR, "%s: unexpected error pdu from pmcd: %s?",
              ext_.e_name == nullptr ? "" : ext_.e_name, ErrorText(message.code).text);
  return 0;
}

// The next PDU, or a code: PM_ERR_EOF where pmcd has closed the channel.
int next_frame(pmdaExt& ext, wire::Framer::Frame& out) {
  auto frame = read_pdu(ext);
  if (frame && *frame) {
    out = **frame;
    return 0;
  }
  if (frame) return PM_ERR_EOF;
  const int code = frame.error().pm_code() == 0 ? PM_ERR_IPC : frame.error().pm_code();
  pmNotifyErr(LOG_ERR, "IPC Error: %s", ErrorText(code).text);
  return code;
}

int answer_pdu(pmdaInterface& agent) {
  pmdaExt& ext = *ext_of(&agent);
  wire::Framer::Frame frame;
  if (const int status = next_frame(ext, frame); status < 0) return status;
  const unsigned version = agent.comm.pmda_interface;
  if (version >= PMDA_INTERFACE_5) {
    ext.e_context = frame.header.from;
    __pmdaSetContext(frame.header.from);
  }
  const wire::PduRow* row = wire::find_pdu(frame.header.code);
  if (pmDebugOptions.libpmda != 0)
    pmNotifyErr(LOG_DEBUG, "Received PDU_%s", wire::pdu_name(frame.header.code).c_str());
  if (row == nullptr || !row->goes(kFromPmcd.route)) {
    pmNotifyErr(LOG_ERR, "%s: Unrecognised pdu type: %s?", ext.e_name == nullptr ? "" : ext.e_name,
                wire::pdu_name(frame.header.code).c_str());
    return 0;
  }
  if (ext.e_checkCallBack != nullptr) {
    if (const int code = ext.e_checkCallBack(); code < 0) {
      return is_answered(row->type) ? send_code(ext, code) : 0;
    }
  }
  int status = 0;
  if (const auto pdu = wire::decode(frame.bytes, kFromPmcd)) {
    Answers answers(agent, frame.header.from);
    status = std::visit([&](const auto& message) { return answers.answer(message); }, pdu->body);
  } else if (is_answered(row->type)) {
    status = send_code(ext, PM_ERR_IPC);
  }
  if (ext.e_doneCallBack != nullptr) ext.e_doneCallBack();
  return status;
}

}  // namespace

int __pmdaMainPDU(pmdaInterface* agent) {
  pmdaExt* const ext = ext_of(agent);
  AgentState* const state = state_of(ext);
  if (state == nullptr || ext->e_infd < 0) return PM_ERR_GENERIC;
  if (!is_interface(agent->comm.pmda_interface)) {
    pmNotifyErr(LOG_CRIT, "__pmdaMainPDU: PMDA interface version %u not supported",
                unsigned{agent->comm.pmda_interface});
    return PM_ERR_GENERIC;
  }
  if (!state->begun) {
    state->begun = true;
    if (agent->status != 0) {
      pmNotifyErr(LOG_ERR, "PMDA Initialisation Failed");
      return -1;
    }
  }
  return at_c_border([&] { return answer_pdu(*agent); });
}

void pmdaMain(pmdaInterface* agent) {
  if (AgentState* state = state_of(ext_of(agent))) state->reads_ahead = true;
  while (__pmdaMainPDU(agent) >= 0) {
  }
}
