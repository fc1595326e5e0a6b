#include "runtime/client/archive_context/archive_context.h"

#include <utility>

#include "runtime/client/context_names.h"

namespace pmjit {

namespace {

OrPmError<std::string> text_of(const OrPmCode<std::string_view>& found) {
  if (!found) return pm_fail(found.error());
  return std::string(*found);
}

std::vector<Context::Instance> with_names(const std::vector<NamedInstance>& instances) {
  std::vector<Context::Instance> out;
  out.reserve(instances.size());
  for (const NamedInstance& instance : instances) {
    out.push_back({.id = instance.id, .name = std::string(instance.name)});
  }
  return out;
}

}  // namespace

std::vector<OrPmError<PmId>> ArchiveContext::look_up_names(
    std::span<const std::string_view> names) {
  return look_up_in(metadata().names, names);
}

OrPmError<std::vector<std::string>> ArchiveContext::names(PmId pmid) {
  return names_in(metadata().names, pmid);
}

OrPmError<std::vector<Context::Child>> ArchiveContext::children(std::string_view name) {
  return children_in(metadata().names, name);
}

OrPmError<std::vector<Context::Leaf>> ArchiveContext::leaves(std::string_view name) {
  return leaves_in(metadata().names, name);
}

std::vector<OrPmError<Desc>> ArchiveContext::describe_metrics(std::span<const PmId> metrics) {
  std::vector<OrPmError<Desc>> out;
  for (const PmId pmid : metrics) {
    const Desc* desc = metadata().desc(pmid);
    out.push_back(desc != nullptr ? OrPmError<Desc>(*desc) : pm_fail(pm_err::E_PMID_LOG));
  }
  return out;
}

OrPmError<std::string> ArchiveContext::text(TextKind kind, TextOf of, uint32_t ident) const {
  const Texts& texts = metadata().texts;
  return text_of(one_line_stands_in_ ? texts.look_up(kind, of, ident)
                                     : texts.look_up_alone(kind, of, ident));
}

OrPmError<std::string> ArchiveContext::metric_text(TextKind kind, PmId pmid) {
  return text(kind, TextOf::metric, pmid);
}

OrPmError<std::string> ArchiveContext::indom_text(TextKind kind, InDomId indom) {
  return text(kind, TextOf::indom, indom);
}

OrPmError<std::vector<Context::Instance>> ArchiveContext::instances(InDomId indom) {
  const Domain* domain = metadata().domain(indom);
  if (domain == nullptr) return pm_fail(pm_err::E_INDOM_LOG);
  const auto found = domain->instances_at(now());
  if (!found) return pm_fail(found.error());
  return with_names(*found);
}

OrPmError<int32_t> ArchiveContext::instance_id(InDomId indom, std::string_view name) {
  const Domain* domain = metadata().domain(indom);
  if (domain == nullptr) return pm_fail(pm_err::E_INDOM_LOG);
  return as_pm_error(domain->id_at(name, now()));
}

OrPmError<std::string> ArchiveContext::instance_name(InDomId indom, int32_t instance) {
  const Domain* domain = metadata().domain(indom);
  if (domain == nullptr) return pm_fail(pm_err::E_INDOM_LOG);
  const auto looked_at = ahead_ ? ahead_->looked_at() : std::nullopt;
  return text_of(domain->name_at(instance, looked_at.value_or(fetched_at_)));
}

OrPmError<std::vector<Context::Instance>> ArchiveContext::instances_ever(InDomId indom) {
  const Domain* domain = metadata().domain(indom);
  if (domain == nullptr) return pm_fail(pm_err::E_INDOM_LOG);
  return with_names(domain->instances_ever());
}

Stamp ArchiveContext::now() const {
  const auto ahead = ahead_ ? ahead_->now() : std::nullopt;
  return ahead.value_or(replay_.now());
}

Result<void> ArchiveContext::fetch(std::span<const PmId> metrics, const Profile& profile,
                                   Fetched& out) {
  if (ahead_ && ahead_->serve(replay_, metrics, profile, out)) {
    fetched_at_ = out.stamp;
    return {};
  }
  auto done = replay_.fetch(metrics, profile, out);
  if (done) fetched_at_ = out.stamp;
  return done;
}

Result<void> ArchiveContext::fetch_stamp(Fetched& out) {
  if (replay_.mode() == ReplayMode::interpolated) return fetch({&kNullId, 1}, {}, out);
  do {
    if (auto read = replay_.fetch_record(out, kNullId); !read) return read;
  } while (out.sets.empty());
  fetched_at_ = out.stamp;
  return {};
}

int ArchiveContext::unknown_metric_status() const {
  return replay_.mode() == ReplayMode::interpolated ? int{pm_err::E_PMID_LOG} : 0;
}

OrPmError<void> ArchiveContext::store(std::span<const FetchedSet>) {
  return pm_fail(pm_err::E_NOTHOST);
}

}  // namespace pmjit
