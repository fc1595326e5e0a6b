// What PCP's own programs read of an archive's context beside the interface: pmdumplog, pmlogcheck.
#include <fmt/format.h>

#include <algorithm>

#include "runtime/archive/reader/metadata_records.h"
#include "runtime/pmapi/convert.h"
#include "runtime/pmapi/internal.h"
#include "runtime/pmapi/shared_log.h"

using namespace pmjit;

// Programs lock a context as long as they look into it, and a lock of ours ends with our call.
int __pmUnlock(void*, const char*, int) { return 0; }

SharedContext* __pmHandleToPtr(int handle) {
  return at_c_border_or<SharedContext*>(nullptr, [&]() -> SharedContext* {
    auto working = Working::of(handle);
    if (!working) return nullptr;
    OpenContext& context = **working;
    std::shared_ptr<SharedView>& view = context.shared_view();
    if (view == nullptr) view = std::make_shared<SharedView>(context);
    return view->context();
  });
}

int __pmGetArchiveEnd(SharedArchive* archive, SharedStamp* out) {
  if (archive == nullptr || out == nullptr) return -EINVAL;
  return at_c_border([&] {
    auto working = Working::of(SharedView::handle_of(archive));
    if (!working) return working.error();
    const auto end = (*working)->archives().end();
    if (!end) return code_of_failure(end.error());
    put_time(*end, *out);
    return 0;
  });
}

// The next record, or, of some metrics, what pmFetch() has.
int __pmLogFetch(SharedContext* context, int count, pmID* ids, SharedResult** out) {
  if (context == nullptr || out == nullptr) return -EINVAL;
  return at_c_border([&] {
    auto working = Working::of(SharedView::handle_of(context));
    if (!working) return working.error();
    OpenContext& open = **working;
    if (open.archive() == nullptr) return PM_ERR_NOTARCHIVE;
    Fetched& fetched = open.fetched();
    const bool some = count > 0 && ids != nullptr;
    const auto done = some ? open.archive()->replay().fetch({ids, static_cast<size_t>(count)},
                                                            open.profile(), fetched)
                           : open.archive()->replay().fetch_record(fetched);
    if (!done) return code_of_failure(done.error());
    *out = static_cast<SharedResult*>(give_result(fetched, true));
    put_time(open.archive()->replay().now(), context->origin);
    return 0;
  });
}

namespace {

// Identifiers, names and their texts in one block each, for __pmFreeLogInDom().
void give_instances(std::span<const NamedInstance> instances, SharedInDom& out) {
  out.count = static_cast<int>(instances.size());
  out.ids = static_cast<int*>(give_bytes(instances.size() * sizeof(int)));
  size_t bytes = instances.size() * sizeof(char*);
  for (const NamedInstance& instance : instances) bytes += instance.name.size() + 1;
  out.names = static_cast<char**>(give_bytes(bytes));
  char* text = reinterpret_cast<char*>(out.names + instances.size());
  for (size_t i = 0; i < instances.size(); ++i) {
    const std::string_view name = instances[i].name;
    out.ids[i] = instances[i].id;
    out.names[i] = instances[i].gone ? nullptr : text;
    std::ranges::copy(name, text);
    text[name.size()] = '\0';
    text += name.size() + 1;
  }
}

}  // namespace

// The record where the metadata file stands; its type has been read.
int __pmLogLoadInDom(SharedArchive* archive, int bytes, int type, SharedInDom* out, int** buffer) {
  if (archive == nullptr || archive->log == nullptr || out == nullptr || bytes < 0) return -EINVAL;
  if (buffer != nullptr) *buffer = nullptr;
  return at_c_border([&] {
    std::vector<std::byte> payload(static_cast<size_t>(bytes));
    if (__pmFread(payload.data(), 1, payload.size(), archive->log->meta) != payload.size()) {
      return PM_ERR_LOGREC;
    }
    const bool delta = type == static_cast<int>(MetaRecord::indom_delta);
    const bool v2 = type == static_cast<int>(MetaRecord::indom_v2);
    const auto record = read_indom_record(payload, v2 ? Version::v2 : Version::v3, delta);
    std::vector<NamedInstance> instances;
    if (!record || !list_stored(*record, instances)) return PM_ERR_LOGREC;
    *out = {.indom = record->indom,
            .stamp = {record->stamp.sec, record->stamp.nsec},
            .is_delta = delta};
    give_instances(instances, *out);
    return 0;
  });
}

void __pmFreeLogInDom(SharedInDom* domain) {
  if (domain == nullptr) return;
  std::free(std::exchange(domain->ids, nullptr));
  std::free(std::exchange(domain->names, nullptr));
  domain->count = 0;
}

// Sets of a context are whole.
int __pmLogUndeltaInDom(pmInDom, SharedInDom*) { return 0; }

// Of each thread its own text.
const char* __pmLogFeaturesStr(unsigned features) {
  static thread_local std::string t_text;
  return at_c_border_or<const char*>("", [&] {
    t_text.clear();
    constexpr unsigned kBits = 32;
    for (unsigned bit = kBits; bit-- > 0;) {
      if ((features >> bit & 1) == 0) continue;
      if (!t_text.empty()) t_text += ' ';
      t_text += bit == kBits - 1 ? "QA" : fmt::format("bit_{:02}", bit);
    }
    return t_text.c_str();
  });
}
