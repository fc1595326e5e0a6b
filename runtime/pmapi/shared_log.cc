#include "runtime/pmapi/shared_log.h"

#include <algorithm>
#include <mutex>
#include <unordered_map>

#include "runtime/pmapi/convert.h"
#include "runtime/pmapi/internal.h"

namespace pmjit {

namespace {

// Whose context a structure is of.
class SharedStructures {
 public:
  void add(const void* structure, int handle) {
    const std::scoped_lock lock(lock_);
    handles_[structure] = handle;
  }
  void remove(const void* structure) {
    const std::scoped_lock lock(lock_);
    handles_.erase(structure);
  }
  [[nodiscard]] int find(const void* structure) {
    const std::scoped_lock lock(lock_);
    const auto found = handles_.find(structure);
    return found == handles_.end() ? -1 : found->second;
  }

 private:
  std::mutex lock_;
  std::unordered_map<const void*, int> handles_;
};

SharedStructures& shared_structures() {
  static auto* const structures = new SharedStructures();
  return *structures;
}

void free_nodes(SharedHash& table) {
  for (int i = 0; i < table.size; ++i) {
    for (SharedHashNode* node = table.table[i]; node != nullptr;) {
      std::free(std::exchange(node, node->next));
    }
  }
  std::free(table.table);
}

}  // namespace

SharedView::SharedView(OpenContext& of) : handle_(of.handle()) {
  context_.type = of.type();
  if (of.archive() != nullptr) {
    context_.archive = &archive_;
    archive_.log = &log_;
    context_.mode = static_cast<int>(of.archive()->replay().mode());
    put_time(of.archive()->replay().now(), context_.origin);
    fill(of.archives());
  }
  shared_structures().add(&context_, handle_);
  shared_structures().add(&archive_, handle_);
}

SharedView::~SharedView() {
  shared_structures().remove(&context_);
  shared_structures().remove(&archive_);
  close_file(archive_.volume);
  close_file(log_.index);
  close_file(log_.meta);
  for (SharedHash* table : {&log_.metrics, &log_.domains, &log_.labels, &log_.texts}) {
    free_nodes(*table);
  }
  for (SharedHash& table : hashes_) free_nodes(table);
}

int SharedView::handle_of(const void* structure) { return shared_structures().find(structure); }

char* SharedView::keep(std::string_view text) { return texts_.emplace_back(text).data(); }

void SharedView::fill(const Archives& archives) {
  const Archive& first = archives[0];
  log_.references = 1;
  log_.several = archives.size() > 1;
  log_.name = keep(first.name());
  log_.index = open_for_reading((first.name() + ".index").c_str());
  log_.meta = open_for_reading((first.name() + ".meta").c_str());
  for (const VolumeFile& volume : first.volumes()) volumes_.push_back(volume.number);
  log_.first_volume = volumes_.front();
  log_.last_volume = volumes_.back();
  log_.seen_count = 1;
  log_.seen = volumes_.data();
  archive_.volume = open_for_reading(first.volumes().front().path.c_str());
  archive_.offset = static_cast<int64_t>(label_bytes(first.label().version));
  archive_.current_volume = log_.first_volume;
  fill_label(first.label());
  fill_index(first);
  fill_metrics(archives.metadata());
  fill_domains(archives.metadata());
  fill_labels(archives.metadata().labels);
  fill_texts(archives.metadata().texts);
}

void SharedView::fill_label(const Label& label) {
  log_.label = {.magic = PM_LOG_MAGIC | static_cast<int>(label.version),
                .pid = label.pid,
                .start = {label.start.sec, label.start.nsec},
                .volume = label.volume,
                .features = label.features,
                .host = keep(label.host),
                .timezone = keep(label.timezone),
                .zoneinfo = label.zoneinfo.empty() ? nullptr : keep(label.zoneinfo)};
}

void SharedView::fill_index(const Archive& archive) {
  for (const IndexEntry& entry : archive.index()) {
    entries_.push_back({.stamp = {entry.stamp.sec, entry.stamp.nsec},
                        .volume = entry.volume,
                        .meta_offset = entry.meta_offset,
                        .data_offset = entry.data_offset});
  }
  log_.index_count = static_cast<int>(entries_.size());
  log_.entries = entries_.data();
}

void SharedView::fill_metrics(const Metadata& metadata) {
  for (const PmId pmid : metadata.pmids) {
    pmDesc& desc = descs_.emplace_back(to_c(*metadata.desc(pmid)));
    (void)__pmHashAdd(pmid, &desc, &log_.metrics);
  }
}

SharedInDom& SharedView::add_set(InDomId indom, Stamp stamp, std::span<const NamedInstance> set) {
  std::vector<int>& ids = ids_.emplace_back();
  std::vector<char*>& names = names_.emplace_back();
  for (const NamedInstance& instance : set) {
    ids.push_back(instance.id);
    names.push_back(keep(instance.name));
  }
  return domains_.emplace_back(SharedInDom{.indom = indom,
                                           .stamp = {stamp.sec, stamp.nsec},
                                           .count = static_cast<int>(set.size()),
                                           .ids = ids.data(),
                                           .names = names.data()});
}

void SharedView::fill_domains(const Metadata& metadata) {
  for (const InDomId indom : metadata.indoms) {
    SharedInDom* newest = nullptr;
    for (SetWalk walk(*metadata.domain(indom)); walk.next();) {
      SharedInDom& set = add_set(indom, walk.stamp(), walk.instances());
      set.next = newest;
      if (newest != nullptr) newest->previous = &set;
      newest = &set;
    }
    if (newest != nullptr) (void)__pmHashAdd(indom, newest, &log_.domains);
  }
}

SharedHash& SharedView::inner(SharedHash& outer, uint32_t key) {
  if (SharedHashNode* node = __pmHashSearch(key, &outer)) {
    return *static_cast<SharedHash*>(node->data);
  }
  SharedHash& out = hashes_.emplace_back();
  (void)__pmHashAdd(key, &out, &outer);
  return out;
}

void SharedView::fill_labels(const ArchiveLabels& labels) {
  for (const ArchiveLabels::Owner& owner : labels.owners()) {
    const auto history = labels.history(owner.type, owner.ident);
    SharedLabelSets* newest = nullptr;
    for (size_t i = 0; i < history.size(); ++i) {
      const auto left = labels.left_of(history, i);
      if (left.empty()) continue;
      std::vector<pmLabelSet>& sets = label_sets_.emplace_back();
      for (const LabelSet* set : left) {
        std::vector<pmLabel>& entries = labels_.emplace_back();
        pmLabelSet& out = sets.emplace_back();
        for (size_t k = 0; k < set->size(); ++k) entries.push_back(to_c(set->entry(k)));
        out.inst = static_cast<unsigned>(set->instance);
        out.nlabels = set->count;
        out.json = keep(set->json);
        out.jsonlen = static_cast<unsigned>(set->json.size()) & PM_MAXLABELJSONLEN;
        out.labels = entries.data();
      }
      const Stamp stamp = labels.records()[history[i]].stamp;
      newest = &label_records_.emplace_back(SharedLabelSets{.next = newest,
                                                            .stamp = {stamp.sec, stamp.nsec},
                                                            .type = static_cast<int>(owner.type),
                                                            .ident = owner.ident,
                                                            .count = static_cast<int>(sets.size()),
                                                            .sets = sets.data()});
    }
    SharedHash& idents = inner(log_.labels, static_cast<uint32_t>(owner.type));
    if (newest != nullptr) (void)__pmHashAdd(owner.ident, newest, &idents);
  }
}

void SharedView::fill_texts(const Texts& texts) {
  for (const TextOf of : {TextOf::metric, TextOf::indom}) {
    for (const TextKind kind : {TextKind::one_line, TextKind::help}) {
      for (const uint32_t ident : texts.idents(of)) {
        const auto text = texts.find(kind, of, ident);
        if (!text) continue;
        const uint32_t type = static_cast<uint32_t>(of) | static_cast<uint32_t>(kind);
        (void)__pmHashAdd(ident, keep(*text), &inner(log_.texts, type));
      }
    }
  }
}

}  // namespace pmjit
