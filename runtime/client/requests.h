// Requests: what a client asks a collector, each as one coroutine over a Connection. Lists that are
// too long for one PDU go out as several. Source: spec wire-protocol.md §5, §7.
//
//   auto asking = request_ids(connection, names);
//   const Result<std::vector<OrPmError<PmId>>> ids = co_await asking;
//   if (!ids) …            // the connection is lost; inside are the collector's own refusals
//
// Arguments that are spans or views must live until the answer is there.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/client/connection.h"

namespace pmjit {

template <class T>
using Asked = Async<Result<OrPmError<T>>>;

// Whom labels are of: the bits of a LABEL_REQ.
enum class LabelLevel : uint32_t {
  context = 1,
  domain = 2,
  indom = 4,
  cluster = 8,
  item = 16,
  instances = 32,
};
struct HostLabels {
  int32_t instance = kSingular;  // of LabelLevel::instances
  std::string json;              // an object
  std::vector<wire::LabelPlace> places{};
};

// One answer per name. Of several names the collector does not say why one is unknown: PM_ERR_NAME.
[[nodiscard]] Async<Result<std::vector<OrPmError<PmId>>>> request_ids(
    Connection& connection, std::span<const std::string_view> names);
[[nodiscard]] Asked<std::vector<std::string>> request_names(Connection& connection, PmId pmid);
[[nodiscard]] Asked<std::vector<Context::Child>> request_children(Connection& connection,
                                                                  std::string_view name);
// Full names of all leaves at or below it.
[[nodiscard]] Asked<std::vector<std::string>> request_leaves(Connection& connection,
                                                             std::string_view name);
// One answer per metric; together where the collector can do so.
[[nodiscard]] Async<Result<std::vector<OrPmError<Desc>>>> request_descs(
    Connection& connection, std::span<const PmId> metrics);
[[nodiscard]] Asked<std::vector<Catalog::Instance>> request_instances(Connection& connection,
                                                                      InDomId indom);
[[nodiscard]] Asked<std::string> request_instance_name(Connection& connection, InDomId indom,
                                                       int32_t instance);
[[nodiscard]] Asked<int32_t> request_instance_id(Connection& connection, InDomId indom,
                                                 std::string_view name);
enum class TextOfWhat : uint32_t { metric = 4, indom = 8 };
[[nodiscard]] Asked<std::string> request_text(Connection& connection, TextKind kind, TextOfWhat of,
                                              uint32_t ident);
// PM_ERR_NOLABELS where the collector has none at all; an empty list: none at this level.
[[nodiscard]] Asked<std::vector<HostLabels>> request_labels(Connection& connection,
                                                            LabelLevel level, uint32_t ident);
// The value: 0.
[[nodiscard]] Asked<int32_t> request_store(Connection& connection,
                                           std::span<const FetchedSet> sets);

}  // namespace pmjit
