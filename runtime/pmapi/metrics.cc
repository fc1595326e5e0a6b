// Descriptors, help texts, instances, profiles. Source: spec pmapi.md §7, §8, §9.5, §10.5.
#include <algorithm>

#include "runtime/pmapi/convert.h"
#include "runtime/pmapi/local_context.h"
#include "runtime/pmapi/open_context.h"
#include "runtime/text/print_value.h"

using namespace pmjit;

namespace {

// A question to the current context. PM_ERR_IPC: its host is gone.
template <class Ask>
int ask_current(Ask&& ask) {
  return at_c_border([&] {
    auto current = Working::current();
    if (!current) return current.error();
    if (const int gone = (*current)->lost()) return gone;
    return ask(**current);
  });
}
// One to archives.
template <class Ask>
int ask_archive(Ask&& ask) {
  return ask_current([&](OpenContext& context) {
    if (context.archive() == nullptr) return PM_ERR_NOTARCHIVE;
    return ask(context);
  });
}

int give_instances(const std::vector<Context::Instance>& instances, int** ids, char*** names) {
  if (instances.empty()) {
    *ids = nullptr;
    *names = nullptr;
    return 0;
  }
  std::vector<std::string> texts;
  for (const Context::Instance& instance : instances) texts.push_back(instance.name);
  auto* list = static_cast<int*>(give_bytes(instances.size() * sizeof(int)));
  for (size_t i = 0; i < instances.size(); ++i) list[i] = instances[i].id;
  *names = at_c_border_or<char**>(nullptr, [&] { return give_texts(texts); });
  if (*names == nullptr) {
    std::free(list);
    return -ENOMEM;
  }
  *ids = list;
  return static_cast<int>(instances.size());
}

const Domain* domain_of_archive(OpenContext& context, pmInDom indom) {
  return context.archive()->metadata().domain(indom);
}

// The kinds of text, and whether one stands in for the other.
int give_found_text(const OrPmError<std::string>& found, char** out) {
  if (!found) return found.error();
  *out = give_text(*found);
  return 0;
}

// Does a context of archives take these bits? `of`: PM_TEXT_PMID or PM_TEXT_INDOM. Both kinds are
// one where the one-line text may stand in.
bool is_archived_level(int level, int of) {
  switch (level & ~of) {
    case PM_TEXT_ONELINE:
    case PM_TEXT_HELP:
    case PM_TEXT_ONELINE | PM_TEXT_HELP:
    case PM_TEXT_ONELINE | PM_TEXT_DIRECT:
    case PM_TEXT_HELP | PM_TEXT_DIRECT: return true;
    default: return false;
  }
}

template <class LookUp>
int look_up_text(int level, int of, char** out, LookUp&& look_up) {
  if (out == nullptr) return -EINVAL;
  *out = nullptr;
  return ask_current([&](OpenContext& context) {
    // Without a kind, and with both, libpcp's answers differ by source.
    const bool one_line = (level & PM_TEXT_ONELINE) != 0;
    const bool direct = (level & PM_TEXT_DIRECT) != 0;
    if (LocalContext* const local = context.local()) {
      local->let_one_line_stand_in(!direct);
    } else if (ArchiveContext* const archive = context.archive()) {
      if (!is_archived_level(level, of)) return static_cast<int>(PM_ERR_NOTHOST);
      archive->let_one_line_stand_in(!direct);
    }
    return give_found_text(look_up(context, one_line ? TextKind::one_line : TextKind::help), out);
  });
}

// Changes the profile of the current context. `includes`: pmAddProfile.
int change_profile(pmInDom indom, int count, const int* list, bool includes) {
  if (indom == PM_INDOM_NULL && list != nullptr) return PM_ERR_PROFILESPEC;
  return at_c_border([&] {
    auto current = Working::current();
    if (!current) return current.error();
    Profile& profile = (*current)->profile();
    if (count < 0) return -EINVAL;
    if (indom == PM_INDOM_NULL) {
      if (count == 0) profile.set_all(!includes);
      return 0;
    }
    if (list == nullptr || count == 0) {
      profile.set(indom, {.excludes = !includes});
      return 0;
    }
    // A domain without an entry begins with nothing, for both calls.
    const Profile::Domain* known = profile.find(indom);
    Profile::Domain domain = known != nullptr ? *known : Profile::Domain{.excludes = true};
    for (int i = 0; i < count; ++i) {
      const auto at = std::ranges::find(domain.but, list[i]);
      const bool listed = at != domain.but.end();
      if (includes == domain.excludes) {
        if (!listed) domain.but.push_back(list[i]);
      } else if (listed) {
        domain.but.erase(at);
      }
    }
    profile.set(indom, std::move(domain));
    return 0;
  });
}

}  // namespace

int pmLookupDesc(pmID pmid, pmDesc* out) {
  if (out == nullptr) return -EINVAL;
  return ask_current([&](OpenContext& context) {
    if (context.host() != nullptr) context.host()->forget_descriptors({&pmid, 1});
    const auto found = context.metrics().describe(pmid);
    if (!found) return found.error();
    *out = to_c(*found);
    return 0;
  });
}

int pmLookupDescs(int count, pmID* ids, pmDesc* out) {
  if (count < 1) return PM_ERR_TOOSMALL;
  if (ids == nullptr || out == nullptr) return -EINVAL;
  return ask_current([&](OpenContext& context) {
    const std::span<const PmId> metrics(ids, static_cast<size_t>(count));
    if (context.host() != nullptr) context.host()->forget_descriptors(metrics);
    const auto found = context.metrics().describe_metrics(metrics);
    if (count == 1 && !found[0]) {
      const bool alone = context.host() != nullptr || found[0].error() == PM_ERR_BADDERIVE;
      if (alone) return found[0].error();
    }
    // A connection that was lost meanwhile is no matter of single metrics.
    for (const auto& one : found) {
      if (!one && context.lost() != 0) return one.error();
    }
    int good = 0;
    for (size_t i = 0; i < found.size(); ++i) {
      if (found[i]) ++good;
      out[i] = found[i] ? to_c(*found[i]) : pmDesc{.pmid = PM_ID_NULL};
    }
    return good;
  });
}

void pmPrintDesc(FILE* file, const pmDesc* desc) {
  if (file == nullptr || desc == nullptr) return;
  (void)at_c_border([&] {
    std::string text;
    append_desc(text, desc_of(*desc));
    return std::fputs(text.c_str(), file);
  });
}

int pmGetInDom(pmInDom indom, int** ids, char*** names) {
  if (indom == PM_INDOM_NULL) return PM_ERR_INDOM;
  if (ids == nullptr || names == nullptr) return -EINVAL;
  return ask_current([&](OpenContext& context) {
    const auto found = context.metrics().instances(indom);
    return found ? give_instances(*found, ids, names) : found.error();
  });
}

int pmLookupInDom(pmInDom indom, const char* name) {
  if (indom == PM_INDOM_NULL) return PM_ERR_INDOM;
  if (name == nullptr) return -EINVAL;
  return ask_current([&](OpenContext& context) {
    const auto found = context.metrics().instance_id(indom, name);
    return found ? *found : found.error();
  });
}

int pmNameInDom(pmInDom indom, int instance, char** name) {
  if (indom == PM_INDOM_NULL) return PM_ERR_INDOM;
  if (name == nullptr) return -EINVAL;
  return ask_current([&](OpenContext& context) {
    if (context.archive() == nullptr) {
      return give_found_text(context.metrics().instance_name(indom, instance), name);
    }
    const Domain* domain = domain_of_archive(context, indom);
    if (domain == nullptr) return PM_ERR_INDOM_LOG;
    const auto found = domain->name_at(instance, context.archive()->replay().now());
    if (!found) return static_cast<int>(found.error());
    *name = give_text(*found);
    return 0;
  });
}

int pmGetInDomArchive(pmInDom indom, int** ids, char*** names) {
  if (indom == PM_INDOM_NULL) return PM_ERR_INDOM;
  if (ids == nullptr || names == nullptr) return -EINVAL;
  return ask_archive([&](OpenContext& context) {
    const auto found = context.archive()->instances_ever(indom);
    return found ? give_instances(*found, ids, names) : found.error();
  });
}

int pmLookupInDomArchive(pmInDom indom, const char* name) {
  if (indom == PM_INDOM_NULL) return PM_ERR_INDOM;
  if (name == nullptr) return -EINVAL;
  return ask_archive([&](OpenContext& context) {
    const Domain* domain = domain_of_archive(context, indom);
    if (domain == nullptr) return PM_ERR_INDOM_LOG;
    const auto found = domain->id_ever(name);
    return found ? *found : static_cast<int>(found.error());
  });
}

int pmNameInDomArchive(pmInDom indom, int instance, char** name) {
  if (indom == PM_INDOM_NULL) return PM_ERR_INDOM;
  if (name == nullptr) return -EINVAL;
  return ask_archive([&](OpenContext& context) {
    const Domain* domain = domain_of_archive(context, indom);
    if (domain == nullptr) return PM_ERR_INDOM_LOG;
    const auto found = domain->name_ever(instance);
    if (!found) return static_cast<int>(found.error());
    *name = give_text(*found);
    return 0;
  });
}

int pmLookupText(pmID pmid, int level, char** out) {
  return look_up_text(level, PM_TEXT_PMID, out, [&](OpenContext& context, TextKind kind) {
    return context.metrics().metric_text(kind, pmid);
  });
}

int pmLookupInDomText(pmInDom indom, int level, char** out) {
  return look_up_text(level, PM_TEXT_INDOM, out, [&](OpenContext& context, TextKind kind) {
    return context.metrics().indom_text(kind, indom);
  });
}

int pmAddProfile(pmInDom indom, int count, int* list) {
  return change_profile(indom, count, list, true);
}

int pmDelProfile(pmInDom indom, int count, int* list) {
  return change_profile(indom, count, list, false);
}
