#include "runtime/cmd/live_session.h"

#include <fmt/format.h>

#include "runtime/base/byte_writer.h"
#include "runtime/model/pm_codes.h"

namespace pmjit {

std::unique_ptr<LiveSession> LiveSession::open(const Options& options, std::string_view no_local,
                                               DerivedMetrics& derived, const Clock& clock,
                                               Messages& messages) {
  if (options.local) return open_local_session(options, no_local, derived, messages);
  return open_host_session(options, derived, clock, messages);
}

void LiveSession::use_zone_of(const Options& options) {
  if (!options.zone) return;
  zone_ = Zone(*options.zone);
  zone_note_ = fmt::format("Note: timezone set to \"TZ={}\"\n\n", *options.zone);
}

void LiveSession::fetch_together(std::span<const PmId> metrics) {
  next_set_ = 0;
  if (!context_->fetch(metrics, {}, fetched_)) fetched_.sets.clear();
}

// Where they could not be fetched together, each is asked for alone, and says why not. Some are
// passed over: who asks has found out before that nothing can be printed of them.
OrPmError<const FetchedSet*> LiveSession::fetch_first(PmId pmid) {
  for (size_t at = next_set_; at < fetched_.sets.size(); ++at) {
    if (fetched_.sets[at].pmid != pmid) continue;
    next_set_ = at + 1;
    return &fetched_.sets[at];
  }
  next_set_ = 1;
  const auto done = context_->fetch({&pmid, 1}, {}, fetched_);
  if (done) return fetched_.sets.data();
  return pm_fail(done.error().pm_code() != 0 ? done.error().pm_code() : pm_err::E_IPC);
}

// What is sent of a label has the form that archives store.
std::vector<const LabelSet*> LiveSession::labels(LabelType type, uint32_t ident) {
  KeptLabels& kept = labels_[static_cast<uint32_t>(type)];
  kept = {};
  auto sent = ask_labels(static_cast<LabelLevel>(type), ident);
  if (!sent) return {};
  kept.sent = *std::move(sent);
  for (const HostLabels& labels : kept.sent) {
    ByteWriter out;
    for (const wire::LabelPlace& place : labels.places) {
      out.u16(place.name_at);
      out.u8(place.name_bytes);
      out.u8(place.flags);
      out.u16(place.value_at);
      out.u16(place.value_bytes);
    }
    const auto written = out.written();
    kept.entries.emplace_back(written.begin(), written.end());
  }
  for (size_t i = 0; i < kept.sent.size(); ++i) {
    kept.sets.push_back({.instance = kept.sent[i].instance,
                         .count = static_cast<int32_t>(kept.sent[i].places.size()),
                         .json = kept.sent[i].json,
                         .entries = kept.entries[i]});
  }
  std::vector<const LabelSet*> out;
  for (const LabelSet& set : kept.sets) out.push_back(&set);
  return out;
}

int LiveSession::load_domain(InDomId indom) {
  const auto found = context_->instances(indom);
  if (!found) return found.error();
  indom_ = indom;
  instance_names_.clear();
  for (const Context::Instance& instance : *found) {
    instance_names_.emplace(instance.id, instance.name);
  }
  return 0;
}

std::optional<std::string> LiveSession::instance_name(InDomId indom, int32_t instance) const {
  if (indom != indom_) return std::nullopt;
  const auto found = instance_names_.find(instance);
  if (found == instance_names_.end()) return std::nullopt;
  return found->second;
}

}  // namespace pmjit
