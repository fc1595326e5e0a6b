// Labels of agents: sets are put together from JSON texts, and pmdaLabel() answers for each level.
// Source: spec collector-and-agents.md §2.10.
#include <fmt/format.h>

#include <cstdarg>

#include "agent/pmda/agent_state.h"

#pragma GCC visibility push(default)
// Not in pcp/pmapi.h; both libpcp.so.3 have it.
extern "C" int __pmAddLabels(pmLabelSet** sets, const char* text, int flags);
#pragma GCC visibility pop

using namespace pmjit;

namespace {

int add_printed(pmLabelSet** sets, int flags, const char* format, va_list arguments) {
  if (sets == nullptr || format == nullptr) return -EINVAL;
  va_list again;
  va_copy(again, arguments);
  const int bytes = std::vsnprintf(nullptr, 0, format, arguments);
  const int status = at_c_border([&] {
    if (bytes < 0) return -EINVAL;
    if (bytes >= PM_MAXLABELJSONLEN) return -E2BIG;
    std::string text(static_cast<size_t>(bytes) + 1, '\0');
    std::vsnprintf(text.data(), text.size(), format, again);
    const int added = __pmAddLabels(sets, text.c_str(), flags);
    if (added < 0) {
      pmNotifyErr(LOG_ERR, "pmdaAddLabels: %s (%s)", text.c_str(), ErrorText(added).text);
    }
    return added;
  });
  va_end(again);
  return status;
}

std::string json_text(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    if (static_cast<unsigned char>(c) >= ' ') out += c;
  }
  return out + '"';
}

// "pmdasample DSO" is the agent "sample".
std::string agent_label(const pmdaExt& ext) {
  constexpr std::string_view kBefore = "pmda", kBehind = " DSO";
  std::string_view name = ext.e_name == nullptr ? "" : ext.e_name;
  if (name.starts_with(kBefore)) name.remove_prefix(kBefore.size());
  if (name.ends_with(kBehind)) name.remove_suffix(kBehind.size());
  return fmt::format(R"({{"agent":{}}})", json_text(name));
}

int put_labels(pmLabelSet** sets, const std::string& json, int type) {
  const int status = __pmAddLabels(sets, json.c_str(), type);
  if (status < 0) return status;
  pmdaAddLabelFlags(*sets, type);
  return 1;
}

// One set an instance, also where the call-back has nothing to say of it.
int instance_labels(pmInDom indom, pmLabelSet** out, pmdaExt* ext) {
  const int count = __pmdaCntInst(indom, ext);
  if (count <= 0) return count;
  const auto room = static_cast<size_t>(count);
  auto* sets = static_cast<pmLabelSet*>(give_bytes(room * sizeof(pmLabelSet)));
  int made = 0, inst = 0;
  __pmdaStartInst(indom, ext);
  while (made < count && __pmdaNextInst(&inst, ext) > 0) {
    pmLabelSet* one = nullptr;
    int status = 0;
    if (ext->e_labelCallBack != nullptr) {
      status = ext->e_labelCallBack(indom, static_cast<unsigned>(inst), &one);
    }
    pmLabelSet& set = sets[made++];
    set = {};
    if (status > 0 && one != nullptr) {
      set = *one;
      std::free(one);
      pmdaAddLabelFlags(&set, PM_LABEL_INSTANCES);
    } else if (one != nullptr) {
      pmFreeLabelSets(one, 1);
    }
    if (status < 0) {
      char text[32];
      pmNotifyErr(LOG_DEBUG, "pmdaLabel: InDom %s[%d]: %s", pmInDomStr_r(indom, text, sizeof text),
                  inst, ErrorText(status).text);
      set.nlabels = status;
    }
    set.inst = static_cast<unsigned>(inst);
  }
  *out = sets;
  return made;
}

}  // namespace

int pmdaAddLabels(pmLabelSet** sets, const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  const int status = add_printed(sets, 0, format, arguments);
  va_end(arguments);
  return status;
}

int pmdaAddNotes(pmLabelSet** sets, const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  const int status = add_printed(sets, PM_LABEL_OPTIONAL, format, arguments);
  va_end(arguments);
  return status;
}

int pmdaAddLabelFlags(pmLabelSet* set, int flags) {
  if (set == nullptr) return 0;
  for (int i = 0; i < set->nlabels; ++i) {
    set->labels[i].flags = (set->labels[i].flags | static_cast<unsigned>(flags)) & 0xff;
  }
  return 1;
}

int pmdaLabel(int ident, int type, pmLabelSet** out, pmdaExt* ext) {
  if (out == nullptr || ext == nullptr) return -EINVAL;
  return at_c_border([&] {
    switch (type) {
      case PM_LABEL_DOMAIN:
        if (*out == nullptr) return put_labels(out, agent_label(*ext), type);
        pmdaAddLabelFlags(*out, type);
        return 1;
      case PM_LABEL_CONTEXT:
      case PM_LABEL_INDOM:
      case PM_LABEL_CLUSTER:
      case PM_LABEL_ITEM:
        if (*out == nullptr) return 0;
        pmdaAddLabelFlags(*out, type);
        return 1;
      case PM_LABEL_INSTANCES: return instance_labels(static_cast<pmInDom>(ident), out, ext);
      default: return PM_ERR_TYPE;
    }
  });
}
