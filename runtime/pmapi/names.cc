// The name space. Source: spec pmapi.md §6.1, derived-metrics.md §8.3.
#include <algorithm>
#include <array>

#include "runtime/pmapi/local_context.h"
#include "runtime/pmapi/open_context.h"

using namespace pmjit;

namespace {

int load_names(const char* path, SameMetric same, bool preprocessed) {
  return at_c_border([&] {
    Library& library = the_library();
    int code = 0;
    {
      const std::unique_lock alone(library.definitions);
      code = library.loaded_names.load(path, same, preprocessed);
    }
    library.begin_derived();
    return code;
  });
}

// Of several names. What is said is the number of the source's own metrics, unless all were found.
int look_up_several(WorkingNames& working, std::span<const std::string_view> names, pmID* ids) {
  DerivedContext& context = working.names();
  const auto found = context.look_up_names(names);
  const bool lost = working.context() != nullptr && working.context()->lost() != 0;
  int all = 0, recorded = 0;
  for (size_t i = 0; i < names.size(); ++i) {
    ids[i] = found[i].value_or(PM_ID_NULL);
    if (!found[i] && lost) return found[i].error();
    if (!found[i]) continue;
    ++all;
    if (!context.derived(*found[i])) ++recorded;
  }
  return all == static_cast<int>(names.size()) ? all : recorded;
}

int give_children(const std::vector<Context::Child>& children, char*** offspring, int** status) {
  if (children.empty()) {
    *offspring = nullptr;
    if (status != nullptr) *status = nullptr;
    return 0;
  }
  std::vector<std::string> texts;
  for (const Context::Child& child : children) texts.push_back(child.name);
  char** names = give_texts(texts);
  if (status != nullptr) {
    *status = static_cast<int*>(std::malloc(children.size() * sizeof(int)));
    if (*status == nullptr) {
      std::free(names);
      return -ENOMEM;
    }
    for (size_t i = 0; i < children.size(); ++i) {
      (*status)[i] = children[i].leaf ? PMNS_LEAF_STATUS : PMNS_NONLEAF_STATUS;
    }
  }
  *offspring = names;
  return static_cast<int>(children.size());
}

// The callback may call us, so nothing is locked then.
template <class Call>
int traverse(const char* name, Call&& call) {
  if (name == nullptr) return PM_ERR_NAME;
  return at_c_border([&] {
    std::vector<Context::Leaf> leaves;
    int code = 0;  // behind these
    {
      WorkingNames working;
      if (working.missing() != 0) return working.missing();
      DerivedContext& names = working.names();
      if (working.context() != nullptr && working.context()->local() != nullptr) {
        code = walk_names(
            name, [&](const std::string& at) { return names.children(at); },
            [&](const std::string& leaf) { leaves.push_back({.name = leaf, .pmid = kNullId}); });
      } else {
        auto found = names.leaves(name);
        if (!found) return found.error();
        leaves = *std::move(found);
      }
    }
    for (const Context::Leaf& leaf : leaves) call(leaf.name.c_str());
    return code < 0 ? code : static_cast<int>(leaves.size());
  });
}

}  // namespace

int pmLoadNameSpace(const char* file) { return load_names(file, SameMetric::allowed, true); }

int pmLoadASCIINameSpace(const char* file, int dupok) {
  return load_names(file, dupok != 0 ? SameMetric::allowed : SameMetric::refused, false);
}

void pmUnloadNameSpace(void) {
  (void)at_c_border([] {
    const std::unique_lock alone(the_library().definitions);
    the_library().loaded_names.unload();
    return 0;
  });
}

int pmGetPMNSLocation(void) {
  return at_c_border([] {
    WorkingNames working;
    const int missing = working.missing();
    if (missing != 0 && missing != PM_ERR_IPC) return missing;
    if (the_library().loaded_names.state() == LoadedNames::State::loaded) return PMNS_LOCAL;
    return working.context()->archive() != nullptr ? PMNS_ARCHIVE : PMNS_REMOTE;
  });
}

int pmTrimNameSpace(void) {
  return at_c_border([] {
    if (WorkingNames().missing() == PM_ERR_NOPMNS) return PM_ERR_NOPMNS;
    const auto context = the_library().find(current_handle());
    if (context == nullptr) return PM_ERR_NOCONTEXT;
    if (context->archive() == nullptr) return 0;
    const std::unique_lock alone(the_library().definitions);
    const Metadata& metadata = context->archive()->metadata();
    the_library().loaded_names.trim([&](PmId pmid) { return metadata.desc(pmid) != nullptr; });
    return 0;
  });
}

int pmLookupName(int count, const char** names, pmID* ids) {
  if (count < 1) return PM_ERR_TOOSMALL;
  if (names == nullptr || ids == nullptr) return -EINVAL;
  return at_c_border([&] {
    WorkingNames working;
    std::vector<std::string_view> wanted;
    for (int i = 0; i < count; ++i) {
      ids[i] = PM_ID_NULL;
      wanted.emplace_back(names[i] == nullptr ? "" : names[i]);
    }
    if (working.missing() == PM_ERR_NOPMNS && current_handle() >= 0 && pmWhichContext() < 0) {
      return PM_ERR_NOCONTEXT;  // another thread has destroyed it; of names alone libpcp says so
    }
    if (working.missing() != 0) return working.missing();
    // pmcd takes a request that ends with "" for none.
    const bool ends_empty = wanted.back().empty();
    const bool of_host = working.context() != nullptr && working.context()->host() != nullptr;
    const bool loaded = the_library().loaded_names.state() == LoadedNames::State::loaded;
    if (ends_empty && of_host && !loaded) return PM_ERR_IPC;
    if (count > 1) return look_up_several(working, wanted, ids);
    const auto found = working.names().look_up(wanted[0]);
    if (!found) return found.error();
    ids[0] = *found;
    return 1;
  });
}

int pmGetChildrenStatus(const char* name, char*** offspring, int** status) {
  if (name == nullptr) return PM_ERR_NAME;
  if (offspring == nullptr) return -EINVAL;
  return at_c_border([&] {
    WorkingNames working;
    if (working.missing() != 0) return working.missing();
    const auto found = working.names().children(name);
    return found ? give_children(*found, offspring, status) : found.error();
  });
}

int pmGetChildren(const char* name, char*** offspring) {
  return pmGetChildrenStatus(name, offspring, nullptr);
}

int pmNameAll(pmID pmid, char*** names) {
  if (names == nullptr) return -EINVAL;
  return at_c_border([&] {
    WorkingNames working;
    if (working.missing() != 0) return working.missing();
    const auto found = working.names().names(pmid);
    if (!found) return found.error();
    *names = give_texts(*found);
    return static_cast<int>(found->size());
  });
}

int pmNameID(pmID pmid, char** name) {
  if (name == nullptr) return -EINVAL;
  return at_c_border([&] {
    WorkingNames working;
    if (working.missing() != 0) return working.missing();
    const auto found = working.names().names(pmid);
    if (!found) return found.error();
    *name = give_text(found->front());
    return 0;
  });
}

// Without a function to call: what is wrong with the name, before that.
int pmTraversePMNS(const char* name, void (*call)(const char*)) {
  const int count = traverse(name, [&](const char* leaf) {
    if (call != nullptr) call(leaf);
  });
  return call == nullptr && count >= 0 ? -EINVAL : count;
}

int pmTraversePMNS_r(const char* name, void (*call)(const char*, void*), void* closure) {
  const int count = traverse(name, [&](const char* leaf) {
    if (call != nullptr) call(leaf, closure);
  });
  return call == nullptr && count >= 0 ? -EINVAL : count;
}
