#include "runtime/client/requests.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "runtime/base/limits.h"
#include "runtime/model/pm_codes.h"
#include "runtime/wire/result_encoder.h"

namespace pmjit {

namespace {

// Of one request: what fits into a PDU that every collector takes.
constexpr size_t kBodyBytes = limits::kClientPduBytesMax - 1'024;
constexpr size_t kMetricsPerRequest = kBodyBytes / 4;

// The message that was expected, or the collector's refusal. Anything else ends the connection.
template <class Message>
Result<OrPmError<Message>> expect(Connection& connection, Result<wire::Pdu> answer) {
  if (!answer) return fail(answer.error());
  if (auto* const message = std::get_if<Message>(&answer->body)) {
    return OrPmError<Message>(std::move(*message));
  }
  const auto* const error = std::get_if<wire::ErrorMessage>(&answer->body);
  if (error != nullptr && error->code < 0) return OrPmError<Message>(pm_fail(error->code));
  return fail(connection.break_off(
      fmt::format("a {} came in answer to another request", wire::row_of(*answer).text)));
}

template <class T>
Result<OrPmError<T>> refused(int code) {
  return OrPmError<T>(pm_fail(code));
}

// How many of the names, from the first one on, fit into one request.
size_t names_that_fit(std::span<const std::string_view> names) {
  size_t bytes = 0, count = 0;
  for (const std::string_view name : names) {
    bytes += 8 + name.size();
    if (bytes > kBodyBytes && count > 0) break;
    ++count;
  }
  return count;
}

Async<Result<bool>> request_some_ids(Connection& connection,
                                     std::span<const std::string_view> names,
                                     std::vector<OrPmError<PmId>>& out) {
  wire::NamesMessage request;
  for (const std::string_view name : names) request.names.push_back({.name = name});
  auto asking = connection.ask({.body = std::move(request)});
  Result<wire::Pdu> answer = co_await asking;
  auto ids = expect<wire::IdsMessage>(connection, std::move(answer));
  if (!ids) co_return fail(ids.error());
  if (!*ids) {
    out.insert(out.end(), names.size(), pm_fail(ids->error()));
    co_return true;
  }
  if ((*ids)->pmids.size() != names.size()) {
    co_return fail(connection.break_off(
        fmt::format("{} identifiers came for {} names", (*ids)->pmids.size(), names.size())));
  }
  for (const PmId pmid : (*ids)->pmids) {
    out.push_back(pmid == kNullId ? pm_fail(pm_err::E_NAME) : OrPmError<PmId>(pmid));
  }
  co_return true;
}

Async<Result<bool>> request_desc(Connection& connection, PmId pmid, OrPmError<Desc>& out) {
  auto asking = connection.ask({.body = wire::DescRequest{pmid}});
  Result<wire::Pdu> answer = co_await asking;
  auto desc = expect<wire::DescMessage>(connection, std::move(answer));
  if (!desc) co_return fail(desc.error());
  if (*desc) {
    out = (*desc)->desc;
  } else {
    out = pm_fail(desc->error());
  }
  co_return true;
}

// In one request. What it does not describe stays at PM_ERR_PMID.
Async<Result<bool>> request_some_descs(Connection& connection, std::span<const PmId> metrics,
                                       std::vector<OrPmError<Desc>>& out) {
  wire::DescsRequest request{.pmids = {metrics.begin(), metrics.end()}};
  auto asking = connection.ask({.body = std::move(request)});
  Result<wire::Pdu> answer = co_await asking;
  auto descs = expect<wire::DescsMessage>(connection, std::move(answer));
  if (!descs) co_return fail(descs.error());
  if (!*descs) {
    out.insert(out.end(), metrics.size(), pm_fail(descs->error()));
    co_return true;
  }
  if ((*descs)->descs.size() != metrics.size()) {
    co_return fail(connection.break_off(
        fmt::format("{} descriptors came for {} metrics", (*descs)->descs.size(), metrics.size())));
  }
  for (const Desc& desc : (*descs)->descs) {
    out.push_back(desc.pmid == kNullId ? pm_fail(pm_err::E_PMID) : OrPmError<Desc>(desc));
  }
  co_return true;
}

Asked<std::vector<std::string>> ask_for_names(Connection& connection, wire::Pdu request) {
  auto asking = connection.ask(std::move(request));
  Result<wire::Pdu> answer = co_await asking;
  auto names = expect<wire::NamesMessage>(connection, std::move(answer));
  if (!names) co_return fail(names.error());
  if (!*names) co_return refused<std::vector<std::string>>(names->error());
  std::vector<std::string> out;
  for (const wire::NameAndStatus& one : (*names)->names) out.emplace_back(one.name);
  co_return OrPmError<std::vector<std::string>>(std::move(out));
}

Asked<Catalog::Instance> request_one_instance(Connection& connection,
                                              wire::InstanceRequest request) {
  auto asking = connection.ask({.body = request});
  Result<wire::Pdu> answer = co_await asking;
  auto found = expect<wire::InstanceMessage>(connection, std::move(answer));
  if (!found) co_return fail(found.error());
  if (!*found) co_return refused<Catalog::Instance>(found->error());
  if ((*found)->instances.empty()) co_return refused<Catalog::Instance>(pm_err::E_INST);
  const wire::InstanceName& one = (*found)->instances.front();
  co_return OrPmError<Catalog::Instance>({.id = one.instance, .name = std::string(one.name)});
}

}  // namespace

Async<Result<std::vector<OrPmError<PmId>>>> request_ids(Connection& connection,
                                                        std::span<const std::string_view> names) {
  std::vector<OrPmError<PmId>> out;
  while (!names.empty()) {
    const size_t some = names_that_fit(names);
    auto asking = request_some_ids(connection, names.first(some), out);
    const Result<bool> done = co_await asking;
    if (!done) co_return fail(done.error());
    names = names.subspan(some);
  }
  co_return std::move(out);
}

Asked<std::vector<std::string>> request_names(Connection& connection, PmId pmid) {
  return ask_for_names(connection, {.body = wire::IdsMessage{.pmids = {pmid}}});
}

Asked<std::vector<Context::Child>> request_children(Connection& connection, std::string_view name) {
  auto asking = connection.ask({.body = wire::ChildRequest{.subtype = 1, .name = name}});
  Result<wire::Pdu> answer = co_await asking;
  auto names = expect<wire::NamesMessage>(connection, std::move(answer));
  if (!names) co_return fail(names.error());
  if (!*names) co_return refused<std::vector<Context::Child>>(names->error());
  std::vector<Context::Child> out;
  for (const wire::NameAndStatus& one : (*names)->names) {
    out.push_back({.name = std::string(one.name), .leaf = one.status == 0});
  }
  co_return OrPmError<std::vector<Context::Child>>(std::move(out));
}

Asked<std::vector<std::string>> request_leaves(Connection& connection, std::string_view name) {
  return ask_for_names(connection, {.body = wire::TraverseRequest{.name = name}});
}

Async<Result<std::vector<OrPmError<Desc>>>> request_descs(Connection& connection,
                                                          std::span<const PmId> metrics) {
  std::vector<OrPmError<Desc>> out;
  if (metrics.size() > 1 && connection.features().has(wire::Feature::descs)) {
    for (size_t first = 0; first < metrics.size(); first += kMetricsPerRequest) {
      const size_t some = std::min(kMetricsPerRequest, metrics.size() - first);
      auto asking = request_some_descs(connection, metrics.subspan(first, some), out);
      const Result<bool> done = co_await asking;
      if (!done) co_return fail(done.error());
    }
  } else {
    out.resize(metrics.size(), pm_fail(pm_err::E_PMID));
  }
  // Why one has none is said only where it is asked for alone.
  for (size_t i = 0; i < metrics.size(); ++i) {
    if (out[i]) continue;
    auto asking = request_desc(connection, metrics[i], out[i]);
    const Result<bool> done = co_await asking;
    if (!done) co_return fail(done.error());
  }
  co_return std::move(out);
}

Asked<std::vector<Catalog::Instance>> request_instances(Connection& connection, InDomId indom) {
  auto asking = connection.ask({.body = wire::InstanceRequest{.indom = indom}});
  Result<wire::Pdu> answer = co_await asking;
  auto found = expect<wire::InstanceMessage>(connection, std::move(answer));
  if (!found) co_return fail(found.error());
  if (!*found) co_return refused<std::vector<Catalog::Instance>>(found->error());
  std::vector<Catalog::Instance> out;
  for (const wire::InstanceName& one : (*found)->instances) {
    out.push_back({.id = one.instance, .name = std::string(one.name)});
  }
  co_return OrPmError<std::vector<Catalog::Instance>>(std::move(out));
}

Asked<std::string> request_instance_name(Connection& connection, InDomId indom, int32_t instance) {
  auto asking = request_one_instance(connection, {.indom = indom, .instance = instance});
  const auto found = co_await asking;
  if (!found) co_return fail(found.error());
  if (!*found) co_return refused<std::string>(found->error());
  co_return OrPmError<std::string>((*found)->name);
}

Asked<int32_t> request_instance_id(Connection& connection, InDomId indom, std::string_view name) {
  auto asking = request_one_instance(connection, {.indom = indom, .name = name});
  const auto found = co_await asking;
  if (!found) co_return fail(found.error());
  if (!*found) co_return refused<int32_t>(found->error());
  co_return OrPmError<int32_t>((*found)->id);
}

Asked<std::string> request_text(Connection& connection, TextKind kind, TextOfWhat of,
                                uint32_t ident) {
  const uint32_t bits = static_cast<uint32_t>(kind) | static_cast<uint32_t>(of);
  auto asking = connection.ask({.body = wire::TextRequest{.ident = ident, .kind = bits}});
  Result<wire::Pdu> answer = co_await asking;
  auto text = expect<wire::TextMessage>(connection, std::move(answer));
  if (!text) co_return fail(text.error());
  if (!*text) co_return refused<std::string>(text->error());
  co_return OrPmError<std::string>(std::string((*text)->text));
}

Asked<std::vector<HostLabels>> request_labels(Connection& connection, LabelLevel level,
                                              uint32_t ident) {
  if (!connection.features().has(wire::Feature::labels)) {
    co_return refused<std::vector<HostLabels>>(pm_err::E_NOLABELS);
  }
  const auto type = static_cast<uint32_t>(level);
  auto asking = connection.ask({.body = wire::LabelRequest{.ident = ident, .type = type}});
  Result<wire::Pdu> answer = co_await asking;
  auto labels = expect<wire::LabelMessage>(connection, std::move(answer));
  if (!labels) co_return fail(labels.error());
  if (!*labels) co_return refused<std::vector<HostLabels>>(labels->error());
  if ((*labels)->ident != ident || (*labels)->type != type) {
    co_return fail(connection.break_off("labels came that were not asked for"));
  }
  std::vector<HostLabels> out;
  for (const wire::SentLabels& set : (*labels)->sets) {
    if (set.status < 0) co_return refused<std::vector<HostLabels>>(set.status);
    out.push_back({.instance = set.instance, .json = std::string(set.json), .places = set.places});
  }
  co_return OrPmError<std::vector<HostLabels>>(std::move(out));
}

Asked<int32_t> request_store(Connection& connection, std::span<const FetchedSet> sets) {
  wire::ResultEncoder result(wire::PduType::result, {});
  for (const FetchedSet& set : sets) result.add(set);
  ByteWriter pdu;
  result.finish(0, pdu);
  auto asking = connection.ask_encoded(pdu.written());
  const Result<wire::Pdu> answer = co_await asking;
  if (!answer) co_return fail(answer.error());
  const auto* const error = std::get_if<wire::ErrorMessage>(&answer->body);
  if (error == nullptr || error->code > 0) {
    co_return fail(connection.break_off("a store was answered by another PDU"));
  }
  if (error->code < 0) co_return refused<int32_t>(error->code);
  co_return OrPmError<int32_t>(0);
}

}  // namespace pmjit
