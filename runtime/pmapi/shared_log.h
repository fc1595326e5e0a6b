// SharedView: a context as PCP's own programs look into it, filled once from what we know of its
// archive. It changes nothing of the context.
//
//   context.shared_view() = std::make_shared<SharedView>(context);
//   return context.shared_view()->context();
#pragma once

#include <deque>
#include <string>
#include <vector>

#include "runtime/pmapi/log_files.h"
#include "runtime/pmapi/open_context.h"

namespace pmjit {

class SharedView {
 public:
  explicit SharedView(OpenContext& of);
  SharedView(const SharedView&) = delete;
  SharedView& operator=(const SharedView&) = delete;
  ~SharedView();

  [[nodiscard]] SharedContext* context() { return &context_; }
  // Of the context that one of our structures is of; -1: it is none of ours.
  [[nodiscard]] static int handle_of(const void* structure);

 private:
  void fill(const Archives& archives);
  void fill_label(const Label& label);
  void fill_index(const Archive& archive);
  void fill_metrics(const Metadata& metadata);
  void fill_domains(const Metadata& metadata);
  void fill_labels(const ArchiveLabels& labels);
  void fill_texts(const Texts& texts);
  SharedInDom& add_set(InDomId indom, Stamp stamp, std::span<const NamedInstance> set);
  SharedHash& inner(SharedHash& outer, uint32_t key);
  [[nodiscard]] char* keep(std::string_view text);

  SharedContext context_{};
  SharedArchive archive_{};
  SharedLog log_{};
  int handle_;
  // What the structures point at.
  std::deque<std::string> texts_;
  std::deque<pmDesc> descs_;
  std::deque<SharedInDom> domains_;
  std::deque<std::vector<int>> ids_;
  std::deque<std::vector<char*>> names_;
  std::deque<SharedHash> hashes_;
  std::deque<SharedLabelSets> label_records_;
  std::deque<std::vector<pmLabelSet>> label_sets_;
  std::deque<std::vector<pmLabel>> labels_;
  std::vector<SharedIndexEntry> entries_;
  std::vector<int> volumes_;
};

}  // namespace pmjit
