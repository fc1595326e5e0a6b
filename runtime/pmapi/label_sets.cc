// Labels that a program adds to a set: __pmAddLabels, which pminfo needs.
#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "runtime/pmapi/convert.h"
#include "runtime/pmapi/internal.h"
#include "runtime/text/print_value.h"

using namespace pmjit;

namespace {

// Where the labels of a flat object stand in its text, which merge_labels() has made.
std::vector<pmLabel> places_in(std::string_view json, unsigned flags) {
  std::vector<pmLabel> out;
  size_t at = 1;
  while (at < json.size() && json[at] == '"') {
    const size_t name = at + 1, name_end = json.find('"', name);
    size_t end = name_end + 2, depth = 0;
    bool quoted = false;
    for (; end < json.size(); ++end) {
      const char c = json[end];
      if (quoted && c == '\\') {
        ++end;
      } else if (c == '"') {
        quoted = !quoted;
      } else if (!quoted && (c == '{' || c == '[')) {
        ++depth;
      } else if (!quoted && depth > 0 && (c == '}' || c == ']')) {
        --depth;
      } else if (!quoted && depth == 0 && (c == ',' || c == '}')) {
        break;
      }
    }
    const std::string_view text = json.substr(name, name_end - name);
    const unsigned compound = text.contains('.') ? PM_LABEL_COMPOUND : 0;
    out.push_back({.name = static_cast<unsigned>(name) & 0xffff,
                   .namelen = static_cast<unsigned>(text.size()) & 0xff,
                   .flags = (flags | compound) & 0xff,
                   .value = static_cast<unsigned>(name_end + 2) & 0xffff,
                   .valuelen = static_cast<unsigned>(end - name_end - 2) & 0xffff});
    at = end + 1;
  }
  return out;
}

// A label that was there before keeps its flags.
void keep_flags(const pmLabelSet& before, std::string_view json, std::vector<pmLabel>& labels,
                const std::string& added) {
  for (pmLabel& label : labels) {
    const std::string_view name = json.substr(label.name, label.namelen);
    if (added.contains(fmt::format("\"{}\"", name))) continue;
    for (int i = 0; i < before.nlabels; ++i) {
      const pmLabel& old = before.labels[i];
      if (std::string_view(before.json + old.name, old.namelen) == name) label.flags = old.flags;
    }
  }
}

}  // namespace

int __pmAddLabels(pmLabelSet** sets, const char* text, int flags) {
  if (sets == nullptr || text == nullptr) return -EINVAL;
  return at_c_border([&] {
    const std::string_view both[] = {*sets != nullptr && (*sets)->json != nullptr
                                         ? std::string_view((*sets)->json, (*sets)->jsonlen)
                                         : std::string_view(),
                                     text};
    const auto merged = merge_labels(both);
    if (!merged) return merged.error();
    if (merged->size() > PM_MAXLABELJSONLEN) return -E2BIG;
    std::vector<pmLabel> labels = places_in(*merged, static_cast<unsigned>(flags));
    if (labels.size() > PM_MAXLABELS) return -E2BIG;
    if (*sets != nullptr) keep_flags(**sets, *merged, labels, text);
    pmLabelSet made{};
    made.inst = *sets != nullptr ? (*sets)->inst : PM_IN_NULL;
    made.nlabels = static_cast<int>(labels.size());
    made.json = give_text(*merged);
    made.jsonlen = static_cast<unsigned>(merged->size()) & 0xffff;
    made.labels = static_cast<pmLabel*>(give_bytes(labels.size() * sizeof(pmLabel)));
    std::ranges::copy(labels, made.labels);
    if (*sets == nullptr) {
      *sets = static_cast<pmLabelSet*>(give_bytes(sizeof(pmLabelSet)));
    } else {
      std::free((*sets)->json);
      std::free((*sets)->labels);
    }
    **sets = made;
    return made.nlabels;
  });
}

// For pmFreeLabelSets().
pmLabelSet* __pmDupLabelSets(const pmLabelSet* sets, int count) {
  if (sets == nullptr || count < 1) return nullptr;
  return at_c_border_or<pmLabelSet*>(nullptr, [&] {
    const auto wanted = static_cast<size_t>(count);
    auto* out = static_cast<pmLabelSet*>(give_bytes(wanted * sizeof(pmLabelSet)));
    for (size_t i = 0; i < wanted; ++i) {
      const pmLabelSet& from = sets[i];
      out[i] = from;
      out[i].hash = nullptr;
      if (from.json != nullptr) out[i].json = give_text({from.json, from.jsonlen});
      if (from.labels == nullptr || from.nlabels < 1) continue;
      const size_t bytes = static_cast<size_t>(from.nlabels) * sizeof(pmLabel);
      out[i].labels = static_cast<pmLabel*>(give_bytes(bytes));
      std::memcpy(out[i].labels, from.labels, bytes);
    }
    return out;
  });
}
