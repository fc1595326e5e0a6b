// Messages: what each PDU carries, as values. Texts are views into the bytes that were decoded, or
// into the memory of whoever sends; they live as long as those. Lists are vectors whose size the
// PDU's own size bounds. Source: spec wire-protocol.md §5; a section stands beside each.
//
//   Pdu pdu{.body = FetchRequest{.context = 0, .pmids = {pmid}}};
//   if (const auto* desc = std::get_if<DescMessage>(&pdu.body)) …
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <variant>
#include <vector>

#include "runtime/model/desc.h"
#include "runtime/model/value_layout.h"
#include "runtime/wire/pdu.h"

namespace pmjit::wire {

// §3.1: the second half of the 20-byte ERROR with which a collector greets.
struct HelloWord {
  uint8_t version = 2;
  uint8_t licensed = 1;
  FeatureSet features{};  // what the collector offers
};

// §5.1. `code` is a PM_ERR_* or a negative errno, 0, or state-change bits (below), in today's
// numbers: those of a hello, which are of an older generation on the wire, are translated (§10.3).
struct ErrorMessage {
  int32_t code = 0;
  std::optional<HelloWord> hello{};
};

// §10.3: a hello has the numbers of an older generation. `c` of the wire is above INT32_MIN +
// 11345.
inline constexpr int32_t kOldCodesDistance = 11'345;
[[nodiscard]] constexpr int32_t hello_code(int32_t code) {
  return code <= -12'345 ? code + kOldCodesDistance : code;
}
[[nodiscard]] constexpr int32_t code_of_hello(int32_t c) {
  return c <= -1'000 ? c - kOldCodesDistance : c;
}

// §9: positive codes before a result; of an agent's RESULT the seconds.
enum StateChange : uint32_t {
  kAgentAdded = 1,
  kAgentRestarted = 2,
  kAgentDropped = 4,
  kLabelsChanged = 8,
  kNamesChanged = 16,
  kHostnameChanged = 32,
};

// The value sets of a result, checked but not unpacked: sets, instances and blocks are places in
// the PDU's bytes (runtime/model/value_layout.h). fetched_values.h makes a FetchedSet of one.
struct ResultSets {
  RecordHead head{};
  RecordLayout layout{};

  [[nodiscard]] size_t size() const { return layout.sets.size(); }
};

// §5.5: a result, or values to store. The time is as sent: agents have StateChange bits in the
// seconds, and a store forwarded by pmcd has garbage.
struct ResultMessage {
  int32_t seconds = 0, microseconds = 0;
  ResultSets sets{};
};
struct HighresResultMessage {  // §5.6
  int64_t seconds = 0, nanoseconds = 0;
  ResultSets sets{};
};

// §5.3, §8.
struct DomainProfile {
  InDomId indom = kNullId;
  bool excludes = false;  // none but the listed instances; false: all of them but the listed
  std::vector<int32_t> instances{};
};
struct ProfileMessage {
  int32_t context = 0;
  bool excludes = false;  // domains without an entry
  std::vector<DomainProfile> domains{};
};

struct FetchRequest {  // §5.4; at least one metric, duplicates allowed
  int32_t context = 0;
  std::vector<PmId> pmids{};
};
struct HighresFetchRequest : FetchRequest {};

struct DescRequest {  // §5.7
  PmId pmid = kNullId;
};
struct DescMessage {
  Desc desc{};
};
struct DescsRequest {  // §5.8; at least one
  std::vector<PmId> pmids{};
};
struct DescsMessage {  // in the order of the request; pmid kNullId: not described
  std::vector<Desc> descs{};
};

struct InstanceRequest {  // §5.9: every instance, or the name of one, or the instance of a name
  InDomId indom = kNullId;
  int32_t instance = kSingular;
  std::string_view name{};
};
struct InstanceName {
  int32_t instance = kSingular;
  std::string_view name{};
};
struct InstanceMessage {  // §5.10: of one instance only what was missing
  InDomId indom = kNullId;
  std::vector<InstanceName> instances{};
};

struct TextRequest {  // §5.13
  uint32_t ident = kNullId;
  uint32_t kind = 0;  // TextKind, and 4: of a metric, 8: of a domain
};
struct TextMessage {
  uint32_t ident = kNullId;  // not to be trusted: real collectors send it in their own byte order
  std::string_view text{};
};

struct Credential {  // §3.2
  uint8_t type = 1;
  uint8_t version = 2;
  FeatureSet wishes{};
};
struct CredsMessage {
  std::vector<Credential> credentials{};
};
// What a peer has said of its version: the last credential of type 1. None: it has not.
[[nodiscard]] std::optional<Credential> version_of(const CredsMessage& creds);

struct IdsMessage {      // §5.11
  int32_t resolved = 0;  // of a reply: how many names are known
  std::vector<PmId> pmids{};
};
struct NameAndStatus {
  std::string_view name{};
  int32_t status = 0;  // 0 leaf, 1 with names below
};
struct NamesMessage {  // §5.12
  bool with_status = false;
  std::vector<NameAndStatus> names{};
};
struct ChildRequest {   // §5.14; an empty name is the root
  int32_t subtype = 0;  // not 0: with status
  std::string_view name{};
};
struct TraverseRequest {
  int32_t subtype = 0;
  std::string_view name{};
};

// §5.15, codes of §3.7. Agents get a NUL behind the value, which counts: plain_value() is without.
struct AttributeMessage {
  int32_t code = 0;
  std::string_view value{};
};
[[nodiscard]] std::string_view plain_value(const AttributeMessage& attribute);

struct LabelRequest {  // §5.16
  uint32_t ident = kNullId;
  uint32_t type = 0;  // one bit
};
// §5.17: where a label's name and value are in the JSON of its set.
struct LabelPlace {
  uint16_t name_at = 0;
  uint8_t name_bytes = 0, flags = 0;
  uint16_t value_at = 0, value_bytes = 0;
};
struct SentLabels {
  int32_t instance = kSingular;
  int32_t status = 0;  // negative: why there are none
  std::string_view json{};
  std::vector<LabelPlace> places{};
};
struct LabelMessage {
  uint32_t ident = kNullId, type = 0;  // those of the request
  std::vector<SentLabels> sets{};
};

// §18, between pmlc and pmlogger.
struct LoggedInstance {
  int32_t instance = 0, value = 0;
};
struct LoggedMetric {
  PmId pmid = kNullId;
  std::vector<LoggedInstance> instances{};
};
struct LogControlMessage {
  int32_t control = 0, state = 0, delta_ms = 0;
  std::vector<LoggedMetric> metrics{};
};
struct LogStatusV2Message {
  std::string_view bytes{};  // the specification has no layout of it
};
struct LogRequest {
  int32_t what = 0;  // 1 new volume, 2 status, 3 sync
};
struct LoggerStamp {
  int64_t seconds = 0;
  int32_t nanoseconds = 0;
};
struct LogStatusMessage {
  LoggerStamp start{}, last{}, now{};
  int32_t state = 0, volume = 0;
  int64_t size = 0;
  // pmcd's host, its full name, time zone, zone info; pmlogger's time zone, zone info.
  std::array<std::string_view, 6> texts{};
};

using PduBody = std::variant<
#define PDU(name, text, code, message, routes, feature) message,
#include "runtime/wire/pdu.def"
#undef PDU
    std::monostate>;  // last, and in no PDU: lists of a macro end in a comma

// `from`: §1.1 has who puts what there; agents tell clients apart by it.
struct Pdu {
  int32_t from = 0;
  PduBody body{};
};

[[nodiscard]] const PduRow& row_of(const Pdu& pdu);

}  // namespace pmjit::wire
